import { customerSample, type SampleProduct } from '@storeport/store-sql'
import { type BenchDatabase, onEach } from '../databases.ts'
import { compile, leaveProcessor, startProcess } from '../measure/processes.ts'
import { withInterval } from '../measure/statistics.ts'
import { control, type Measured, takeTurns } from '../measure/alternate.ts'
import type { Effort, Section } from '../report.ts'
import { firstDay } from '../shop.ts'

/**
 * Number of clicks before the first round. They fill the tables, because PostgreSQL caches different query plans for
 * small tables.
 */
const filling = 1500
const byHand = 'by hand'
/** Number of clicks in a batch. */
const batch = 250

interface Variant {
  readonly name: string
  readonly file: string
}

/** Compares the CPU time of a click in StorePort with a click in hand-written SQL. */
export async function click({ full }: Effort): Promise<Section> {
  // Warms up with 8,000 clicks, because V8 optimizes the code until then, and a click needs more CPU time.
  const turns = full ? { rounds: 7, count: 2000, warmUp: 8000 } : { rounds: 2, count: 500, warmUp: 1000 }
  const own = await compile('click-storeport')
  const other = await compile('click-by-hand')
  const variants: readonly Variant[] = [
    { name: byHand, file: other },
    { name: control, file: other },
    { name: 'StorePort', file: own },
  ]
  // Reserves a processor for the clicks. The database server, which starts later, uses the other processors.
  leaveProcessor()
  return {
    title: 'A click that takes effect once',
    method:
      'POST add-product, from plain call to response, with the record of the click. By hand: the same ' +
      'checks of key, input and rules, the same record of the click, and prepared statements in one transaction; no ' +
      'discount codes, one-off orders or billing. CPU time of the process and of the database. ' +
      `${turns.rounds} rounds of ${turns.count} clicks, after ${turns.warmUp} to warm up. ` +
      'Before and after the timing, the tables of all variants are the same.',
    columns: ['database', 'variant', 'µs of CPU', 'speed, by hand = 1'],
    rows: await onEach(full, (database) => clicksOn(database, variants, turns)),
  }
}

async function clicksOn(
  database: BenchDatabase,
  variants: readonly Variant[],
  turns: { readonly rounds: number; readonly count: number; readonly warmUp: number },
): Promise<string[][]> {
  const sides = []
  for (const { name, file } of variants) {
    const { url, take } = await openShop(database, turns.rounds * (turns.count + turns.warmUp) + filling)
    const start = () => startClicks(database, file, url, take)
    const first = await start()
    for (const body of repeats) await first.click([body])
    await first.measure('click', filling)
    await first.end()
    await database.settle(url)
    sides.push({ name, start, url })
  }
  const urls = sides.map(({ url }) => url)
  await compareTables(database, urls)
  const measured = await takeTurns({ ...turns, sides, works: ['click'], lots: turns.count / batch })
  await compareTables(database, urls)
  return rowsOf(database, measured)
}

/** Formats results as rows of a table. The first variant is the base. */
function rowsOf(database: BenchDatabase, measured: readonly Measured[]): string[][] {
  return measured.map(({ variant, microseconds, ratio, interval }, at) => [
    database.name,
    variant,
    microseconds.toFixed(0),
    at === 0 ? '1' : withInterval(ratio, interval, 2),
  ])
}

/** Starts a process that runs the clicks whose bodies `take` returns. */
async function startClicks(database: BenchDatabase, file: string, url: string, take: TakeBodies) {
  const child = await startProcess(file, { BENCH_DATABASE: url }, true)
  return {
    click: (some: string[]) => child.order(some),
    measure: async (_work: string, count: number) => {
      const some = take(count)
      const before = await database.cpuElsewhere()
      const own = await child.order(some)
      return (own + (await database.cpuElsewhere()) - before) / count
    },
    end: () => child.end(),
  }
}

/** Returns the bodies of the next clicks. Throws if there are fewer. */
type TakeBodies = (count: number) => string[]

/** Creates a database with customers for `clicks` clicks. */
async function openShop(database: BenchDatabase, clicks: number) {
  const customers = 4 * clicks + 100
  const { store, url } = await database.open(customers, () => firstDay)
  await store.close()
  const products = await database.query(url, 'select id, price_minor from products where available order by id')
  // oxlint-disable-next-line typescript/consistent-type-assertions -- the columns are those of the statement
  const planned = planClicks(customers, products as SampleProduct[])
  const take: TakeBodies = (count) => {
    if (planned.length < count) throw new Error('There are fewer generated customers than clicks.')
    return planned.splice(0, count)
  }
  return { url, take }
}

/** Returns an add-product body for each customer who has exactly one active subscription. */
function planClicks(customers: number, products: readonly SampleProduct[]): string[] {
  return Array.from({ length: customers }, (_, index) => {
    const { customer, subscriptions } = customerSample(index + 1, firstDay, products)
    const [active, second] = subscriptions.filter(({ status }) => status === 'active')
    const missing = products.find(({ id }) => !active?.items.some(({ product_id }) => product_id === id))
    if (active === undefined || second !== undefined || missing === undefined) return ''
    return bodyOf(customer.email, missing.id, 1)
  }).filter((body) => body !== '')
}

function bodyOf(email: string, product_id: string, quantity: number): string {
  return JSON.stringify({ email, product_id, quantity })
}

const email = 'subscription@example.com'

/**
 * Warm-up clicks, each sent twice. The third click adds the first product again; it is not a repeat of the first click.
 */
const repeats = ['test_12345', 'test_54321', 'test_12345'].flatMap((id) => [
  bodyOf(email, id, 1),
  bodyOf(email.toUpperCase(), id, 1),
])

/** Queries for the data that clicks change, except the clicks, because each variant has its own format. */
const contents = [
  `select id, items, adds, discount_uses from subscriptions order by id`,
  `select email_key, last_add from customers order by 1`,
  `select count(*) as orders from orders`,
]

/** Matches random ids. */
const random = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g

/** Throws unless all databases have the same contents, apart from random ids. */
async function compareTables(database: BenchDatabase, urls: readonly string[]): Promise<void> {
  for (const sql of contents) {
    const found = await Promise.all(
      urls.map(async (url) => JSON.stringify(await database.query(url, sql)).replaceAll(random, 'random')),
    )
    if (new Set(found).size > 1) throw new Error(`${database.name}: the variants produced different rows: ${sql}`)
  }
}
