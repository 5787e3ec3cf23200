import { hash } from 'node:crypto'
import Database from 'libsql'
import pg from 'pg'
import { firstDay } from '../shop.ts'
import { addToItem, findStatement, type Found } from './add-to-item.ts'
import type { AddByHand, AddInput } from './contract.ts'

/* Runs `addProduct` clicks with hand-written SQL on the tables of the SQL store. A repeated click changes nothing. */

/** Time during which a repeated click is ignored, and minimum storage time of a click, in milliseconds. */
const windowMs = 10_000
const retainMs = 60_000

/** A customer's stored clicks. The numbers define the sequence of the customer's changes. */
interface Clicks {
  readonly v: 1
  readonly lastNumber: number
  readonly lastChange: number
  readonly lastDropped: number
  readonly instances: readonly Click[]
}

interface Click {
  readonly key: string
  readonly fingerprint: string
  readonly firstAt: number
  readonly openAttempts: readonly never[]
  readonly succeeded: {
    readonly number: number
    readonly by: string
    readonly at: number
    readonly isReported: true
    readonly windowMs: number
  }
}

const writeSubscription = `update subscriptions set items = $1, adds = $2 where id = $3`
const writeCustomer = `update customers set last_add = $1 where id = $2`
const writeClicks = `insert into clicks (id, version, document, expires_at) values ($1, $2, $3, $4)
  on conflict (id) do update set version = excluded.version, document = excluded.document, expires_at = excluded.expires_at`

/** Opens the database of a SQL store. Returns a function that runs a click with hand-written SQL. */
export async function openByHand(url: string): Promise<AddByHand> {
  return url.startsWith('sqlite:') ? openSqlite(url.slice('sqlite:'.length)) : openPostgres(url)
}

function openSqlite(file: string): AddByHand {
  const database = new Database(file, { timeout: 5000 })
  // Uses the same settings as the SQL store.
  database.exec(
    'pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on; pragma cache_size = -16000; pragma mmap_size = 0',
  )
  const prepare = (sql: string) => database.prepare(sql.replaceAll('$', '?'))
  const read = prepare(findStatement('sqlite'))
  const [keep, updateSubscription, updateCustomer] = [
    prepare(writeClicks),
    prepare(writeSubscription),
    prepare(writeCustomer),
  ]
  return async (input) => {
    const click = clickOf(input)
    database.exec('begin immediate')
    try {
      const row: unknown = read.get(click.email, input.product_id, click.customer)
      // oxlint-disable-next-line typescript/consistent-type-assertions -- the columns are those of the statement
      const found = row as Found | undefined
      const kept = keepClick(found, click, Date.now())
      if (kept !== undefined) {
        const { subscription, customer } = addToItem(found, input, firstDay)
        updateSubscription.run(...subscription)
        updateCustomer.run(...customer)
        keep.run(...kept)
      }
      database.exec(kept === undefined ? 'rollback' : 'commit')
    } catch (error) {
      if (database.inTransaction) database.exec('rollback')
      throw error
    }
  }
}

async function openPostgres(url: string): Promise<AddByHand> {
  const types = new pg.TypeOverrides()
  types.setTypeParser(pg.types.builtins.DATE, String)
  types.setTypeParser(pg.types.builtins.INT8, Number)
  const limits = { statement_timeout: 5000, query_timeout: 6000 }
  const pool = new pg.Pool({ connectionString: url, application_name: 'by hand', types, ...limits })
  const find = findStatement('postgres')
  // Updates all rows in one statement, to save round trips.
  const shift = (sql: string, by: number) => sql.replaceAll(/\$(\d)/g, (_, place) => `$${Number(place) + by}`)
  const write = `with subscription as (${writeSubscription}), customer as (${shift(writeCustomer, 3)})
    ${shift(writeClicks, 5)}`
  return async (input) => {
    const click = clickOf(input)
    const client = await pool.connect()
    try {
      await client.query('begin')
      // Locks the row in a separate statement. A statement that waits for a lock can read outdated rows.
      const lock = 'update customers set version = version + 1 where email_key = $1'
      await client.query({ name: 'lock', text: lock, values: [click.email] })
      const values = [click.email, input.product_id, click.customer]
      const {
        rows: [found],
      } = await client.query<Found>({ name: 'find', text: find, values })
      const kept = keepClick(found, click, found?.now ?? 0)
      if (kept !== undefined) {
        const { subscription, customer } = addToItem(found, input, firstDay)
        await client.query({ name: 'write', text: write, values: [...subscription, ...customer, ...kept] })
      }
      await client.query(kept === undefined ? 'rollback' : 'commit')
    } catch (error) {
      await client.query('rollback')
      throw error
    } finally {
      client.release()
    }
  }
}

/** Returns the customer's lookup keys and a digest of the request. */
function clickOf({ email: sent, product_id, quantity, one_time }: AddInput) {
  const email = sent.toLowerCase()
  const fields: unknown[] = ['addProduct', 'email', email]
  if (one_time) fields.push('one_time', true)
  fields.push('product_id', product_id)
  if (quantity !== 1) fields.push('quantity', quantity)
  return {
    email,
    customer: `/integration:live:customer:${hash('sha256', email)}`,
    fingerprint: hash('sha256', JSON.stringify(fields)),
  }
}

/** Returns the parameters of `writeClicks`, or `undefined` for a repeated click that must be ignored. */
function keepClick(
  found: Found | undefined,
  { customer, fingerprint }: ReturnType<typeof clickOf>,
  now: number,
): readonly [string, string, string, number] | undefined {
  const isKnown = found?.clicks != null && Number(found.clicks_expire_at) > now
  const known: Clicks = isKnown ? JSON.parse(found.clicks ?? '') : emptyClicks
  const last = known.instances.findLast((each) => each.fingerprint === fingerprint)?.succeeded
  if (last !== undefined && known.lastChange <= last.number && now < last.at + last.windowMs) return undefined
  const isNeeded = ({ succeeded: { number, at } }: Click) =>
    known.lastChange <= number && now < at + Math.max(windowMs, retainMs)
  const dropped = known.instances.filter((each) => !isNeeded(each)).map(({ succeeded }) => succeeded.number)
  const began = known.lastNumber + 1
  const key = crypto.randomUUID()
  const click: Click = {
    key,
    fingerprint,
    firstAt: now,
    openAttempts: [],
    succeeded: { number: began + 1, by: key, at: now, isReported: true, windowMs },
  }
  const clicks: Clicks = {
    v: 1,
    lastNumber: began + 1,
    lastChange: began,
    lastDropped: Math.max(known.lastDropped, ...dropped),
    instances: [...known.instances.filter(isNeeded), click],
  }
  return [customer, crypto.randomUUID(), JSON.stringify(clicks), now + windowMs + retainMs]
}

const emptyClicks: Clicks = { v: 1, lastNumber: 0, lastChange: 0, lastDropped: 0, instances: [] }
