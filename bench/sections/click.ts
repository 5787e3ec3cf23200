import { type CheckedSide, checkClicks, checkTables } from '../measure/check-clicks.ts'
import { startClicks } from '../measure/click-process.ts'
import { control } from '../measure/compare.ts'
import { compile } from '../measure/compile.ts'
import { type ClickCounts, type CountedSide, countClicks } from '../measure/count-clicks.ts'
import { leaveProcessor } from '../measure/pin.ts'
import { type Measured, takeTurns } from '../measure/take-turns.ts'
import { type Effort, type Finding, type Section, verdictAtLeast, withInterval } from '../report/section.ts'
import { type ClickKind, clickKinds, type ClickPlan, customersFor, planClicks } from '../store/click-plan.ts'
import { type BenchDatabase, benchPostgres, benchSqlite } from '../store/databases.ts'
import { firstDay } from '../store/first-day.ts'

const delayMs = 2
const mostRoundTrips = 6
/** Clicks of each kind before the first that counts: a server plans otherwise for tables that are small, and keeps its plans. */
const filling = 1500
/** Clicks of a kind of which a few are counted. */
const counting = 50
const byHand = 'by hand (the limit)'
const own = 'StorePort'

/** The databases, the same work by hand, and how much of its speed is to be reached; a quick run has the first one only. */
const subjects = [
  { start: benchSqlite, byHand: 'bench/calls/click-sqlite.ts', least: 0.5 },
  { start: benchPostgres, byHand: 'bench/calls/click-postgres.ts', least: 0.6 },
] as const

/** What was measured on one database. */
interface Clicks {
  readonly database: string
  readonly least: number
  readonly measured: readonly Measured<ClickKind>[]
  readonly counts: readonly ClickCounts[]
}

/** What a click that counts once costs, against hand-written SQL that does the same. */
export async function click({ full }: Effort): Promise<Section> {
  // V8 compiles what runs often, in threads whose time counts: it is done after some 4,000 clicks.
  const effort = full ? { rounds: 11, count: 500, warmUp: 2000 } : { rounds: 2, count: 500, warmUp: 1000 }
  const results: Clicks[] = []
  // A database's server runs where this process does, that of the clicks beside it.
  leaveProcessor()
  for (const { start, byHand: file, least } of full ? subjects : subjects.slice(0, 1)) {
    const database = await start()
    const { name } = database
    const files = { byHand: await compile(file), own: await compile('bench/calls/click-storeport.ts') }
    const measured = await clicksOn(database, files, effort).finally(() => database.end())
    results.push({ database: name, least, ...measured })
  }
  return {
    title: 'A click that counts once',
    method:
      'POST add-product from plain call to answer, the click remembered; each customer clicks once on a product that the ' +
      'subscription has and once on a new one. By hand: the same checks and digests, and prepared statements in one ' +
      'transaction of the same durability, which stores the click in a row of its own table, writes item and add and leaves the same in the shop; ' +
      'no discount codes, one-off orders, billing or named clicks. CPU time of the process and, for PostgreSQL, of all ' +
      'processes of the server, which is kept off the processor of the clicks where there are two; ' +
      `${effort.rounds} rounds of a fresh process of each, which take turns at lots of the ` +
      `${effort.count} clicks of each kind, after ${effort.warmUp} of each to warm up. Ratios are medians over the rounds; ` +
      'in brackets, where they lie in 95 of 100 cases (bootstrap). Statements, commits and round trips are medians of ' +
      'eleven clicks, counted at the driver and, for PostgreSQL, at a proxy that takes ' +
      `${delayMs} ms each way.`,
    columns: [
      ...['database', 'product', 'variant', 'µs of CPU', 'of the limit', 'statements', 'commits', 'round trips'],
      `ms, ${delayMs} ms each way`,
    ],
    rows: results.flatMap(rowsOf),
    findings: results.flatMap((result) => [...speedFindings(result), ...countFindings(result)]),
  }
}

async function clicksOn(
  database: BenchDatabase,
  files: { readonly byHand: string; readonly own: string },
  effort: { readonly rounds: number; readonly count: number; readonly warmUp: number },
): Promise<Pick<Clicks, 'measured' | 'counts'>> {
  const customers = customersFor(effort.rounds * (effort.count + effort.warmUp) + filling + counting)
  const opened: CountedSide[] = []
  for (const [name, file] of [
    [byHand, files.byHand],
    [control, files.byHand],
    [own, files.own],
  ] as const) {
    const { store, url } = await database.open(customers, () => firstDay)
    await store.close()
    opened.push({ name, file, url, next: createCursor(planClicks(customers, await productsOf(database, url))) })
  }
  await checkAndFill(database, opened)

  const measured = await takeTurns({
    sides: opened.map((side) => ({ name: side.name, start: () => startTimed(database, side) })),
    works: clickKinds,
    // Many and small: a server and two processes have more that disturbs them than a process alone.
    lots: 25,
    ...effort,
  })
  const counted = opened.filter(({ name }) => name !== control)
  const counts = await countClicks(counted, delayMs)
  await checkTables(
    database,
    counted.map(({ url }) => url),
  )
  return { measured, counts }
}

