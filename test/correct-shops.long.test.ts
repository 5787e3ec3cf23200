import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseProfile, readProfile, type RunOptions, seedProfile, sendByHttp } from '@storeport/conformance'
import { createIntegration, type StorePort } from '@storeport/core'
import { serve } from '@storeport/node'
import { createMemoryStore } from '@storeport/store-memory'
import { openSqlStore } from '@storeport/store-sql'
import { fakeClock } from '@storeport/testing/fake-clock'
import { keys } from '@storeport/testing/keys'
import { makeFolder } from '@storeport/testing/make-folder'
import { fastSettings } from '@storeport/testing/postgres-on-demand'
import { runLine, userEnvironment } from '@storeport/testing/run-as-user'
import { sharedPostgres } from '@storeport/testing/shared-postgres'
import { startPostgres } from '@storeport/testing/start-postgres'
import { startExample } from '@storeport/testing/start-program'
import { checkShop } from '@storeport/testing/stores/check-shop'
import { expect, it, type TestContext, vi } from 'vitest'
import { type Language, startShop } from './languages/start-shop.ts'

/** Instants at which each shop is checked. Europe/Berlin changes its clocks a minute after two of them. */
const instants = {
  '31 January': '2027-01-31T12:00:00Z',
  '28 February': '2027-02-28T12:00:00Z',
  '29 February': '2028-02-29T12:00:00Z',
  '30 April': '2027-04-30T12:00:00Z',
  '31 December': '2027-12-31T12:00:00Z',
  'the start of summer time': '2027-03-28T00:59:00Z',
  'the end of summer time': '2027-10-31T00:59:00Z',
  today: `${new Date().toISOString().slice(0, 10)}T12:00:00Z`,
}
const timeZone = 'Europe/Berlin'

type CheckedShop = Pick<RunOptions, 'send' | 'profile'>

/** The test of a shop, which ends the shop, and the clock of the test. */
interface Start extends Pick<TestContext, 'onTestFinished'> {
  readonly instant: string
  readonly now: () => number
}

/** Serves a store until the end of the test. */
async function serveStore({ onTestFinished }: Pick<Start, 'onTestFinished'>, store: StorePort): Promise<CheckedShop> {
  const { url, close } = await serve(createIntegration({ store, apiKeys: [keys.first] }), { port: 0 })
  onTestFinished(close)
  return { send: sendByHttp(url), profile: { ...seedProfile, timeZone } }
}

async function serveSql(start: Start, url: string): Promise<CheckedShop> {
  const store = await openSqlStore({ url, seed: 'if-empty', now: start.now, timeZone })
  start.onTestFinished(store.close)
  return serveStore(start, store)
}

const startLanguage = (language: Language) => async (start: Start) => {
  const { options, stop } = await startShop(language, fakeClock(start.instant))
  start.onTestFinished(stop)
  return options
}

/** Starts each kind of shop with its example data. */
const shops: Readonly<Record<string, (start: Start) => Promise<CheckedShop>>> = {
  memory: (start) => serveStore(start, createMemoryStore({ now: start.now, timeZone })),
  SQLite: async (start) => serveSql(start, `sqlite:${join(await makeFolder('dates'), 'store.db')}`),
  PostgreSQL: async (start) => serveSql(start, await (await sharedPostgres()).createDatabase()),
  PHP: startLanguage('php'),
  Python: startLanguage('python'),
}

/** Starts the example with its own tables, which takes the date from the database. */
async function startOwnTables(start: Start): Promise<CheckedShop> {
  const env = fakeClock(start.instant)
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value)
  const server = await startPostgres(fastSettings).finally(() => vi.unstubAllEnvs())
  start.onTestFinished(server.stop)
  const more = { ...env, DATABASE_URL: await server.createDatabase() }
  const folder = 'examples/own-database'
  expect((await runLine(folder, 'npm run --silent setup', userEnvironment(more))).text).toBe('tables created\n')
  const { url, stop } = await startExample('own-database', more)
  start.onTestFinished(stop)
  return { send: sendByHttp(url), profile: await readProfile(`${folder}/profile.jsonc`) }
}

async function findAt(
  { onTestFinished }: Pick<Start, 'onTestFinished'>,
  instant: string,
  startAt: (start: Start) => Promise<CheckedShop>,
) {
  const offsetMs = Date.parse(instant) - Date.now()
  const now = () => Date.now() + offsetMs
  return findingsOf({ ...(await startAt({ onTestFinished, instant, now })), now: () => new Date(now()) })
}

const timeout = 3_600_000
const dates = Object.entries(instants)
const rows = Object.entries(shops).flatMap(([name, start]) => dates.map(([day, at]) => [name, day, at, start] as const))

const { subscribed } = seedProfile.customers
const { listProducts, addProduct, undoAddProduct } = createMemoryStore()
const differences: Readonly<Record<string, (shop: CheckedShop) => CheckedShop>> = {
  'responses after 300 ms': (shop) => {
    const send: typeof shop.send = async (request) => {
      await pause(300)
      return shop.send(request)
    }
    return { ...shop, send: Object.assign(send, shop.send) }
  },
  'a profile with one customer': (shop) => ({ ...shop, profile: parseProfile({ customers: { subscribed } }) }),
  'a profile without customers': (shop) => ({ ...shop, profile: parseProfile({}) }),
}

// Starts the shop with slow responses first, because it takes the longest.
it.concurrent.for(Object.entries(differences))(
  'finds nothing in a correct shop with %s',
  { timeout },
  async ([, change], context) => {
    expect(await findingsOf(change(await serveStore(context, createMemoryStore({ timeZone }))))).toEqual([])
  },
)

it.concurrent('finds nothing in a shop with three endpoints', { timeout }, async (context) => {
  expect(await findingsOf(await serveStore(context, { listProducts, addProduct, undoAddProduct }))).toEqual([])
})

it.concurrent.for(rows)('finds nothing in the shop: %s, %s', { timeout }, async ([, , at, start], context) => {
  expect(await findAt(context, at, start)).toEqual([])
})

// Not concurrent, because the clock of the database server is set in the environment of this process.
it.for(dates)('finds nothing in the shop: own tables, %s', { timeout }, async ([, at], context) => {
  expect(await findAt(context, at, startOwnTables)).toEqual([])
})

/** Runs all checks of the default mode. Returns each failure. */
async function findingsOf(shop: CheckedShop & Pick<RunOptions, 'now'>): Promise<readonly string[]> {
  const { findings, passed } = await checkShop({ ...shop, apiKey: keys.first })
  expect(passed).toBeGreaterThan(50)
  return findings
}
