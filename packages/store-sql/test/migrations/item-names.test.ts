import { openSqlStore, type SqlStore } from '@storeport/store-sql'
import { expectSoundAccount } from '@storeport/testing/account-invariants'
import { click, oneOf, send } from '@storeport/testing/clicks'
import { describeDatabases } from '@storeport/testing/describe-databases'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { columns } from '../../src/columns.ts'
import { createFromFixture, readTables, type Row } from '../fixtures/create-from-fixture.ts'

const today = '2026-03-10'
const email = 'subscription@example.com'
const customers = [email, 'test@example.com', 'cancelled@example.com', 'another@example.com']
const longId = `long_${'x'.repeat(250)}`

/** What became of the items that were joined, by the item that they had been. */
const joined = new Map([
  ['twin_1', 'item_3'],
  ['twin_2', 'item_3'],
  ['once_2', 'once_1'],
  ['old_1', 'item_6'],
])

/** The items that others were joined to. */
const grown: Readonly<Record<string, object>> = {
  item_3: { quantity: 3 + 3 + 1, price_minor: 4500, position: 1 },
  once_1: { quantity: 2 + 1, price_minor: 1795, position: 9 },
  item_6: { quantity: 1 + 2, price_minor: 4995, position: 1 },
}

/** The row as it is after the migration, and `undefined` for one that was joined to another. */
function migrated(table: string, row: Row): Row | undefined {
  const id = String(row['id'])
  if (table === 'customers') return { ...row, last_sent_at: null }
  if (table === 'items') return joined.has(id) ? undefined : { ...row, ...grown[id] }
  const item = joined.get(String(row['item_id']))
  return item === undefined ? row : { ...row, item_id: item }
}

await describeDatabases('a database of the version before items were named by their products', (database) => {
  async function createOld() {
    const url = await createFromFixture(database, 'after-003-retries')
    const notices: string[] = []
    const open = () => openSqlStore({ url, today, onNotice: (notice) => notices.push(notice) })
    return { url, notices, open }
  }

  it('opens, keeps every row, and joins the lines of one product', async () => {
    const { url, open } = await createOld()
    const before = await readTables(url, Object.keys(columns))
    await (await open()).close()
    const after = await readTables(url, Object.keys(columns))

    expect(Object.keys(columns).filter((table) => before[table] === undefined)).toEqual(['clicks', 'settings'])
    for (const [table, rows] of Object.entries(before)) {
      expect(rows.length).toBeGreaterThan(0)
      const expected = rows.flatMap((row) => migrated(table, row) ?? [])
      expect([table, expected.length]).toEqual([table, rows.length - (table === 'items' ? joined.size : 0)])
      expect(new Set(after[table])).toEqual(new Set(expected))
    }
    expect(after['settings']).toEqual([{ name: 'currency', value: 'USD' }])
  })

  it('says what it joined, and what stays though it would be refused today, once', async () => {
    const { notices, open } = await createOld()
    await (await open()).close()
    expect(notices).toEqual([
      'Subscription sub_1002 had 2 one-time lines of product test_12345 (once_1: 2 at 1995, once_2: 1 at 1795 minor units). They are one line now, once_1: 3 at 1795, the lowest price.',
      'Subscription sub_1002 had 3 recurring lines of product test_54321 (item_3: 3 at 4995, twin_1: 3 at 4500, twin_2: 1 at 5100 minor units). They are one line now, item_3: 7 at 4500, the lowest price.',
      'Subscription sub_2001 had 2 recurring lines of product test_54321 (item_6: 1 at 4995, old_1: 2 at 4995 minor units). They are one line now, item_6: 3 at 4995, the lowest price.',
      `Product legacy~once stays, but cannot be added for one order only: the id of a product must not end in ~once, which names one-time lines, and must be at most 250 characters.`,
      `Product ${longId} stays, but cannot be added for one order only: the id of a product must not end in ~once, which names one-time lines, and must be at most 250 characters.`,
    ])
    await (await open()).close()
    expect(notices).toHaveLength(5)
  })

  it('is brought up to date once when several open it at the same moment', async () => {
    const { notices, open } = await createOld()
    const stores = await Promise.all([open(), open(), open()])
    expect(notices).toHaveLength(5)
    await Promise.all(stores.map((store) => store.close()))
  })

  it('has sound accounts, in which every add can be taken back', async () => {
    const { open } = await createOld()
    const store = await open()
    for (const customer of customers) expectSoundAccount(await accountOf(store, customer))
    const quantities = async () => {
      const { subscriptions } = await accountOf(store, email)
      const items = subscriptions.flatMap((subscription) => (subscription.id === 'sub_1002' ? subscription.items : []))
      return Object.fromEntries(items.map(({ id, quantity }) => [id, quantity]))
    }
    const undo = (product_id: string) => send(store, click('undoAddProduct', { email, product_id }))
    expect(await quantities()).toMatchObject({ item_3: 7, once_1: 3 })
    expect(await undo('test_12345')).toBe('done')
    expect(await quantities()).toMatchObject({ item_3: 7, once_1: 2 })
    expect(await undo('test_12345')).toBe('product_not_in_order')
    // The twin's add, which came last, then the one of the item itself.
    expect(await undo('test_54321')).toBe('done')
    expect(await quantities()).toMatchObject({ item_3: 5 })
    expect(await undo('test_54321')).toBe('done')
    expect(await quantities()).toMatchObject({ item_3: 3 })
    expect(await undo('test_54321')).toBe('product_not_in_order')
    expect((await accountOf(store, email)).discount_uses.map(({ code }) => code)).toEqual(['FIVEOFF'])
    await store.close()
  })

  it('lets a product stay whose id would be refused today: it is changed and added as before', async () => {
    const { open } = await createOld()
    const store = await open()
    await store.database.transaction(async (db) => {
      for (const id of ['legacy~once', longId]) {
        await sql`insert into products (id, title, price_minor, images, available, position)
          values (${id}, 'Anew', 100, '[]', ${true}, 1)
          on conflict (id) do update set title = excluded.title`.execute(db)
        await sql`update products set id = id, price_minor = 200 where id = ${id}`.execute(db)
      }
    })
    for (const id of ['legacy~once', longId]) {
      expect(await send(store, click('addProduct', { email, ...oneOf(id) }))).toBe('done')
    }
    await store.close()
  })
})

async function accountOf(store: SqlStore, customer: string) {
  const account = await store.account(customer)
  if (account === undefined) throw new Error('A customer is lost.')
  return account
}