async function checkAndFill(database: BenchDatabase, sides: readonly CountedSide[]): Promise<void> {
  const started: CheckedSide[] = []
  try {
    for (const { file, url } of sides) started.push({ url, clicks: await startClicks(file, url) })
    await checkClicks(database, started)
    for (const [index, { clicks, url }] of started.entries()) {
      for (const kind of clickKinds) await clicks.run(sides[index]?.next(kind, filling) ?? [])
      await database.settle(url)
    }
  } finally {
    for (const { clicks } of started) await clicks.end()
  }
}

async function startTimed(database: BenchDatabase, { file, url, next }: CountedSide) {
  const clicks = await startClicks(file, url)
  return {
    measure: async (kind: ClickKind, count: number) => {
      const before = await database.cpuElsewhere()
      const { cpuMicroseconds } = await clicks.run(next(kind, count))
      return (cpuMicroseconds + (await database.cpuElsewhere()) - before) / count
    },
    end: clicks.end,
  }
}

/** Every side gets the same clicks in the same order; none comes twice. */
function createCursor(plan: ClickPlan): CountedSide['next'] {
  const places = new Map<ClickKind, number>()
  return (kind, count) => {
    const place = places.get(kind) ?? 0
    places.set(kind, place + count)
    const bodies = plan[kind].slice(place, place + count)
    if (bodies.length < count) throw new Error('there are too few customers')
    return bodies
  }
}

async function productsOf(database: BenchDatabase, url: string) {
  const rows = await database.query(url, 'select id, price_minor from products where available order by id')
  // oxlint-disable-next-line typescript/consistent-type-assertions -- the columns are those of the statement
  return (rows as { id: string; price_minor: number | string }[]).map(({ id, price_minor }) => {
    return { id, price_minor: Number(price_minor) }
  })
}

function rowsOf({ database, measured, counts }: Clicks): string[][] {
  return measured
    .toSorted((one, other) => clickKinds.indexOf(one.work) - clickKinds.indexOf(other.work))
    .map(({ variant, work, microseconds, ratio, interval }) => {
      const found = counts.find((each) => each.variant === variant && each.kind === work)
      const wire = found?.onTheWire
      return [
        ...[database, work, variant, microseconds.toFixed(0)],
        variant === byHand ? '1' : withInterval(ratio, interval, 2),
        found === undefined ? '' : both(found.statements, wire?.statements),
        found === undefined ? '' : both(found.commits, wire?.commits),
        wire === undefined ? '' : String(wire.roundTrips),
        wire === undefined ? '' : (found?.milliseconds.toFixed(1) ?? ''),
      ]
    })
}

/** What the driver and what the proxy has counted, once where both say the same. */
function both(atDriver: number, atProxy: number | undefined): string {
  return atProxy === undefined || atProxy === atDriver ? String(atDriver) : `${atDriver}, on the wire ${atProxy}`
}

function speedFindings({ database, least, measured }: Clicks): Finding[] {
  return measured
    .filter(({ variant }) => variant === own)
    .map(({ work, ratio, interval, spread }) => ({
      what: `a click on ${database}, product ${work}, of the limit`,
      reach: `≥ ${least}`,
      measured: withInterval(ratio, interval, 2),
      verdict:
        spread > 0.1 || Math.abs(ratio - least) <= spread ? 'not resolved' : verdictAtLeast(ratio, interval, least),
    }))
}

function countFindings({ database, counts }: Clicks): Finding[] {
  const owned = counts.filter(({ variant, onTheWire }) => variant === own && onTheWire !== undefined)
  if (owned.length === 0) return []
  const roundTrips = Math.max(...owned.map(({ onTheWire }) => onTheWire?.roundTrips ?? Number.NaN))
  const commits = Math.max(...owned.map(({ onTheWire }) => onTheWire?.commits ?? Number.NaN))
  return [
    {
      what: `a click on ${database}, round trips`,
      reach: `≤ ${mostRoundTrips}`,
      measured: String(roundTrips),
      verdict: roundTrips <= mostRoundTrips ? 'reached' : 'not reached',
    },
    {
      what: `a click on ${database}, commits`,
      reach: '1',
      measured: String(commits),
      verdict: commits === 1 ? 'reached' : 'not reached',
    },
  ]
}
