import type { SqlStore } from '@storeport/store-sql'
import { collectGarbage } from '../measure/collect-garbage.ts'
import { halfWidth, type Interval, median, medianInterval, ratios } from '../measure/statistics.ts'
import { type Finding, verdictAtMost, withInterval } from '../report/section.ts'
import type { BenchCall } from './calls.ts'
import { type BenchDatabase, benchPostgres, benchSqlite } from './databases.ts'
import { mostRounds } from './first-day.ts'

/** Customers whose calls are compared with those of others. */
export interface CallSide {
  readonly store: SqlStore
  /** The emails of those who call in a round. */
  readonly emails: (round: number) => readonly string[]
}

/** How long calls are measured. */
export interface Rounds {
  readonly least: number
  /** At most, where fewer leave an interval wider than `resolves`. */
  readonly most: number
  /** Half the width that the interval of a ratio may have. */
  readonly resolves: number
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

/** How long calls are measured: in a full run until their ratios are known to a tenth, in a quick one for a few rounds. */
export function roundsOf(full: boolean, few: number): Rounds {
  return full ? { least: 41, most: mostRounds, resolves: 0.1 } : { least: few, most: few, resolves: 0 }
}

/** How long calls are measured, in words. */
export function saidRounds({ least, most, resolves }: Rounds): string {
  return most === least ? `${least} rounds` : `${least} rounds, or up to ${most} until each ratio is ± ${resolves},`
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
  rounds: Rounds,
  enter: (round: number) => void,
): Promise<CallCost[]> {
  const costs = new Map(Object.keys(calls).map((call) => [call, sides.map((): number[] => [])]))
  for (let round = 0; round < rounds.least || (round < rounds.most && !isResolved(costs, round, rounds)); round++) {
    process.stderr.write(`\rround ${round + 1} of ${rounds.least} to ${rounds.most} `)
    enter(round)
    const emails = sides.map((side) => side.emails(round))
    for (const [name, call] of Object.entries(calls)) {
      // Each side comes first as often as last.
      for (const [turn] of sides.entries()) {
        const index = (turn + round) % sides.length
        const side = sides[index]
        const own = emails[index]
        if (side === undefined || own === undefined) continue
        // What the one before has left would be collected at the cost of this one.
        collectGarbage('minor')
        const cost = await cpuOf(database, () => callAll(call, side.store, own, round))
        costs.get(name)?.[index]?.push(cost / own.length)
      }
    }
  }
  process.stderr.write('\r\u001B[K')
  return [...costs].map(([call, ofSides]) => costOf(call, ofSides))
}

/** Whether every ratio is known well enough; it is asked every tenth round, since the answer takes as long as a round. */
function isResolved(costs: ReadonlyMap<string, readonly number[][]>, round: number, { resolves }: Rounds): boolean {
  if (round % 10 !== 0) return false
  return [...costs].every(([call, ofSides]) =>
    costOf(call, ofSides).sides.every(({ interval }) => halfWidth(interval) <= resolves),
  )
}

function costOf(call: string, [base = [], control = [], ...others]: readonly number[][]): CallCost {
  return {
    call,
    microseconds: median(base),
    sides: others.map((other) => timesAsMuch(other, base)),
    control: timesAsMuch(control, base),
  }
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

function lastOf({ sides }: CallCost): TimesAsMuch {
  return sides.at(-1) ?? { ratio: Number.NaN, interval: [Number.NaN, Number.NaN] }
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
