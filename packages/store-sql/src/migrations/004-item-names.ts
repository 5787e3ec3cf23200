import { type Kysely, sql } from 'kysely'
import type { DialectName } from '../db/connections.ts'
import type { Columns } from './column-types.ts'

/**
 * An item is named by its product: at most one recurring and one one-time line of a product in a subscription, and no
 * product id that names a one-time line itself or leaves no room for it. Returns what was joined, and what stays.
 */
export async function nameItemsByProduct(
  db: Kysely<unknown>,
  dialect: DialectName,
  { key, end }: Columns,
): Promise<readonly string[]> {
  // Every change of an account changes the row of its customer first: with this lock no other transaction changes items.
  if (dialect === 'postgres') await sql`lock table customers in exclusive mode`.execute(db)
  const notices = [...(await joinTwins(db)), ...(await findUnusableProducts(db))]
  const statements = [
    `create unique index item_of_product on items (subscription_id, product_id, one_time)`,
    ...(dialect === 'sqlite' ? sqliteTriggers : postgresTriggers),
    `create index due_subscriptions on subscriptions (next_billing_date, customer_id) where status = 'active'`,
    `create table settings (
      ${key('name')} primary key,
      value text not null
    ) ${end}`,
    // Amounts that are there already were US dollars: there was nothing else.
    `insert into settings (name, value)
      select 'currency', 'USD'
      where exists (select 1 from products) or exists (select 1 from discounts) or exists (select 1 from customers)`,
  ]
  for (const statement of statements) await sql.raw(statement).execute(db)
  return notices
}

interface Line {
  readonly id: string
  readonly subscription_id: string
  readonly product_id: string
  readonly quantity: number
  readonly price_minor: number
  readonly one_time: boolean | number
}

/** Joins the lines of a product into the first of them; adds that can be undone and uses of codes follow. */
async function joinTwins(db: Kysely<unknown>): Promise<readonly string[]> {
  const { rows } = await sql<Line>`
    select items.id, subscription_id, product_id, quantity, price_minor, one_time from items
    join (
      select subscription_id, product_id, one_time from items
      group by subscription_id, product_id, one_time having count(*) > 1
    ) twins using (subscription_id, product_id, one_time)
    order by subscription_id, product_id, one_time, position, items.id`.execute(db)
  const groups = new Map<string, Line[]>()
  for (const line of rows) {
    const group = JSON.stringify([line.subscription_id, line.product_id, Boolean(line.one_time)])
    groups.set(group, [...(groups.get(group) ?? []), line])
  }
  const notices: string[] = []
  for (const [kept, ...gone] of groups.values()) if (kept !== undefined) notices.push(await join(db, kept, gone))
  return notices
}

async function join(db: Kysely<unknown>, kept: Line, gone: readonly Line[]): Promise<string> {
  const all = [kept, ...gone]
  const quantity = all.reduce((sum, line) => sum + line.quantity, 0)
  const price = Math.min(...all.map((line) => line.price_minor))
  const ids = sql.join(gone.map(({ id }) => id))
  await sql`update open_adds set item_id = ${kept.id} where item_id in (${ids})`.execute(db)
  await sql`update discount_uses set item_id = ${kept.id} where item_id in (${ids})`.execute(db)
  await sql`delete from items where id in (${ids})`.execute(db)
  await sql`update items set quantity = ${quantity}, price_minor = ${price} where id = ${kept.id}`.execute(db)
  const kind = kept.one_time ? 'one-time' : 'recurring'
  return (
    `Subscription ${kept.subscription_id} had ${all.length} ${kind} lines of product ${kept.product_id} ` +
    `(${all.map((line) => `${line.id}: ${line.quantity} at ${line.price_minor}`).join(', ')} minor units). ` +
    `They are one line now, ${kept.id}: ${quantity} at ${price}, the lowest price.`
  )
}

/** The products whose ids would be refused today. */
async function findUnusableProducts(db: Kysely<unknown>): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from products where ${sql.raw(isUnusable('products'))} order by id`.execute(db)
  return rows.map(
    ({ id }) =>
      `Product ${id} stays, but cannot be added for one order only: ` +
      'the id of a product must not end in ~once, which names one-time lines, and must be at most 250 characters.',
  )
}

function isUnusable(row: string): string {
  return `(length(${row}.id) > 250 or substr(${row}.id, length(${row}.id) - 4) = '~once')`
}

const refusal = 'products.id: must not end in ~once, which names one-time lines, and must be at most 250 characters'

// A product that is there already may be changed, also by an `insert … on conflict do update`.
const sqliteTriggers = [
  `create trigger products_inserted before insert on products
    when ${isUnusable('new')} and not exists (select 1 from products where id = new.id)
    begin select raise(abort, '${refusal}'); end`,
  `create trigger products_renamed before update of id on products
    when ${isUnusable('new')} and new.id <> old.id
    begin select raise(abort, '${refusal}'); end`,
]

const postgresTriggers = [
  `create function refuse_product_id() returns trigger language plpgsql as $$
    declare is_known boolean;
    begin
      execute format('select exists (select 1 from %I.%I where id = $1)', tg_table_schema, tg_table_name)
        into is_known using new.id;
      if not is_known then
        raise exception using errcode = 'check_violation', message = '${refusal}';
      end if;
      return new;
    end $$`,
  `create trigger products_inserted before insert on products for each row
    when ${isUnusable('new')} execute function refuse_product_id()`,
  `create trigger products_renamed before update of id on products for each row
    when (new.id <> old.id and ${isUnusable('new')}) execute function refuse_product_id()`,
]
