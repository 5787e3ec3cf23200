import { addDays } from '@storeport/rules'
import type { SqlStore } from '@storeport/store-sql'
import { sql } from 'kysely'

/** Numbers of subscriptions and orders to insert for a customer. */
export interface AccountSize {
  /** Number of active subscriptions, with two items each. */
  readonly subscriptions: number
  /** Number of cancelled subscriptions, with two items each. Default: 0. */
  readonly cancelled?: number
  /** Number of shipped orders, with one line each. */
  readonly orders: number
}

/** Inserts a customer into a SQL store that contains the seed. The subscriptions are billed in two to three months. */
export async function makeCustomer(
  { database }: Pick<SqlStore, 'database'>,
  email: string,
  { subscriptions, cancelled = 0, orders }: AccountSize,
  today: string,
): Promise<void> {
  const customer = `customer of ${email}`
  const items = ['test_12345', 'test_67890'].map((product_id) => ({
    product_id,
    quantity: 2,
    price_minor: 1995,
    one_time: false,
  }))
  const line = { product_id: 'test_12345', title: 'Coffee', quantity: 1, price_minor: 1995, one_time: false }
  const each = JSON.stringify(Array.from({ length: orders }, (_, index) => index + 1))
  const numbers =
    database.dialect === 'sqlite'
      ? sql`(select value as n from json_each(${each})) as numbers`
      : sql`(select cast(value as integer) as n from json_array_elements_text(cast(${each} as json))) as numbers`
  await database.transaction(async (db) => {
    await db.insertInto('customers').values({ id: customer, email, last_sent_on: null, last_sent_at: null }).execute()
    for (let number = 1; number <= subscriptions + cancelled; number += 1) {
      const isActive = number <= subscriptions
      await db
        .insertInto('subscriptions')
        .values({
          id: `subscription of ${email} ${number}`,
          customer_id: customer,
          title: 'Every month',
          interval_unit: 'month',
          interval_count: 1,
          status: isActive ? 'active' : 'cancelled',
          next_billing_date: isActive ? addDays(today, 60 + (number % 30)) : null,
          cancelled_on: isActive ? null : addDays(today, -1),
          shipping_minor: 399,
          order_discount_minor: 0,
          tax_rate: 0.08,
          items: JSON.stringify(
            items.map((item, place) => ({ id: `item ${place + 1} of ${email} ${number}`, ...item })),
          ),
        })
        .execute()
    }
    await sql`
      insert into orders (id, customer_id, kind, subscription_id, status, placed_on, items_minor, discount_minor,
          shipping_minor, tax_minor, total_minor, lines)
        select ${`order of ${email} `} || n, cast(${customer} as text), 'subscription',
          cast(${`subscription of ${email} 1`} as text), 'shipped', ${sql.raw(`'${addDays(today, -30)}'`)}, 1995, 0, 399, 0, 2394,
          ${sql.raw(`'${JSON.stringify([line])}'`)}
        from ${numbers}`.execute(db)
  })
}
