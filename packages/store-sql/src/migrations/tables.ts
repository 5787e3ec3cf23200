import type { DialectName } from '../db/connections.ts'

/** Returns the statements that create the tables. */
export function createTables(dialect: DialectName): readonly string[] {
  const { key, money, count, date, flag, decimal, json, sequence, lowercase, keyTableOptions, tableOptions } =
    columnsOf(dialect)
  return [
    `create table settings (
      ${key('name')} primary key,
      value text not null
    ) ${keyTableOptions}`,

    `create table products (
      ${key('id')} primary key check (length(id) between 1 and 250 and id not like '%~once'),
      title text not null check (title <> ''),
      ${money('price_minor')} not null,
      ${flag('available')} not null,
      ${json('details')} not null,
      position integer not null
    ) ${keyTableOptions}`,
    `create index products_offered on products (position, id) where available`,

    `create table discounts (
      ${key('code')} primary key check (length(code) between 1 and 255),
      ${key('code_key')} not null unique,
      kind text not null,
      ${decimal('percentage')},
      ${money('amount_minor')},
      ${date('expires_on')},
      ${count('max_uses')} check (max_uses >= 0),
      ${count('uses')} not null default 0 check (uses >= 0),
      check (
        (kind = 'percentage' and percentage > 0 and percentage <= 100 and amount_minor is null) or
        (kind = 'fixed_amount' and amount_minor > 0 and percentage is null)
      )
    ) ${keyTableOptions}`,

    `create table customers (
      ${key('id')} primary key check (length(id) between 1 and 255),
      ${key('email')} not null check (email like '%_@_%' and length(email) <= 254),
      ${lowercase('email_key', 'email')} unique,
      ${date('last_sent_on')},
      ${count('last_sent_at')},
      ${json('recommended')} not null default '[]',
      ${count('last_add')} not null default 0,
      ${count('version')} not null default 0,
      ${json('pending_charge')},
      clicks text
    ) ${keyTableOptions}`,
    `create index pending_charges on customers (id) where pending_charge is not null`,

    `create table subscriptions (
      ${key('id')} primary key check (length(id) between 1 and 255),
      ${key('customer_id')} not null references customers (id) on delete cascade,
      title text not null check (title <> ''),
      interval_unit text not null check (interval_unit in ('day', 'week', 'month')),
      interval_count integer not null check (interval_count >= 1),
      status text not null,
      ${date('next_billing_date')},
      ${date('cancelled_on')},
      anchor_day integer check (anchor_day between 1 and 31),
      ${json('skipped')} not null default '[]',
      ${money('shipping_minor')} not null,
      ${money('order_discount_minor')} not null,
      ${decimal('tax_rate')} not null check (tax_rate >= 0 and tax_rate < 1),
      ${json('items')} not null,
      ${json('declined')},
      ${json('adds')} not null default '[]',
      ${json('discount_uses')} not null default '[]',
      check (
        (status = 'active' and next_billing_date is not null and cancelled_on is null) or
        (status = 'cancelled' and cancelled_on is not null and next_billing_date is null) or
        (status = 'paused' and cancelled_on is null and next_billing_date is null)
      )
    ) ${tableOptions}`,
    `create index subscriptions_of_customer on subscriptions (customer_id, status, next_billing_date, id)`,
    `create index due_subscriptions on subscriptions (next_billing_date, customer_id) where status = 'active'`,
    `create index subscriptions_with_uses on subscriptions (id) where discount_uses <> '[]'`,

    `create table orders (
      ${sequence('number')},
      ${key('id')} not null unique check (length(id) between 1 and 255),
      ${key('customer_id')} not null references customers (id),
      kind text not null check (kind in ('subscription', 'one_off')),
      ${key('subscription_id')} references subscriptions (id),
      status text not null check (status in ('open', 'processing', 'shipped', 'cancelled')),
      ${date('placed_on')} not null,
      ${money('items_minor')} not null,
      ${money('discount_minor')} not null check (discount_minor <= items_minor),
      ${money('shipping_minor')} not null,
      ${money('tax_minor')} not null,
      ${money('total_minor')} not null,
      ${json('lines')} not null,
      payment text,
      ${json('discount_uses')} not null default '[]',
      ${key('added_product_id')},
      ${count('add_number')},
      check ((kind = 'subscription') = (subscription_id is not null)),
      check (total_minor = items_minor - discount_minor + tax_minor + shipping_minor)
    ) ${tableOptions}`,
    `create index orders_of_customer on orders (customer_id, number)`,
    `create index open_orders_of_customer on orders (customer_id, added_product_id, add_number) where status = 'open'`,
    `create index orders_by_status on orders (status, number)`,
    `create index orders_with_uses on orders (number) where discount_uses <> '[]'`,

    `create table actions_run (
      ${sequence('number')},
      ${key('customer_id')} not null references customers (id) on delete cascade,
      action_id text not null,
      ${date('run_on')} not null
    ) ${tableOptions}`,
    `create index actions_run_of_customer on actions_run (customer_id, number)`,

    `create table click_records (
      ${sequence('number')},
      ${key('time')} not null,
      operation text not null,
      email text not null,
      ${key('email_key')} not null,
      ${json('input')} not null,
      status integer not null,
      code text,
      ${flag('repeated')} not null,
      duration_ms integer not null,
      ${key('request_id')} not null,
      key_name text not null
    ) ${tableOptions}`,
    `create index click_records_of_customer on click_records (email_key, time)`,
    `create index click_records_by_time on click_records (time)`,
    `create index click_records_by_request on click_records (request_id)`,

    ...(dialect === 'sqlite' ? [emailIndex, ...sqliteTriggers] : postgresTriggers),
  ]
}

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

/** Returns functions that return column definitions, and table options, for a database. */
function columnsOf(dialect: DialectName) {
  const isSqlite = dialect === 'sqlite'
  const typed = (sqlite: string, postgres: string) => (name: string) => `${name} ${isSqlite ? sqlite : postgres}`
  const count = typed('integer', 'bigint')
  const checked = (type: string, check: (name: string) => string, postgres: string) => (name: string) =>
    `${name} ${isSqlite ? `${type} check (${check(name)})` : postgres}`
  return {
    /** A string key, compared byte by byte. */
    key: typed('text', 'text collate "C"'),
    /** An amount in minor units, never negative. */
    money: (name: string) => `${count(name)} check (${name} >= 0)`,
    count,
    date: checked('text', (name) => `date(${name}) = ${name}`, 'date'),
    flag: checked('integer', (name) => `${name} in (0, 1)`, 'boolean'),
    decimal: typed('real', 'double precision'),
    json: checked('text', (name) => `json_valid(${name})`, 'jsonb'),
    /** An auto-increment primary key. */
    sequence: typed('integer primary key autoincrement', 'bigint generated always as identity primary key'),
    /**
     * A generated column with a lowercase copy of another column. Converts only ASCII letters: a Turkish collation would
     * not convert I to i.
     */
    lowercase: (name: string, of: string) =>
      isSqlite
        ? `${name} text generated always as (lower(${of})) stored`
        : `${name} text collate "C" generated always as (lower(${of} collate "C")) stored`,
    /**
     * Options for a table with short rows and a string key. SQLite stores the rows in the primary key index, which halves
     * the work of a change and makes the file smaller.
     */
    keyTableOptions: isSqlite ? 'strict, without rowid' : '',
    tableOptions: isSqlite ? 'strict' : '',
  }
}
