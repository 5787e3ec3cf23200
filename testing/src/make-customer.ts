import { addDays } from '@storeport/rules'
import type { SqlStore } from '@storeport/store-sql'
import { sql } from 'kysely'

/** How much a customer has. */
export interface AccountSize {
  /** Active subscriptions of two items each. */
  readonly subscriptions: number
  /** Cancelled subscriptions of two items each; default none. */
  readonly cancelled?: number
  /** Orders that were shipped, each with a line. */
  readonly orders: number
}

/** Makes a customer of a SQL store over the seed, whose subscriptions are billed in two to three months. */
export async function makeCustomer(
  { database }: Pick<SqlStore, 'database'>,
  email: string,
  { subscriptions, cancelled = 0, orders }: AccountSize,
  today: string,
): Promise<void> {
  const customer = `customer of ${email}`
  const each = (count: number) => JSON.stringify(Array.from({ length: count }, (_, index) => index + 1))
  const numbers = (count: number) =>
    database.dialect === 'sqlite'
      ? sql`(select value as n from json_each(${each(count)})) as numbers`
      : sql`(select cast(value as integer) as n from json_array_elements_text(cast(${each(count)} as json))) as numbers`
  const named = (kind: string) => sql`${`${kind} of ${email} `} || n`
  await database.transaction(async (db) => {
    await db.insertInto('customers').values({ id: customer, email, last_sent_on: null, last_sent_at: null }).execute()
    for (let number = 1; number <= subscriptions + cancelled; number += 1) {
      const isActive = number <= subscriptions
      const date = isActive ? addDays(today, 60 + (number % 30)) : null
      await sql`
        insert into subscriptions (id, customer_id, title, interval_unit, interval_count, status, next_billing_date,
            cancelled_on, shipping_minor, order_discount_minor, tax_rate)
          values (${`subscription of ${email} ${number}`}, ${customer}, 'Every month', 'month', 1, ${isActive ? 'active' : 'cancelled'},
            ${date}, ${isActive ? null : addDays(today, -1)}, 399, 0, 0.08)`.execute(db)
    }
    for (const [product, position] of [
      ['test_12345', 1],
      ['test_67890', 2],
    ] as const) {
      await sql`
        insert into items (id, subscription_id, product_id, quantity, price_minor, one_time, position)
          select ${named(`item ${position}`)}, ${named('subscription')}, cast(${product} as text), 2, 1995, ${sql.raw(no(database.dialect))},
            cast(${position} as integer)
          from ${numbers(subscriptions + cancelled)}`.execute(db)
    }
    await sql`
      insert into orders (id, customer_id, kind, subscription_id, status, placed_on, items_minor, discount_minor,
          shipping_minor, tax_minor, total_minor)
        select ${named('order')}, cast(${customer} as text), 'subscription', cast(${`subscription of ${email} 1`} as text),
          'shipped', ${sql.raw(`'${addDays(today, -30)}'`)}, 1995, 0, 399, 0, 2394
        from ${numbers(orders)}`.execute(db)
    await sql`
      insert into order_lines (order_id, position, product_id, title, quantity, price_minor, one_time)
        select ${named('order')}, 1, 'test_12345', 'Coffee', 1, 1995, ${sql.raw(no(database.dialect))}
        from ${numbers(orders)}`.execute(db)
  })
}

function no(dialect: SqlStore['database']['dialect']): string {
  return dialect === 'sqlite' ? '0' : 'false'
}
