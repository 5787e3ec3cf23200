import type { DialectName } from '../db/connections.ts'
import { defineTables } from '../db/tables.ts'

/**
 * Tables with short rows and a string key. SQLite stores the rows in the primary key index, which halves the work of a
 * change and makes the file smaller.
 */
const keyTables = new Set(['settings', 'products', 'discounts', 'customers'])

/** Returns the statements that create the tables. */
export function createTables(dialect: DialectName): readonly string[] {
  const isSqlite = dialect === 'sqlite'
  const tables = Object.entries(defineTables(isSqlite)).map(([table, columns]) => {
    const definitions = Object.entries(columns).map(([name, { sql }]) => `${name} ${sql.replaceAll('$', name)}`)
    const options = !isSqlite ? '' : keyTables.has(table) ? 'strict, without rowid' : 'strict'
    return `create table ${table} (${definitions.join(', ')}) ${options}`
  })
  return [...tables, ...indexes, ...(isSqlite ? [emailIndex, ...sqliteTriggers] : postgresTriggers)]
}

const indexes = [
  ['products_offered', 'products (position, id) where available'],
  ['pending_charges', 'customers (id) where pending_charge is not null'],
  ['subscriptions_of_customer', 'subscriptions (customer_id, status, next_billing_date, id)'],
  ['due_subscriptions', `subscriptions (next_billing_date, customer_id) where status = 'active'`],
  ['subscriptions_with_uses', `subscriptions (id) where discount_uses <> '[]'`],
  ['orders_of_customer', 'orders (customer_id, number)'],
  ['open_orders_of_customer', `orders (customer_id, added_product_id, add_number) where status = 'open'`],
  ['orders_by_status', 'orders (status, number)'],
  ['orders_with_uses', `orders (number) where discount_uses <> '[]'`],
  ['actions_run_of_customer', 'actions_run (customer_id, number)'],
  ['click_records_of_customer', 'click_records (email_key, time)'],
  ['click_records_by_time', 'click_records (time)'],
  ['click_records_by_request', 'click_records (request_id)'],
].map(([name, columns]) => `create index ${name} on ${columns}`)

/** Covering index to find a customer. SQLite never uses an index on the generated `email_key` as a covering index. */
const emailIndex = `create unique index customer_by_email on customers (email collate nocase)`

const held = 'products: a subscription has the product: set available to false instead'

const isHeld = `exists (select 1 from subscriptions, json_each(subscriptions.items) as item
      where item.value ->> 'product_id' = old.id)`
const sqliteTriggers = [
  `create trigger products_deleted before delete on products
    when ${isHeld} begin select raise(abort, '${held}'); end`,
  `create trigger products_renamed before update of id on products
    when new.id <> old.id and ${isHeld} begin select raise(abort, '${held}'); end`,
]

const postgresTriggers = [
  `create function keep_held_product() returns trigger language plpgsql as $$
    declare is_held boolean;
    begin
      if tg_op = 'UPDATE' and new.id = old.id then
        return new;
      end if;
      execute format('select exists (select 1 from %I.subscriptions where items @> $1)', tg_table_schema)
        into is_held using jsonb_build_array(jsonb_build_object('product_id', old.id));
      if is_held then
        raise exception using errcode = 'check_violation', message = '${held}';
      end if;
      if tg_op = 'DELETE' then
        return old;
      end if;
      return new;
    end $$`,
  `create trigger products_held before delete or update of id on products for each row execute function keep_held_product()`,
]
