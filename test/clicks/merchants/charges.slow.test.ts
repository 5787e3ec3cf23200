import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { tmpdir } from 'node:os'
import { setTimeout as after } from 'node:timers/promises'
import { sqlLedgerTable } from '@storeport/core'
import { readShopData, seed } from '@storeport/rules'
import { openSqlStore } from '@storeport/store-sql'
import { listening } from '@storeport/testing/listen'
import { sharedPostgres } from '@storeport/testing/shared-postgres'
import { expect, it, onTestFinished } from 'vitest'
import { type ForkedHost, forkHost } from '../fork-host.ts'
import { numbers, runConcurrently } from '../run-concurrently.ts'
import { emailOf, key } from '../shop.ts'
import type { ChargingSettings } from './charging-host.ts'

/*
 * Two processes of a merchant kill themselves at random statements, and the payment provider loses responses and declines cards. Each
 * customer retries send-now until it succeeds, and must have one order and one charge for this order.
 */

const rounds = 1000
/** Results of new charges: the share of declined charges, and of responses that are lost. */
const rates = { declined: 0.05, lost: 0.1 }

interface Paid {
  readonly email: string
  readonly total: number
  readonly isPaid: boolean
}

/** Starts a payment provider that stores the result of each idempotency key, and returns its charges. */
async function startPaymentProvider() {
  const charges = new Map<string, Paid>()
  const errors: string[] = []
  const { url = '', stop = () => {} } = await listening((request, response) => {
    let text = ''
    request.on('data', (data: Buffer) => (text += data.toString()))
    request.on('end', () => {
      const { email, total, idempotencyKey }: { email: string; total: number; idempotencyKey: string } =
        JSON.parse(text)
      const known = charges.get(idempotencyKey)
      if (known !== undefined && known.total !== total) errors.push(`${idempotencyKey} has another amount`)
      const charge = known ?? { email, total, isPaid: Math.random() >= rates.declined }
      charges.set(idempotencyKey, charge)
      if (Math.random() < rates.lost) request.socket.destroy()
      else response.writeHead(charge.isPaid ? 200 : 402).end()
    })
  })
  onTestFinished(stop)
  return { url, charges, errors }
}

/** Starts a host, and starts it again on the same port whenever it was killed. Returns its port. */
async function keepRunning(file: string, settings: ChargingSettings): Promise<{ readonly url: string }> {
  const program = resolve(import.meta.dirname, file)
  const over = new AbortController()
  let host: ForkedHost = await forkHost(program, settings, { execArgv: ['--import', 'tsx'] })
  const { url } = host
  const port = Number(new URL(url).port)
  const running = (async () => {
    while (!over.signal.aborted) {
      await host.exited
      if (!over.signal.aborted) host = await forkHost(program, { ...settings, port }, { execArgv: ['--import', 'tsx'] })
    }
  })()
  onTestFinished(async () => {
    over.abort()
    await host.kill()
    await running
  })
  return { url }
}

/** A shop with one customer for each round, and the host that serves the shop. */
interface Case {
  readonly name: string
  readonly program: string
  /** Probability of a kill at each step, and number of different steps that must have been reached. */
  readonly killRate: number
  readonly steps: number
  /** Creates the database; returns its URL and a function that reads the orders, sorted by id. */
  prepare(): Promise<{ readonly url: string; readonly orders: () => Promise<readonly object[]> }>
}

const customer = 'subscription@example.com'
const day = '2026-03-10'

const merchant: Case = {
  name: 'a store of a merchant',
  program: 'charging-host.ts',
  killRate: 1 / 400,
  steps: 9,
  prepare: async () => {
    const server = await sharedPostgres()
    const url = await server.createDatabase()
    onTestFinished(() => server.dropDatabase(url))
    await server.query(
      `create table accounts (email text primary key, account jsonb not null);
      create table shop_orders (id text primary key, email text not null, total integer not null);
      ${sqlLedgerTable('postgres')}`,
      url,
    )
    const { accounts } = readShopData(seed(day), 'USD')
    const account = accounts.find(({ email }) => email === customer)
    const json = JSON.stringify(account).replaceAll("'", "''")
    const rows = [...numbers(rounds)].map(
      (round) => `('${emailOf(round)}', jsonb_set('${json}', '{email}', '"${emailOf(round)}"'))`,
    )
    await server.query(`insert into accounts values ${rows.join(', ')}`, url)
    return { url, orders: () => server.query('select id, email, total from shop_orders order by id', url) }
  },
}

