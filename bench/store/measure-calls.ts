import type { SqlStore } from '@storeport/store-sql'
import { type Interval, median, medianInterval, ratios } from '../measure/statistics.ts'
import { type Finding, verdictAtMost, withInterval } from '../report/section.ts'
import type { BenchCall } from './calls.ts'
import { type BenchDatabase, benchPostgres, benchSqlite } from './databases.ts'

/** Customers whose calls are compared with those of others. */
export interface CallSide {
  readonly store: SqlStore
  /** The emails of those who call in a round. */
  readonly emails: (round: number) => readonly string[]
}

/** What a call costs. */
export interface CallCost {
  readonly call: string
  /** Microseconds of CPU time for one call of the first side. */
  readonly microseconds: number
  /** The cost of each side after the control over that of the first. */
  readonly sides: readonly TimesAsMuch[]
  /** The same for the second side, which is like the first. */
  readonly control: TimesAsMuch
}

/** How many times as much something costs: median of the rounds. */
interface TimesAsMuch {
  readonly ratio: number
  /** Where the ratio lies in 95 of 100 cases: bootstrap over the rounds. */
  readonly interval: Interval
}

/** What the calls on one database cost. */
export interface DatabaseCosts {
  readonly database: string
  readonly costs: readonly CallCost[]
}

/** Measures calls on each of the databases, in a quick run on SQLite alone. */
export async function measureOnEach(
  full: boolean,
  measure: (database: BenchDatabase) => Promise<readonly CallCost[]>,
): Promise<DatabaseCosts[]> {
  const results: DatabaseCosts[] = []
  for (const start of full ? [benchSqlite, benchPostgres] : [benchSqlite]) {
    const database = await start()
    const costs = await measure(database).finally(() => database.end())
    results.push({ database: database.name, costs })
  }
  return results
}

/** The rows of a table: database, call, microseconds, the ratios, and that of the control. */
export function costRows(results: readonly DatabaseCosts[]): string[][] {
  return results.flatMap(({ database, costs }) =>
    costs.map(({ call, microseconds, sides, control }) => [
      ...[database, call, microseconds.toFixed(0)],
      ...[...sides, control].map(({ ratio, interval }) => withInterval(ratio, interval, 2)),
    ]),
  )
}

/**
 * Measures calls of this process and what the database does for them, round by round, in which the sides take turns; the
 * second side is the control. `enter` is called before each round.
 */
export async function measureCalls(
  database: BenchDatabase,
  calls: Readonly<Record<string, BenchCall>>,
  sides: readonly CallSide[],
  rounds: number,
  enter: (round: number) => void,
): Promise<CallCost[]> {
  const costs = new Map(Object.keys(calls).map((call) => [call, sides.map((): number[] => [])]))
  for (let round = 0; round < rounds; round++) {
    enter(round)
    const emails = sides.map((side) => side.emails(round))
    for (const [name, call] of Object.entries(calls)) {
      // Each side comes first as often as last.
      for (const [turn] of sides.entries()) {
        const index = (turn + round) % sides.length
        const side = sides[index]
        const own = emails[index]
        if (side === undefined || own === undefined) continue
        const cost = await cpuOf(database, () => callAll(call, side.store, own, round))
        costs.get(name)?.[index]?.push(cost / own.length)
      }
    }
  }
  return [...costs].map(([call, [base = [], control = [], ...others]]) => ({
    call,
    microseconds: median(base),
    sides: others.map((other) => timesAsMuch(other, base)),
    control: timesAsMuch(control, base),
  }))
}

/** What the call that suffers most costs, which is to be at most so many times the first side's: by the last of its ratios. */
export function findDearest(costs: readonly CallCost[], what: string, reach: number): Finding {
  const [worst] = costs.toSorted((one, other) => lastOf(other).ratio - lastOf(one).ratio)
  if (worst === undefined) throw new Error(`nothing was measured: ${what}`)
  const { ratio, interval } = lastOf(worst)
  return {
    what: `${what}, ${costs.length === 1 ? worst.call : `the most expensive call: ${worst.call}`}`,
    reach: `≤ ${reach}`,
    measured: withInterval(ratio, interval, 2),
    verdict: verdictAtMost(ratio, interval, reach),
  }
}

function lastOf({ sides, control }: CallCost): TimesAsMuch {
  return sides.at(-1) ?? control
}

function timesAsMuch(costs: readonly number[], bases: readonly number[]): TimesAsMuch {
  const all = ratios(costs, bases)
  return { ratio: median(all), interval: medianInterval(all) }
}

async function callAll(call: BenchCall, store: SqlStore, emails: readonly string[], round: number) {
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
