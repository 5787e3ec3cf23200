import { hash } from 'node:crypto'
import Database from 'libsql'
import pg from 'pg'

/* A click in hand-written SQL, over the tables of the SQL store: it adds a product once, or changes nothing for a repeat. */

/** Body of POST add-product, without optional fields. */
export interface AddInput {
  readonly email: string
  readonly product_id: string
  readonly quantity: number
}

/** Adds a product in one transaction. */
export type AddByHand = (input: AddInput) => Promise<void>

/** A row of `find`; PostgreSQL returns some whole numbers as strings. */
type Found = Readonly<Record<string, string | number | boolean | null>>

const createTable = `
  create table if not exists clicks_by_hand (id text not null primary key, customer text not null,
    ordinal bigint not null, until bigint not null, expires_at bigint not null);
  create index if not exists clicks_by_hand_of_customer on clicks_by_hand (customer, ordinal);
  create index if not exists clicks_by_hand_by_expiry on clicks_by_hand (expires_at)`

/** Changes no row if this is a repeat: within 10 s, and without another click of the customer after the first. */
const keepClick = `
  insert into clicks_by_hand (id, customer, ordinal, until, expires_at)
    select $1, $2, 1 + coalesce(max(ordinal), 0), cast($3 as bigint) + 10000, cast($3 as bigint) + 600000
    from clicks_by_hand where customer = $2
  on conflict (id) do update set ordinal = excluded.ordinal, until = excluded.until, expires_at = excluded.expires_at
    where clicks_by_hand.until <= cast($3 as bigint)
      or exists (select 1 from clicks_by_hand as later where later.customer = $2 and later.ordinal > clicks_by_hand.ordinal)`

const find = `
  select customers.id as customer_id, products.price_minor, products.available, subscriptions.id as subscription_id,
      items.id as item_id, items.quantity, items.price_minor as item_price_minor, items.position as item_position,
      (select coalesce(max(position), 0) from items where subscription_id = subscriptions.id) as last_item,
      (select coalesce(max(position), 0) from open_adds where customer_id = customers.id) as last_add
    from customers
    left join products on products.id = $2
    left join subscriptions on subscriptions.id = (
      select id from subscriptions where customer_id = customers.id and status = 'active'
      order by next_billing_date, id limit 1)
    left join items on items.subscription_id = subscriptions.id and items.product_id = $2 and items.one_time = false
    where customers.email_key = $1`

const writeItem = `
  insert into items (id, subscription_id, product_id, quantity, price_minor, position, one_time)
    values ($1, $2, $3, $4, $5, $6, false) on conflict (id) do update set quantity = excluded.quantity`

const writeAdd = `
  insert into open_adds (id, customer_id, product_id, quantity, subscription_id, item_id, position)
    values ($1, $2, $3, $4, $5, $6, $7)`

/** Opens a database of a SQL store. */
export async function openByHand(url: string): Promise<AddByHand> {
  return url.startsWith('sqlite:') ? openSqlite(url.slice('sqlite:'.length)) : openPostgres(url)
}

function openSqlite(file: string): AddByHand {
  const database = new Database(file, { timeout: 5000 })
  // The settings of the SQL store.
  database.exec(
    'pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on; pragma cache_size = -16000',
  )
  database.exec(createTable)
  const prepare = (sql: string) => database.prepare(sql.replaceAll('$', '?'))
  const [keep, read, insertItem, insertAdd] = [prepare(keepClick), prepare(find), prepare(writeItem), prepare(writeAdd)]
  return async (input) => {
    database.exec('begin immediate')
    try {
      const isNew = keep.run(...clickOf(input)).changes > 0
      if (isNew) {
        const [row] = read.all(input.email.toLowerCase(), input.product_id)
        // oxlint-disable-next-line typescript/consistent-type-assertions -- the columns are those of the statement
        const { item, add } = addToItem(row as Found | undefined, input)
        insertItem.run(...item)
        insertAdd.run(...add)
      }
      database.exec(isNew ? 'commit' : 'rollback')
    } catch (error) {
      if (database.inTransaction) database.exec('rollback')
      throw error
    }
  }
}

async function openPostgres(url: string): Promise<AddByHand> {
  const pool = new pg.Pool({ connectionString: url, application_name: 'by hand' })
  await pool.query(createTable)
  // One statement for both rows.
  const write = `with item as (${writeItem}) ${writeAdd.replaceAll(/\$(\d)/g, (_, place) => `$${Number(place) + 6}`)}`
  return async (input) => {
    const email = input.email.toLowerCase()
    const client = await pool.connect()
    try {
      await client.query('begin')
      // A separate statement: one that waits for a lock reads rows as they were before the wait.
      const lock = 'update customers set version = version + 1 where email_key = $1'
      await client.query({ name: 'lock', text: lock, values: [email] })
      const kept = await client.query({ name: 'keep', text: keepClick, values: [...clickOf(input)] })
      const isNew = kept.rowCount === 1
      if (isNew) {
        const { rows } = await client.query<Found>({ name: 'find', text: find, values: [email, input.product_id] })
        const { item, add } = addToItem(rows[0], input)
        await client.query({ name: 'write', text: write, values: [...item, ...add] })
      }
      await client.query(isNew ? 'commit' : 'rollback')
    } catch (error) {
      await client.query('rollback')
      throw error
    } finally {
      client.release()
    }
  }
}

/** The digest of the click, the digest of the customer, and the time. */
function clickOf({ email, product_id, quantity }: AddInput): readonly [string, string, number] {
  const customer = email.toLowerCase()
  return [hash('sha256', JSON.stringify([customer, product_id, quantity])), hash('sha256', customer), Date.now()]
}

/** Returns the values of the item and of the add. */
function addToItem(found: Found | undefined, { product_id, quantity }: AddInput) {
  if (found?.['available'] !== true && found?.['available'] !== 1) throw new Error('no such customer or product')
  const { customer_id, subscription_id, price_minor, item_id, item_price_minor, item_position, last_item, last_add } =
    found
  if (subscription_id === null) throw new Error('no active subscription')
  const item = item_id ?? `item_${crypto.randomUUID()}`
  const total = Number(found['quantity'] ?? 0) + quantity
  const price = Number(item_price_minor ?? price_minor)
  const position = Number(item_position ?? Number(last_item) + 1)
  return {
    item: [item, subscription_id, product_id, total, price, position],
    add: [`add_${crypto.randomUUID()}`, customer_id, product_id, quantity, subscription_id, item, Number(last_add) + 1],
  }
}
