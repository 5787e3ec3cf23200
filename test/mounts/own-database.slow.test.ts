import { readFileSync } from 'node:fs'
import { readProfile } from '@storeport/conformance'
import { behavesLikeStorePort } from '@storeport/conformance/vitest'
import { addDays, dateIn } from '@storeport/rules'
import { keys } from '@storeport/testing/keys'
import { shopAt } from '@storeport/testing/shop-at'
import { sharedPostgres } from '@storeport/testing/shared-postgres'
import { noPgbouncer, startPgbouncer } from '@storeport/testing/start-pgbouncer'
import { startExample } from '@storeport/testing/start-program'
import { startPostgresProxy } from '@storeport/testing/start-proxy'
import pg from 'pg'
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { runCode, runLine, startLine, userEnvironment } from '@storeport/testing/run-as-user'

const folder = 'examples/own-database'
const profile = await readProfile(`${folder}/profile.jsonc`)
/** Returns the current date in the shop's time zone, which is another date after midnight. */
const today = () => dateIn(profile.timeZone)(new Date())
const sample = readFileSync(`${folder}/sample.sql`, 'utf8')
const email = 'reader@example.com'

/** Runs a script of the example and returns its exit code and output. */
function runScript(script: string, url: string) {
  return runLine(folder, `npm run --silent ${script}`, { ...process.env, DATABASE_URL: url })
}

/** Tables, each before the tables that it references. */
const tables = 'storeport_adds action_log coupon_uses coupons order_lines orders subscription_lines subscriptions'
  .concat(' recommendations variants products addresses customers storeport_clicks')
  .split(' ')
/** Statements that remove all rows. Deleting few rows is faster than truncating many tables. */
const empty = tables.map((name) => `delete from ${name};`).join(' ')

const server = await sharedPostgres()
const databases: string[] = []
afterAll(async () => {
  for (const url of databases) await server.dropDatabase(url)
})

/** Creates a database with the tables of the example. */
async function createTables() {
  const database = await server.createDatabase()
  databases.push(database)
  expect(await runScript('setup', database)).toEqual({ code: 0, text: 'tables created\n' })
  return { database, query: (sql: string) => server.query(sql, database) }
}

/** Starts the example on an existing database for one test. Returns its shop. */
async function serveOn(url: string) {
  const example = await startExample('own-database', { DATABASE_URL: url })
  onTestFinished(example.stop)
  return openShop(example.url)
}

/** Starts the example as its users do, for a test of its output. */
function startPrinting(database: string) {
  const env = userEnvironment({ DATABASE_URL: database, STOREPORT_API_KEY: keys.first, PORT: '0' })
  return startLine(folder, 'npm start', env, /http:\/\/127\.0\.0\.1:\d+/)
}

/** Begins a transaction that runs a statement and remains open. */
async function block(database: string, statement: string): Promise<pg.Client> {
  const other = new pg.Client({ connectionString: database })
  await other.connect()
  onTestFinished(() => other.end())
  await other.query(`begin; ${statement}`)
  return other
}

const openShop = (url: string) => shopAt(url, keys.first)

await behavesLikeStorePort(
  `example own-database, started by npm start,`,
  {
    start: async () => {
      const { database, query } = await createTables()
      const { url, stop } = await startExample('own-database', { DATABASE_URL: database })
      const date = (_: string, days: string) => addDays(today(), Number(days))
      const reset = async () => void (await query(`${empty} ${sample.replaceAll(/\{([+-]\d+)\}/g, date)}`))
      return { url, apiKey: keys.first, profile, reset, stop }
    },
  },
  { describe, it, afterAll },
)