/** Returns a case with the SQL store. */
function sqlStore(name: string, createUrl: () => Promise<string>): Case {
  return {
    name,
    program: 'sql-charging-host.ts',
    killRate: 1 / 200,
    steps: 6,
    prepare: async () => {
      const url = await createUrl()
      const customers = [...numbers(rounds)].map((round) => ({
        email: emailOf(round),
        subscriptions: [
          {
            id: `sub_${round}`,
            next_billing_date: '2026-04-01',
            items: [{ id: `item_${round}`, product_id: 'test_12345' }],
          },
        ],
      }))
      const store = await openSqlStore({ url, today: day, seed: 'if-empty', data: { ...seed(day), customers } })
      onTestFinished(store.close)
      const orders = async () => {
        const all = []
        for (let last = 0, more = true; more;) {
          const page = await store.orders(undefined, { after: last, limit: 1000 })
          for (const { id, email, total_minor: total } of page) all.push({ id, email, total })
          last = page.at(-1)?.number ?? 0
          more = page.length > 0
        }
        return all.toSorted((one, other) => (one.id < other.id ? -1 : 1))
      }
      return { url, orders }
    },
  }
}

const cases = [
  merchant,
  sqlStore('the SQL store on SQLite', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'storeport-charges-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    return `sqlite:${join(folder, 'shop.db')}`
  }),
  sqlStore('the SQL store on PostgreSQL', async () => {
    const server = await sharedPostgres()
    const url = await server.createDatabase()
    onTestFinished(() => server.dropDatabase(url))
    return url
  }),
]

it.each(cases)('has one charge for each order in 1,000 orders: $name', { timeout: 600_000 }, async (shop) => {
  const { url, orders: readOrders } = await shop.prepare()

  const provider = await startPaymentProvider()
  const kills = join(mkdtempSync(join(tmpdir(), 'storeport-kills-')), 'kills')
  writeFileSync(kills, '')
  const settings = { url, provider: provider.url, port: 0, killRate: shop.killRate, kills }
  const hosts = [await keepRunning(shop.program, settings), await keepRunning(shop.program, settings)]
  await runConcurrently(numbers(rounds), 10, async (round) => {
    const body = JSON.stringify({ email: emailOf(round) })
    const headers = { 'x-integration-api-key': key, 'content-type': 'application/json' }
    const deadline = performance.now() + 120_000
    for (let attempt = round; ; attempt += 1) {
      const endpoint = `${hosts[attempt % 2]?.url ?? ''}/integration/customer-portal/send-now`
      const response = await fetch(endpoint, { method: 'POST', headers, body }).catch(() => undefined)
      await response?.text()
      if (response?.status === 200) return
      if (performance.now() > deadline) throw new Error(`The click does not succeed. Last status: ${response?.status}`)
      await after(50)
    }
  })

  const orders = await readOrders()
  const paid = [...provider.charges].flatMap(([id, { email, total, isPaid }]) => (isPaid ? [{ id, email, total }] : []))
  const steps = readFileSync(kills, 'utf8').trim().split('\n')
  console.log(`${orders.length} orders, ${paid.length} charges, ${steps.length} kills at ${new Set(steps).size} steps`)
  expect(provider.errors).toEqual([])
  expect(orders).toEqual(paid.toSorted((one, other) => (one.id < other.id ? -1 : 1)))
  expect(new Set(orders.map(({ email }) => email)).size).toBe(rounds)
  expect(orders).toHaveLength(rounds)
  expect(new Set(steps).size).toBeGreaterThanOrEqual(shop.steps)
})
