import { StoreError } from '@storeport/core'
import { type ChargeOrder, type CustomerData, seed } from '@storeport/rules'
import { dueCustomers } from '@storeport/testing/behaves-like-shop'
import { expectOrderTotals, expectSoundAccount } from '@storeport/testing/account-invariants'
import { click, contextOf, oneOf, send } from '@storeport/testing/clicks'
import { describeDatabases } from '@storeport/testing/stores/describe-databases'
import { expect, it } from 'vitest'

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

  it('creates one order per subscription after 100 days without billing, with all items and discounts', async () => {
    const { clock, store } = await openShop()
    const adds = [
      click('addProduct', { email, ...oneOf('test_54321'), one_time: true, discount_code: 'TEST10' }),
      click('addProduct', { email, ...oneOf('test_12345'), discount_code: 'FIVEOFF' }),
    ]
    for (const each of adds) expect(await send(store, each)).toBe('done')
    const shown = await store.getSubscription({ email }, contextOf())
    clock.today = '2026-05-11'
    // First due dates: February 14 for sub_1001 (monthly), March 2 for sub_1002 (6 weeks), February 7 for sub_3001.
    expect(await store.billDue()).toEqual({ billed: 3, more: false })

    const orders = await store.orders(email)
    expect(orders.map(({ subscription_id }) => subscription_id)).toEqual(['sub_1001', 'sub_1002'])
    for (const order of orders) expectOrderTotals(order)
    expect(orders[0]).toMatchObject({
      placed_on: '2026-05-11',
      discount_minor: Math.round((shown?.order_discount_total ?? 0) * 100),
      lines: [
        { product_id: 'test_12345', quantity: 3, one_time: false },
        { product_id: 'test_67890', quantity: 1, one_time: false },
        { product_id: 'test_54321', quantity: 1, one_time: true },
      ],
    })
    const account = await store.account(email)
    expect(account).toMatchObject({ adds: [], last_sent_on: '2026-05-11' })
    if (account !== undefined) expectSoundAccount(account)
    expect(account?.subscriptions.map(({ next_billing_date }) => next_billing_date)).toEqual([
      '2026-05-14',
      '2026-05-25',
    ])
    expect(await send(store, click('sendNow', { email }))).toBe('order_already_processing')
    expect(await send(store, click('undoAddProduct', { email, product_id: 'test_12345' }))).toBe('product_not_in_order')
    expect(await store.orders(email)).toHaveLength(2)
  })

  it('advances the billing date of a subscription without items, but creates no order', async () => {
    const subscriptions = [{ id: 'sub_empty', next_billing_date: start }]
    const { store } = await openShop([{ email, subscriptions }])
    expect(await store.billDue()).toEqual({ billed: 0, more: false })
    expect((await store.account(email))?.subscriptions[0]?.next_billing_date).toBe('2026-02-28')
    expect(await store.orders()).toEqual([])
  })

  it("still bills other customers if one customer's account cannot be billed", async () => {
    const { store } = await openShop(dueCustomers(start, 3))
    await store.database.transaction((db) =>
      db.updateTable('subscriptions').set({ interval_count: 200_000 }).where('id', '=', 'sub_due_0').execute(),
    )
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
    // One statement finds the due customers. The lock, the read and the three writes are one statement each on SQLite.
    // PostgreSQL combines the writes in one statement. `onStatement` does not report BEGIN and COMMIT.
    expect(statements).toHaveLength(database.name === 'SQLite' ? 1 + 5 : 1 + 3)
    statements.length = 0
    await store.billDue()
    expect(statements).toHaveLength(1)
  })
})
