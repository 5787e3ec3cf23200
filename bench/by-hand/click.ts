import { hash } from 'node:crypto'
import Database from 'libsql'
import pg from 'pg'

/* Hand-written SQL for `addProduct` clicks on the tables of the SQL store. A repeat changes nothing. */

/** Body of POST add-product, without optional fields. */
export interface AddInput {
  readonly email: string
  readonly product_id: string
  readonly quantity: number
}

/** Adds a product in one transaction. */
export type AddByHand = (input: AddInput) => Promise<void>

/** A row of the query `find`. PostgreSQL returns some integers as strings, and JSON as parsed values. */
interface Found {
  readonly customer_id: string
  readonly last_add: string | number
  readonly price_minor: string | number | null
  readonly available: number | boolean | null
  readonly subscription_id: string | null
  readonly items: string | readonly Item[]
  readonly adds: string | readonly object[]
}

interface Item {
  readonly id: string
  readonly product_id: string
  readonly quantity: number
  readonly price_minor: number
  readonly one_time: boolean
}

const createTable = `
  create table if not exists clicks_by_hand (id text not null primary key, customer text not null,
    ordinal bigint not null, until bigint not null, expires_at bigint not null);
  create index if not exists clicks_by_hand_of_customer on clicks_by_hand (customer, ordinal);
  create index if not exists clicks_by_hand_by_expiry on clicks_by_hand (expires_at)`

/** Stores a click. A repeat, which is the same click within 10 s and directly after the first, changes no row. */
const keepClick = `
  insert into clicks_by_hand (id, customer, ordinal, until, expires_at)
    select $1, $2, 1 + coalesce(max(ordinal), 0), cast($3 as bigint) + 10000, cast($3 as bigint) + 600000
    from clicks_by_hand where customer = $2
  on conflict (id) do update set ordinal = excluded.ordinal, until = excluded.until, expires_at = excluded.expires_at
    where clicks_by_hand.until <= cast($3 as bigint)
      or exists (select 1 from clicks_by_hand as later where later.customer = $2 and later.ordinal > clicks_by_hand.ordinal)`

const find = `
  select customers.id as customer_id, customers.last_add, products.price_minor, products.available,
      subscriptions.id as subscription_id, subscriptions.items, subscriptions.adds
    from customers
    left join products on products.id = $2
    left join subscriptions on subscriptions.id = (
      select id from subscriptions where customer_id = customers.id and status = 'active'
      order by next_billing_date, id limit 1)
    where customers.email_key = $1`

const writeSubscription = `update subscriptions set items = $1, adds = $2 where id = $3`
const writeCustomer = `update customers set last_add = $1 where id = $2`

/** Opens the database of a SQL store for hand-written clicks. */
export async function openByHand(url: string): Promise<AddByHand> {
  return url.startsWith('sqlite:') ? openSqlite(url.slice('sqlite:'.length)) : openPostgres(url)
}

function openSqlite(file: string): AddByHand {
  const database = new Database(file, { timeout: 5000 })
  // Uses the same settings as the SQL store.
  database.exec(
    'pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on; pragma cache_size = -16000',
  )
  database.exec(createTable)
  const prepare = (sql: string) => database.prepare(sql.replaceAll('$', '?'))
  const [keep, read] = [prepare(keepClick), prepare(find)]
  const [updateSubscription, updateCustomer] = [prepare(writeSubscription), prepare(writeCustomer)]
  return async (input) => {
    database.exec('begin immediate')
    try {
      const isNew = keep.run(...clickOf(input)).changes > 0
      if (isNew) {
        const [row] = read.all(input.email.toLowerCase(), input.product_id)
        // oxlint-disable-next-line typescript/consistent-type-assertions -- the columns are those of the statement
        const { subscription, customer } = addToItem(row as Found | undefined, input)
        updateSubscription.run(...subscription)
        updateCustomer.run(...customer)
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
  // Updates both rows in one statement, to save a round trip.
  const write = `with subscription as (${writeSubscription})
    ${writeCustomer.replaceAll(/\$(\d)/g, (_, place) => `$${Number(place) + 3}`)}`
  return async (input) => {
    const email = input.email.toLowerCase()
    const client = await pool.connect()
    try {
      await client.query('begin')
      // Locks the row in a separate statement, because a statement that waits for a lock can read outdated rows.
      const lock = 'update customers set version = version + 1 where email_key = $1'
      await client.query({ name: 'lock', text: lock, values: [email] })
      const kept = await client.query({ name: 'keep', text: keepClick, values: [...clickOf(input)] })
      const isNew = kept.rowCount === 1
      if (isNew) {
        const { rows } = await client.query<Found>({ name: 'find', text: find, values: [email, input.product_id] })
        const { subscription, customer } = addToItem(rows[0], input)
        await client.query({ name: 'write', text: write, values: [...subscription, ...customer] })
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

/** Returns the parameters of `keepClick`: the digests of the click and the customer, and the current time. */
function clickOf({ email, product_id, quantity }: AddInput): readonly [string, string, number] {
  const customer = email.toLowerCase()
  return [hash('sha256', JSON.stringify([customer, product_id, quantity])), hash('sha256', customer), Date.now()]
}

/** Adds the product to the found row, and returns the parameters of `writeSubscription` and `writeCustomer`. */
function addToItem(found: Found | undefined, { product_id, quantity }: AddInput) {
  if (found === undefined || !found.available) throw new Error('The customer or product does not exist.')
  if (found.subscription_id === null) throw new Error('The customer has no active subscription.')
  const items: Item[] = [...parse(found.items)]
  const place = items.findIndex((item) => item.product_id === product_id && !item.one_time)
  const item = items[place] ?? {
    id: `item_${crypto.randomUUID()}`,
    product_id,
    quantity: 0,
    price_minor: Number(found.price_minor),
    one_time: false,
  }
  const grown = { ...item, quantity: item.quantity + quantity }
  if (place < 0) items.push(grown)
  else items[place] = grown
  const number = Number(found.last_add) + 1
  const add = {
    id: `add_${crypto.randomUUID()}`,
    product_id,
    quantity,
    item_id: item.id,
    discount_use_id: null,
    number,
  }
  return {
    subscription: [JSON.stringify(items), JSON.stringify([...parse(found.adds), add]), found.subscription_id],
    customer: [number, found.customer_id],
  }
}

function parse<Value>(json: string | Value): Value {
  return typeof json === 'string' ? JSON.parse(json) : json
}
