import type { SqlStore } from '@storeport/store-sql'
import { click, contextOf, oneOf, send } from '@storeport/testing/clicks'
import { describeDatabases } from '@storeport/testing/stores/describe-databases'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { runSql } from '../run-sql.ts'

const today = '2026-03-10'
const email = 'subscription@example.com'

await describeDatabases('the data about a customer', (database) => {
  /** Opens a store in which the customer has used every operation. */
  async function openUsed(): Promise<SqlStore> {
    const store = await database.open({ today })
    await send(store, click('addProduct', { email, ...oneOf('test_54321'), discount_code: 'TEST10' }))
    await send(store, click('sendNow', { email: email.toUpperCase() }))
    await store.runCustomAction({ email, action_id: 'join_waitlist_product_123' }, contextOf())
    const document = { v: 2, at: 0, clicks: [] }
    await store.ledger.update(`/integration:live:${email}`, () => ({ result: undefined, document }))
    return store
  }

  /** Returns all columns that contain the email, and all tables with a customer's id. */
  async function findPerson(store: SqlStore) {
    return store.database.read(async (db) => {
      const columns: string[] = []
      const owned: string[] = []
      for (const table of await db.introspection.getTables()) {
        if (table.columns.some(({ name }) => name === 'customer_id')) owned.push(table.name)
        for (const { name } of table.columns) {
          // A generated column, which only PostgreSQL lists.
          if (name === 'email_key') continue
          const { rows } = await sql`select 1 from ${sql.table(table.name)} where
            lower(cast(${sql.ref(name)} as text)) like ${`%${email}%`}`.execute(db)
          if (rows.length > 0) columns.push(`${table.name}.${name}`)
        }
      }
      return { columns: columns.toSorted(), owned: owned.toSorted() }
    })
  }

  it('is in known columns, and exported from every table', async () => {
    const store = await openUsed()
    const { columns, owned } = await findPerson(store)
    // A new column with an email must be exported and erased.
    expect(columns).toEqual(['customers.email'])
    const data = await store.exportCustomer(email.toUpperCase())
    expect(Object.keys(data).toSorted()).toEqual([...owned, 'customers'].toSorted())
    for (const [table, rows] of Object.entries(data)) expect([table, rows.length > 0]).toEqual([table, true])
    await expect(store.exportCustomer('nobody@example.com')).rejects.toMatchObject({ code: 'customer_not_found' })
  })

  it('is erased except for the orders, which name no person', async () => {
    const store = await openUsed()
    const other = JSON.stringify(await store.account('another@example.com'))
    const before = await store.orders(email)
    expect(before).toHaveLength(1)
    expect(await store.eraseCustomer(email)).toBe('order_open')
    expect((await store.account(email))?.subscriptions).toHaveLength(2)
    await store.markOrder(before[0]?.id ?? '', 'shipped')
    expect(await store.eraseCustomer(email)).toBe('erased')
    expect((await findPerson(store)).columns).toEqual([])
    expect(await send(store, click('sendNow', { email }))).toBe('customer_not_found')
    await expect(store.eraseCustomer(email)).rejects.toMatchObject({ code: 'customer_not_found' })
    const after = await store.orders()
    expect(after.map(({ id, total_minor }) => [id, total_minor])).toEqual([[before[0]?.id, before[0]?.total_minor]])
    expect(await store.actionsRun()).toEqual([])
    const left = await store.account(after[0]?.email ?? '')
    expect(left?.subscriptions.map(({ status, items }) => [status, items])).toEqual([['cancelled', []]])
    expect(JSON.stringify(await store.account('another@example.com'))).toBe(other)
  })

  it('is erased with an open order if forced, but not during a charge', async () => {
    const store = await openUsed()
    const setCharge = (value: string | null) =>
      runSql(store, sql`update customers set pending_charge = ${value} where email = ${email}`)
    await setCharge('{}')
    expect(await store.eraseCustomer(email, { force: true })).toBe('charge_pending')
    await setCharge(null)
    expect(await store.eraseCustomer(email, { force: true })).toBe('erased')
  })
})
