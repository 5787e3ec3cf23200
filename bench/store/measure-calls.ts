import type { SqlStore } from '@storeport/store-sql'
import { median, quantile, ratios } from '../measure/statistics.ts'
import type { Finding } from '../report/section.ts'
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
  /** The cost of each further side over that of the first, median of the rounds. */
  readonly ratios: readonly number[]
  /** How far the second side, which is like the first, was apart from it, in half of the rounds. */
  readonly spread: number
}

/** What the calls on one database cost. */
export interface DatabaseCosts {
  readonly database: string
  readonly costs: readonly CallCost[]
}

/** Measures calls on each of the databases. */
export async function measureOnEach(
  measure: (database: BenchDatabase) => Promise<readonly CallCost[]>,
): Promise<DatabaseCosts[]> {
  const results: DatabaseCosts[] = []
  for (const start of [benchSqlite, benchPostgres]) {
    const database = await start()
    const costs = await measure(database).finally(() => database.end())
    results.push({ database: database.name, costs })
  }
  return results
}

/** The rows of a table: database, call, microseconds, the ratios, and how far the control was off. */
export function costRows(results: readonly DatabaseCosts[]): string[][] {
  return results.flatMap(({ database, costs }) =>
    costs.map(({ call, microseconds, ratios: all, spread }) => {
      return [database, call, microseconds.toFixed(0), ...all.map((ratio) => ratio.toFixed(2)), spread.toFixed(2)]
    }),
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
    ratios: others.map((other) => median(ratios(other, base))),
    spread: quantile(
      ratios(control, base).map((ratio) => Math.abs(ratio - 1)),
      0.5,
    ),
  }))
}

/** What the call that suffers most costs, which is to be at most so many times the first side's: by the last of its ratios. */
export function findDearest(costs: readonly CallCost[], what: string, reach: number): Finding {
  const [worst] = costs.toSorted((one, other) => lastRatio(other) - lastRatio(one))
  if (worst === undefined) throw new Error(`nothing was measured: ${what}`)
  const { call, spread } = worst
  const ratio = lastRatio(worst)
  return {
    what: `${what}, ${costs.length === 1 ? call : `the most expensive call: ${call}`}`,
    reach: `≤ ${reach}`,
    measured: `${ratio.toFixed(2)} ± ${spread.toFixed(2)}`,
    verdict: ratio <= reach ? 'reached' : ratio - spread <= reach ? 'not resolved' : 'not reached',
  }
}

function lastRatio({ ratios: all }: CallCost): number {
  return all.at(-1) ?? Number.NaN
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
