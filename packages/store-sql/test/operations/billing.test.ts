import { type Click, StoreError } from '@storeport/core'
import { type ChargeOrder, type CustomerData, seed } from '@storeport/rules'
import { chargesOrders } from '@storeport/testing/charges-orders'
import { dueCustomers } from '@storeport/testing/behaves-like-shop'
import { click, contextOf, send } from '@storeport/testing/clicks'
import { describeDatabases } from '@storeport/testing/stores/describe-databases'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { runSql } from '../run-sql.ts'

const start = '2026-01-31'
const email = 'subscription@example.com'

await describeDatabases('billDue', (database) => {
  /** Opens a shop on the start date. The test can change the date. */
  async function openShop(customers: readonly CustomerData[] = seed(start).customers ?? [], charge?: ChargeOrder) {
    const clock = { today: start }
    const statements: string[] = []
    const store = await database.open({
      today: () => clock.today,
      charge,
      data: { ...seed(start), customers },
      onStatement: (statement) => statements.push(statement),
    })
    return { clock, store, statements }
  }

  it("still bills other customers if one customer's account cannot be billed", async () => {
    const { store } = await openShop(dueCustomers(start, 3))
    await runSql(store, sql`update subscriptions set interval_count = 200000 where id = 'sub_due_0'`)
    expect(await store.billDue()).toEqual({ billed: 2, more: false, failures: [expect.any(RangeError)] })
    const billed = (await store.orders()).map(({ subscription_id }) => subscription_id)
    expect(billed.toSorted()).toEqual(['sub_due_1', 'sub_due_2'])
  })

  it('still bills other customers if a customer has too many due orders for one run', async () => {
    const [first, ...others] = dueCustomers(start, 3)
    const subscriptions = Array.from({ length: 22 }, (_, index) => ({
      id: `sub_many_${index}`,
      next_billing_date: start,
      items: [{ id: `item_many_${index}`, product_id: 'test_12345' }],
    }))
    const { store } = await openShop([{ email: first?.email ?? '', subscriptions }, ...others], async () => {})
    const failures = [expect.objectContaining({ code: 'store_unavailable' })]
    expect(await store.billDue()).toEqual({ billed: 22, more: false, failures })
    expect(await store.billDue()).toEqual({ billed: 2, more: false })
  })

  it('ends the run if the database is closed', async () => {
    const { store } = await openShop(dueCustomers(start, 2), () => store.close())
    await expect(store.billDue()).rejects.toMatchObject({ code: 'store_unavailable' })
  })

  it('creates no second order in a process without `charge` while a charge is pending', async () => {
    const error = new StoreError('upstream_error')
    const options = {
      url: await database.create(),
      today: start,
      data: { ...seed(start), customers: dueCustomers(start, 2) },
    }
    const store = await database.open({
      ...options,
      charge: async (charge) => (charge.email.startsWith('due0') ? Promise.reject(error) : undefined),
    })
    expect(await store.billDue()).toEqual({ billed: 1, more: false, failures: [error] })
    const other = await database.open({ ...options, seed: false })
    const failures = [expect.objectContaining({ code: 'store_unavailable' })]
    expect(await other.billDue()).toEqual({ billed: 0, more: false, failures })
    expect(await send(other, click('sendNow', { email: 'due0@example.com' }))).toBe('store_unavailable')
    expect(await other.orders()).toHaveLength(1)
  })

  it('sends the expected number of statements for each customer', async () => {
    const { store, statements } = await openShop(dueCustomers(start, 1))
    statements.length = 0
    expect(await store.billDue()).toEqual({ billed: 1, more: false })
    // One statement finds the due customers. The read and the three writes are one statement each on SQLite. PostgreSQL
    // locks the customer, and combines the writes in one statement. `onStatement` does not report BEGIN and COMMIT.
    expect(statements).toHaveLength(database.name === 'SQLite' ? 1 + 4 : 1 + 3)
    statements.length = 0
    await store.billDue()
    expect(statements).toHaveLength(1)
  })
})

await describeDatabases('a store that charges its orders', (database) => {
  chargesOrders((options) => database.open({ ...options, seed: 'if-empty' }))

  it('saves the pending order and ends the transaction before the charge', async () => {
    const seen: unknown[] = []
    const store = await database.open({
      today: start,
      seed: 'if-empty',
      charge: async ({ order }) => {
        // This transaction would be blocked if another transaction were open during the charge.
        await runSql(store, sql`update customers set last_add = 7`)
        const { pending_charge, orders } = (await store.account(email)) ?? {}
        seen.push([pending_charge?.order.id === order.id, orders])
      },
    })
    await store.sendNow({ email }, contextOf())
    expect(seen).toEqual([[true, []]])
    expect((await store.account(email))?.pending_charge).toBeUndefined()
  })

  it('saves a charged order after its caller has disconnected and its time limit has ended', async () => {
    const controller = new AbortController()
    const late: Click = {
      ...{ customer: `shop:live:${email}`, commitBy: 0, idempotencyKey: 'k', ledger: undefined },
      claim: () => ({ result: 'run' }),
      succeed: () => ({ result: undefined, document: { v: 2 } }),
    }
    const store = await database.open({
      today: start,
      charge: async () => controller.abort(new Error('The caller has disconnected.')),
    })
    await store.sendNow({ email }, { ...contextOf(), signal: controller.signal, click: late })
    expect([await store.orders(), (await store.account(email))?.pending_charge]).toMatchObject([
      { length: 1 },
      undefined,
    ])
  })
})
