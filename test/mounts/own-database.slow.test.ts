import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createClient } from '@storeport/client'
import { readProfile } from '@storeport/conformance'
import { behavesLikeStorePort } from '@storeport/conformance/vitest'
import { addDays, dateIn } from '@storeport/rules'
import pg from 'pg'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { keys } from '@storeport/testing/keys'
import { sharedPostgres } from '@storeport/testing/shared-postgres'
import { startExample } from '@storeport/testing/start-program'

const folder = 'examples/own-database'
const sample = readFileSync(`${folder}/sample.sql`, 'utf8')
const profile = await readProfile(`${folder}/profile.jsonc`)
const today = dateIn(profile.timeZone)(new Date())

/** Runs a script of the example and returns its exit code and output. */
function runScript(script: string, url: string) {
  const env = { ...process.env, DATABASE_URL: url }
  const { status, stdout } = spawnSync('npm', ['run', '--silent', script, '--prefix', folder], {
    env,
    encoding: 'utf8',
  })
  return { status, output: stdout }
}

const server = await sharedPostgres()
const databases: string[] = []
afterAll(async () => {
  for (const url of databases) await server.dropDatabase(url)
})

/** Starts processes of the example on a new database. */
async function start(processes = 1) {
  const database = await server.createDatabase()
  databases.push(database)
  expect(runScript('setup', database)).toEqual({ status: 0, output: 'tables created\n' })
  const running = await Promise.all(
    Array.from({ length: processes }, () => startExample('own-database', { DATABASE_URL: database })),
  )
  return {
    database,
    urls: running.map(({ url }) => url),
    query: (sql: string) => server.query(sql, database),
    stop: async () => {
      for (const { stop } of running) await stop()
    },
  }
}

const tables = 'customers, products, coupons, orders, storeport_clicks'

await behavesLikeStorePort(
  'example own-database, started by npm start,',
  {
    start: async () => {
      const { urls, query, stop } = await start()
      const reset = async () => void (await query(`truncate ${tables} cascade; ${sample}`))
      return { url: urls[0] ?? '', apiKey: keys.first, profile, reset, stop }
    },
  },
  { describe, it, afterAll },
)

describe('example own-database', () => {
  const email = 'reader@example.com'

  it('runs a double click over two processes once', async () => {
    const { urls, query, stop } = await start(2)
    onTestFinished(stop)
    const shops = urls.map((baseUrl) => createClient({ baseUrl, apiKey: keys.first, retries: 0 }))
    await Promise.all(shops.map((shop) => shop.addProduct({ email, product_id: 'OOLONG-100', quantity: 3 })))
    await Promise.all(shops.map((shop) => shop.sendNow({ email })))
    expect(await query('select quantity from order_lines order by position')).toEqual([
      { quantity: 5 },
      { quantity: 1 },
    ])
    await Promise.all(shops.map((shop) => shop.runCustomAction({ email, action_id: 'change_to_quarterly' })))
    expect(await query('select action from action_log')).toEqual([{ action: 'change_to_quarterly' }])
  })

  it('returns 503 while another transaction has locked the customer', async () => {
    const { database, urls, query, stop } = await start()
    onTestFinished(stop)
    const other = new pg.Client({ connectionString: database })
    await other.connect()
    onTestFinished(() => other.end())
    await other.query('begin')
    await other.query('select 1 from customers for update')
    const shop = createClient({ baseUrl: urls[0] ?? '', apiKey: keys.first, retries: 0 })
    await expect(shop.sendNow({ email })).rejects.toMatchObject({ code: 'store_unavailable' })
    expect(await query('select from orders')).toEqual([])
  })

  it('bills the due subscriptions once', async () => {
    const { database, query, stop } = await start(0)
    onTestFinished(stop)
    const [first, next] = [addDays(today, -1), addDays(today, 41)]
    await query(`update subscriptions set next_date = '${first}' where name = 'Teapots'`)
    expect(runScript('bill', database)).toEqual({ status: 0, output: '1 orders created\n' })
    expect(runScript('bill', database)).toEqual({ status: 0, output: '0 orders created\n' })
    expect(await query('select placed_on::text, total_cents from orders')).toEqual([
      { placed_on: today, total_cents: 4641 },
    ])
    expect(await query(`select next_date::text from subscriptions where name = 'Teapots'`)).toEqual([
      { next_date: next },
    ])
  })

  it('has at most 160 lines of code in the files that a merchant rewrites', () => {
    const files = ['load', 'save', 'store', 'server'].map((name) => readFileSync(`${folder}/${name}.ts`, 'utf8'))
    const lines = files.join('\n').split('\n')
    expect(lines.filter((line) => !/^\s*(?:\/\/|\/\*\*|\*|$)/.test(line)).length).toBeLessThanOrEqual(160)
  })
})