describe('example own-database', () => {
  it('bills the due subscriptions once', async () => {
    const { database, query } = await createTables()
    const before = today()
    await query(`update subscriptions set next_date = '${addDays(before, -1)}' where name = 'Teapots'`)
    expect(await runScript('bill', database)).toEqual({ code: 0, text: '1 orders created\n' })
    expect(await runScript('bill', database)).toEqual({ code: 0, text: '0 orders created\n' })
    const days = [before, today()].map((day) => `'${day}'`).join()
    expect(await query(`select total_cents from orders where placed_on in (${days})`)).toEqual([{ total_cents: 4641 }])
    const dates = `select cast(next_date as char(10)) as next_date from subscriptions where name = 'Teapots'`
    expect(await query(dates)).toEqual([{ next_date: addDays(before, 41) }])
  })

  it('returns 503 while another transaction has locked the customer', async () => {
    const { database, query } = await createTables()
    const shop = await serveOn(database)
    await block(database, 'select 1 from customers for update')
    await expect(shop.sendNow({ email })).rejects.toMatchObject({ code: 'store_unavailable' })
    expect(await query('select from orders')).toEqual([])
  })

  it.skipIf(noPgbouncer !== undefined)('returns 503 while no connection is free, also behind PgBouncer', async () => {
    const { database } = await createTables()
    const pooler = await startPgbouncer(database, 'session')
    onTestFinished(pooler.stop)
    const shop = await serveOn(pooler.url)
    const other = await block(database, 'lock table customers in access exclusive mode')
    // More requests than the pool has connections. The others wait for a connection.
    const reads = Array.from({ length: 40 }, () => shop.getSubscription({ email }).catch(({ code }) => String(code)))
    expect(new Set(await Promise.all(reads))).toEqual(new Set(['store_unavailable']))
    await other.query('rollback')
    await shop.getSubscription({ email })
  })

  it('returns 503 for reads and changes while the database is unreachable', async () => {
    const { database } = await createTables()
    const proxy = await startPostgresProxy(database)
    const shop = await serveOn(proxy.url)
    await shop.getSubscription({ email })
    await proxy.stop()
    await expect(shop.getSubscription({ email })).rejects.toMatchObject({ code: 'store_unavailable' })
    await expect(shop.sendNow({ email })).rejects.toMatchObject({ code: 'store_unavailable' })
  })

  it('survives the end of a connection that a click holds', async () => {
    const { database, query } = await createTables()
    const shop = await serveOn(database)
    const other = await block(database, 'select 1 from customers for update')
    const click = shop.sendNow({ email }).catch((error: unknown) => error)
    const waiting = `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`
    await vi.waitFor(async () => expect(await query(waiting)).toHaveLength(1), 10_000)
    expect(await click).toMatchObject({ code: 'store_unavailable' })
    await other.query('rollback')
    await shop.sendNow({ email })
    expect(await query('select from orders')).toHaveLength(1)
  })

  it('does not continue a transaction that a library released open, as Prisma does after a timeout', async () => {
    const program = `
      import { pool } from './pool.ts'
      const client = await pool.connect()
      await client.query("begin; insert into action_log (customer_id, action) values (1, 'lost')")
      client.release()
      await pool.query('commit')
      console.log((await pool.query('select action from action_log')).rows)
      await pool.end()`
    const { database } = await createTables()
    expect(await runCode(folder, program, { DATABASE_URL: database })).toEqual({ code: 0, text: '[]\n' })
  })

  it('works again within 15 seconds after its connections stopped responding', async () => {
    const { database } = await createTables()
    const proxy = await startPostgresProxy(database)
    onTestFinished(() => proxy.stop())
    const shop = await serveOn(proxy.url)
    const reads = () => Array.from({ length: 40 }, () => shop.getSubscription({ email }).catch(() => 'failed'))
    // The reads wait for the table until all connections of the pool are open.
    const other = await block(database, 'lock table customers in access exclusive mode')
    const waiting = reads()
    const open = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    await expect.poll(() => server.query(open, database), { timeout: 20_000 }).toHaveLength(20)
    await other.query('rollback')
    await Promise.all(waiting)
    const resume = proxy.freeze()
    const stuck = [...reads(), shop.sendNow({ email }).catch(() => 'failed')]
    expect(await Promise.race(stuck)).toBe('failed')
    resume()
    await vi.waitFor(() => shop.sendNow({ email }), { timeout: 15_000, interval: 200 })
    await Promise.all(stuck)
  })

  it('finds a customer by an index among 20,000 customers, and warns without the index', async () => {
    const { database, query } = await createTables()
    await query(`insert into customers (id, email, name) select 1000 + n, 'Many' || n || '@example.com', 'Many'
      from generate_series(1, 20000) as n; analyze customers`)
    const lock = `explain select id from customers where lower(email) = 'many500@example.com' for update`
    expect(JSON.stringify(await query(lock))).toContain('customers_email')
    await query('drop index customers_email')
    expect(JSON.stringify(await query(lock))).toContain('Seq Scan')
    const example = await startPrinting(database)
    expect(await example.stop()).toContain('Run: create unique index on customers (lower(email))')
  })
  it('counts each click once while processes are killed', async () => {
    const { database, query } = await createTables()
    await query(`insert into customers (id, email, name) select 1000 + n, 'many' || n || '@example.com', 'Many'
      from generate_series(1, 64) as n`)
    const run = () => startExample('own-database', { DATABASE_URL: database })
    let running = run()
    onTestFinished(async () => (await running).stop())
    const customers = Array.from({ length: 64 }, (_, index) => `many${index + 1}@example.com`)
    let [answers, cut] = [0, 0]
    const click = async () => {
      for (let next = customers.pop(); next !== undefined; next = customers.pop()) {
        const add = { email: next, product_id: 'OOLONG-100', quantity: 1 }
        const send = async () => openShop((await running).url).addProduct(add)
        await send().catch(async () => {
          cut += 1
          await vi.waitFor(send, { timeout: 20_000, interval: 50 })
        })
        answers += 1
        // The other requests are in progress.
        if (answers % 12 === 0) running = running.then((program) => program.kill()).then(run)
      }
    }
    await Promise.all(Array.from({ length: 8 }, click))
    expect(cut).toBeGreaterThan(10)
    const adds = `select count(*)::int as adds, count(distinct customer_id)::int as customers from storeport_adds`
    expect(await query(adds)).toEqual([{ adds: 64, customers: 64 }])
  })

  it('logs the table, row and field of invalid data, but does not return them', async () => {
    const { database, query } = await createTables()
    const example = await startPrinting(database)
    onTestFinished(() => void example.stop())
    const shop = openShop(example.found)
    const writer = { email: 'writer@example.com' }
    const messages =
      /^(?:An internal error occurred in the shop|The shop returned a response that the API does not allow)\.$/
    await query(`drop index customers_email; alter table subscription_lines alter quantity drop not null;
      alter table subscriptions drop constraint subscriptions_every_unit_check`)
    const ofLine = (column: string) => `update subscription_lines set ${column} where sku = 'TEAPOT-400'`
    const ofUnit = (unit: string) => `update subscriptions set every_unit = '${unit}' where name = 'Office tea'`
    const read = () => shop.getSubscription(writer)
    const delay = () => shop.delaySubscription({ ...writer, new_date: addDays(today(), 20) })
    const twin = `insert into customers (id, email, name) values (9, 'WRITER@example.com', '')`
    const ignoring = 'create rule ignored as on update to subscriptions do instead nothing'
    for (const [change, undo, request] of [
      [twin, 'delete from customers where id = 9', read],
      [ofLine('quantity = null'), ofLine('quantity = 1'), read],
      [ofLine('price_cents = -1'), ofLine('price_cents = 1'), read],
      [ofUnit('year'), ofUnit('month'), read],
      [ignoring, 'drop rule ignored on subscriptions', delay],
    ] as const) {
      await query(change)
      await expect(request()).rejects.toThrow(messages)
      await query(undo)
    }
    // One invalid product is left out of the list.
    await query(`update variants set price_cents = -1 where sku = 'TEAPOT-400'`)
    expect((await shop.listProducts({})).products.map(({ id }) => id)).toEqual(['OOLONG-100', 'SENCHA-100'])
    const output = await example.stop()
    expect(output).toContain('product TEAPOT-400: price')
    const logged = [...output.matchAll(/failed with \w+: (.*?) \(request/g)].map(([, text]) => text)
    expect(logged).toEqual([
      'Error: customers 2, 9: email must be unique',
      'TypeError: subscription_item 00000000-0000-4000-8000-000000000905: quantity must be an integer of at least 0',
      'TypeError: subscription_item 00000000-0000-4000-8000-000000000905: price_minor must be an integer of at least 0',
      'TypeError: subscription 00000000-0000-4000-8000-000000000201: every_unit must be one of day, week, month',
      'Error: subscription 00000000-0000-4000-8000-000000000201: the statement changed 0 rows instead of 1',
    ])
  })
})
