import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { DialectName } from '../db/connections.ts'
import type { Columns } from './column-types.ts'

/**
 * Lays the rows of one customer side by side in a SQLite file: each page of the file that a call has to read costs as much
 * as a tenth of the call. A server keeps its rows as it likes.
 *
 * SQLite can move rows only by making their table anew. Foreign keys must be off, since dropping the old table would
 * otherwise delete whatever refers to it.
 */
export async function layRowsSideBySide(db: Kysely<unknown>, dialect: DialectName, columns: Columns): Promise<void> {
  if (dialect === 'postgres') return
  for (const statement of statements(columns)) await sql.raw(statement).execute(db)
}

function statements({ key, money, count, date, flag, decimal, end }: Columns): readonly string[] {
  return [
    `create table new_subscriptions (
      ${key('id')} not null check (length(id) between 1 and 255),
      ${key('customer_id')} not null references customers (id) on delete cascade,
      title text not null check (title <> ''),
      interval_unit text not null check (interval_unit in ('day', 'week', 'month')),
      interval_count integer not null check (interval_count >= 1),
      status text not null,
      ${date('next_billing_date')},
      ${date('cancelled_on')},
      ${money('shipping_minor')} not null,
      ${money('order_discount_minor')} not null,
      ${decimal('tax_rate')} not null check (tax_rate >= 0),
      check (
        (status = 'active' and next_billing_date is not null and cancelled_on is null) or
        (status = 'cancelled' and cancelled_on is not null and next_billing_date is null)
      ),
      primary key (customer_id, id)
    ) ${end}`,
    ...replace('subscriptions', 'customer_id, id', [
      'id',
      'customer_id',
      'title',
      'interval_unit',
      'interval_count',
      'status',
      'next_billing_date',
      'cancelled_on',
      'shipping_minor',
      'order_discount_minor',
      'tax_rate',
    ]),
    `create unique index subscription_by_id on subscriptions (id)`,
    `create index due_subscriptions on subscriptions (next_billing_date, customer_id) where status = 'active'`,

    // The key is what a subscription has once anyway, so that two indexes are less to write.
    `create table new_items (
      ${key('id')} not null check (length(id) between 1 and 255),
      ${key('subscription_id')} not null references subscriptions (id) on delete cascade,
      ${key('product_id')} not null references products (id),
      ${count('quantity')} not null check (quantity >= 1),
      ${money('price_minor')} not null,
      ${flag('one_time')} not null,
      position integer not null,
      primary key (subscription_id, product_id, one_time)
    ) ${end}`,
    ...replace('items', 'subscription_id, product_id, one_time', [
      'id',
      'subscription_id',
      'product_id',
      'quantity',
      'price_minor',
      'one_time',
      'position',
    ]),
    `create unique index item_by_id on items (id)`,

    // An index with the email itself holds all that a read needs of a customer; one with a generated column never does.
    `create unique index customer_by_email on customers (email collate nocase)`,
  ]
}

/** Moves the rows of a table into the new one, which takes its name. */
function replace(table: string, order: string, names: readonly string[]): readonly string[] {
  const list = names.join(', ')
  return [
    `insert into new_${table} (${list}) select ${list} from ${table} order by ${order}`,
    `drop table ${table}`,
    `alter table new_${table} rename to ${table}`,
  ]
}
