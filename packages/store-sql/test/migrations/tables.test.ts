import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { click, oneOf, send } from '@storeport/testing/clicks'
import { describeDatabases } from '@storeport/testing/stores/describe-databases'

const today = '2026-03-10'

/** Statements that the schema rejects. */
const invalid = [
  `update products set price_minor = -1 where id = 'test_00000'`,
  `update products set title = '' where id = 'test_00000'`,
  `update products set id = 'test_54321' where id = 'test_00000'`,
  `update products set id = '${'x'.repeat(251)}' where id = 'test_00000'`,
  `update products set details = 'none' where id = 'test_00000'`,
  `insert into customers (id, email) values ('two', 'Test@Example.com')`,
  `update subscriptions set customer_id = 'missing'`,
  `update subscriptions set next_billing_date = null where status = 'active'`,
  `update subscriptions set next_billing_date = '2026-02-30' where status = 'active'`,
  `update subscriptions set status = 'ended'`,
  `update subscriptions set status = 'paused'`,
  `update subscriptions set items = 'none'`,
  `update subscriptions set anchor_day = 32`,
  `update products set id = 'x~once' where id = 'test_00000'`,
  `update products set id = 'y' where id = 'test_12345'`,
  `delete from products where id = 'test_12345'`,
  `update discounts set percentage = 101 where kind = 'percentage'`,
  `update discounts set amount_minor = 5 where kind = 'percentage'`,
  `update discounts set uses = -1`,
  `update orders set total_minor = total_minor + 1`,
  `update orders set discount_minor = items_minor + 1, total_minor = total_minor`,
  `update customers set email = 'invalid' where id = (select min(id) from customers)`,
]

await describeDatabases('the schema', (database) => {
  async function open() {
    const store = await database.open({ today })
    return { store, run: (statement: string) => store.database.transaction((db) => sql.raw(statement).execute(db)) }
  }

  it('rejects invalid rows', async () => {
    const { store, run } = await open()
    await send(store, click('addProduct', { email: 'test@example.com', ...oneOf('test_12345') }))
    for (const statement of invalid) await expect(run(statement), statement).rejects.toThrow()
  })

  it('allows updating a subscribed product and deleting an unsubscribed product', async () => {
    const { store, run } = await open()
    await run(`update products set id = id, price_minor = 100 where id = 'test_12345'`)
    await run(`delete from products where id = 'test_00000'`)
    const left = await store.database.read((db) => db.selectFrom('products').select(['id', 'price_minor']).execute())
    expect(left.map(({ id }) => id)).not.toContain('test_00000')
    expect(left).toContainEqual({ id: 'test_12345', price_minor: 100 })
  })
})
