import Database from 'libsql'
import pg from 'pg'
import { firstDay } from '../shop.ts'
import { addToItem, findStatement, type Found } from './add-to-item.ts'
import type { AddByHand, AddInput } from './contract.ts'

/* Runs `addProduct` clicks with hand-written SQL on the tables of the SQL store. A repeated click changes nothing. */

/** Time during which a repeated click is ignored, and minimum storage time of a click, in milliseconds. */
const windowMs = 10_000
const retainMs = 7000

/** A stored click. A later click ends its window. */
interface Click {
  readonly body: string
  readonly doneAt: number
  readonly windowEnd: number
}

const writeSubscription = `update subscriptions set items = $1, adds = $2 where id = $3`
const writeCustomer = `update customers set last_add = $1, clicks = $3 where id = $2`

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
  const [updateSubscription, updateCustomer] = [prepare(writeSubscription), prepare(writeCustomer)]
  return async (input) => {
    const click = clickOf(input)
    database.exec('begin immediate')
    try {
      const row: unknown = read.get(click.email, input.product_id)
      // oxlint-disable-next-line typescript/consistent-type-assertions -- the columns are those of the statement
      const found = row as Found | undefined
      const kept = keepClick(found, click, Date.now())
      if (kept !== undefined) {
        const { subscription, customer } = addToItem(found, input, firstDay)
        updateSubscription.run(...subscription)
        updateCustomer.run(...customer, kept)
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
  const write = `with subscription as (${writeSubscription}) ${shift(writeCustomer, 3)}`
  return async (input) => {
    const click = clickOf(input)
    const client = await pool.connect()
    try {
      await client.query('begin')
      // Locks the row in a separate statement. A statement that waits for a lock can read outdated rows.
      const lock = 'update customers set version = version + 1 where email_key = $1'
      await client.query({ name: 'lock', text: lock, values: [click.email] })
      const values = [click.email, input.product_id]
      const {
        rows: [found],
      } = await client.query<Found>({ name: 'find', text: find, values })
      const kept = keepClick(found, click, found?.now ?? 0)
      if (kept !== undefined) {
        const { subscription, customer } = addToItem(found, input, firstDay)
        await client.query({ name: 'write', text: write, values: [...subscription, ...customer, kept] })
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

/** Returns the customer's lookup key and the identity of the request. */
function clickOf({ email: sent, product_id, quantity, one_time }: AddInput) {
  const email = sent.toLowerCase()
  return { email, body: JSON.stringify(['addProduct', product_id, quantity, one_time]) }
}

/** Returns the column with the clicks, or `undefined` for a repeated click that must be ignored. */
function keepClick(found: Found | undefined, { body }: ReturnType<typeof clickOf>, now: number): string | undefined {
  const known: readonly Click[] = JSON.parse(found?.clicks ?? '[]')
  if (known.some((each) => each.body === body && now < each.windowEnd)) return undefined
  const kept = known.filter(({ doneAt }) => now < doneAt + retainMs).map((each) => ({ ...each, windowEnd: 0 }))
  return JSON.stringify([...kept, { body, doneAt: now, windowEnd: now + windowMs }])
}
