import { addDays } from '@storeport/rules'
import { median, quantile, ratios } from '../measure/statistics.ts'
import type { Effort, Finding, Section } from '../report/section.ts'
import { activeCustomers, type BenchCall, benchCalls, firstCall } from '../store/calls.ts'
import { type BenchDatabase, benchPostgres, benchSqlite } from '../store/databases.ts'
import { firstDay } from '../store/first-day.ts'

const reach = 1.3
const few = 1000
const callsOfRound = 100

/** What one call came to. */
interface Cost {
  readonly database: string
  readonly call: string
  /** Microseconds of CPU time for one call with few customers. */
  readonly microseconds: number
  /** Cost with many customers over the cost with few, median of the rounds. */
  readonly ratio: number
  /** How far two stores of the same size were apart, in half of the rounds. */
  readonly spread: number
}

/** What each call of the SQL store costs with many customers against 1,000. */
export async function storeCost({ full, customers }: Effort): Promise<Section> {
  const rounds = full ? 21 : 5
  const costs: Cost[] = []
  for (const start of [benchSqlite, benchPostgres]) {
    const database = await start()
    costs.push(...(await costOf(database, customers, rounds).finally(() => database.end())))
  }
  return {
    title: 'The SQL store with many customers',
    method:
      `CPU time of a call, of this process and of the database's together, at ${customers.toLocaleString('en')} customers ` +
      `over that at ${few.toLocaleString('en')}; median of ${rounds} rounds of ${callsOfRound} calls, in which the stores ` +
      'take turns. A second store of the small size is the control.',
    columns: ['database', 'call', 'µs of CPU', `× at ${customers.toLocaleString('en')}`, 'control ±'],
    rows: costs.map(({ database, call, microseconds, ratio, spread }) => {
      return [database, call, microseconds.toFixed(0), ratio.toFixed(2), spread.toFixed(2)]
    }),
    findings: ['SQLite', 'PostgreSQL'].flatMap((name) => {
      const own = costs.filter(({ database }) => database === name)
      return [
        dearest(
          own.filter(({ call }) => call !== firstCall),
          name,
        ),
        dearest(
          own.filter(({ call }) => call === firstCall),
          name,
        ),
      ]
    }),
  }
}

/** The call that suffers most from many customers. */
function dearest(costs: readonly Cost[], database: string): Finding {
  const [worst] = costs.toSorted((one, other) => other.ratio - one.ratio)
  if (worst === undefined) throw new Error(`nothing was measured on ${database}`)
  const { call, ratio, spread } = worst
  return {
    what: `${database}, ${costs.length === 1 ? call : `the most expensive call: ${call}`}`,
    reach: `≤ ${reach}`,
    measured: `${ratio.toFixed(2)} ± ${spread.toFixed(2)}`,
    verdict: ratio <= reach ? 'reached' : ratio - spread <= reach ? 'not resolved' : 'not reached',
  }
}

async function costOf(database: BenchDatabase, many: number, rounds: number): Promise<Cost[]> {
  let day = 0
  const today = () => addDays(firstDay, day)
  const sides = [
    { ...(await database.open(few, today)), customers: few },
    { ...(await database.open(few, today)), customers: few },
    { ...(await database.open(many, today)), customers: many },
  ]
  const costs = new Map(Object.keys(benchCalls).map((call) => [call, sides.map((): number[] => [])]))
  for (let round = 0; round < rounds; round++) {
    day = round
    const emails = sides.map(({ customers }) => activeCustomers(callsOfRound, customers, round))
    for (const [name, call] of Object.entries(benchCalls)) {
      // Each side comes first as often as last.
      for (const [turn] of sides.entries()) {
        const index = (turn + round) % sides.length
        const side = sides[index]
        if (side === undefined) continue
        const cost = await cpuOf(database, () => callAll(call, side.store, emails[index] ?? [], round))
        costs.get(name)?.[index]?.push(cost / callsOfRound)
      }
    }
  }
  for (const { store } of sides) await store.close()
  return [...costs].map(([call, [base = [], control = [], large = []]]) => ({
    database: database.name,
    call,
    microseconds: median(base),
    ratio: median(ratios(large, base)),
    spread: quantile(
      ratios(control, base).map((ratio) => Math.abs(ratio - 1)),
      0.5,
    ),
  }))
}

async function callAll(call: BenchCall, store: Parameters<BenchCall>[0], emails: readonly string[], round: number) {
  for (const [index, email] of emails.entries()) {
    await call(store, email, round)
    // What libsql holds for a statement is freed when the event loop turns.
    if (index % 20 === 0) await new Promise(setImmediate)
  }
}

async function cpuOf(database: BenchDatabase, run: () => Promise<void>): Promise<number> {
  const elsewhere = await database.cpuElsewhere()
  const before = process.cpuUsage()
  await run()
  const { user, system } = process.cpuUsage(before)
  return user + system + (await database.cpuElsewhere()) - elsewhere
}
