import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { click, oneOf, send } from '@storeport/testing/clicks'
import { describeDatabases } from '@storeport/testing/stores/describe-databases'

const today = '2026-03-10'

const visitor = { email: 'test@example.com' }

await describeDatabases('the schema', (database) => {
  it.each([
    ['a negative price', `update products set price_minor = -1 where id = 'test_00000'`],
    ['a product without a title', `update products set title = '' where id = 'test_00000'`],
    ['the id of another product', `update products set id = 'test_54321' where id = 'test_00000'`],
    [
      'an id that leaves no room for the suffix',
      `update products set id = '${'x'.repeat(251)}' where id = 'test_00000'`,
    ],
    ['details that are not JSON', `update products set details = 'none' where id = 'test_00000'`],
    ['an email in another letter case', `insert into customers (id, email) values ('two', 'Test@Example.com')`],
    ['a subscription whose customer does not exist', `update subscriptions set customer_id = 'missing'`],
    [
      'an active subscription without a billing date',
      `update subscriptions set next_billing_date = null where status = 'active'`,
    ],
    ['a date that does not exist', `update subscriptions set next_billing_date = '2026-02-30' where status = 'active'`],
    ['an unknown status', `update subscriptions set status = 'ended'`],
    ['a paused subscription with a billing date', `update subscriptions set status = 'paused'`],
    ['items that are not JSON', `update subscriptions set items = 'none'`],
    ['an anchor day of 32', `update subscriptions set anchor_day = 32`],
    [
      'changing a product id to end with the one-time suffix',
      `update products set id = 'x~once' where id = 'test_00000'`,
    ],
    ["changing a subscribed product's id", `update products set id = 'y' where id = 'test_12345'`],
    ['deleting a subscribed product', `delete from products where id = 'test_12345'`],
    ['a percentage over 100', `update discounts set percentage = 101 where kind = 'percentage'`],
    [
      'a discount with both a percentage and an amount',
      `update discounts set amount_minor = 5 where kind = 'percentage'`,
    ],
    ['a discount code with a negative number of uses', `update discounts set uses = -1`],
    ['an order with an invalid total', `update orders set total_minor = total_minor + 1`],
    [
      'an order with a discount greater than its item total',
      `update orders set discount_minor = items_minor + 1, total_minor = total_minor`,
    ],
    ['an invalid email', `update customers set email = 'invalid' where id = (select min(id) from customers)`],
  ])('rejects %s', async (_, statement) => {
    const store = await database.open({ today })
    await send(store, click('addProduct', { ...visitor, ...oneOf('test_12345') }))
    await expect(store.database.transaction((db) => sql.raw(statement).execute(db))).rejects.toThrow()
  })

  it('allows updating a subscribed product and deleting an unsubscribed product', async () => {
    const { database: opened } = await database.open({ today })
    const run = (statement: string) => opened.transaction((db) => sql.raw(statement).execute(db))
    await run(`update products set id = id, price_minor = 100 where id = 'test_12345'`)
    await run(`delete from products where id = 'test_00000'`)
    const left = await opened.read((db) => db.selectFrom('products').select(['id', 'price_minor']).execute())
    expect(left.map(({ id }) => id)).not.toContain('test_00000')
    expect(left).toContainEqual({ id: 'test_12345', price_minor: 100 })
  })
})
