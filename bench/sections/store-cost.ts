import { addDays } from '@storeport/rules'
import type { Effort, Section } from '../report/section.ts'
import { activeCustomers, benchCalls, firstCall } from '../store/calls.ts'
import type { BenchDatabase } from '../store/databases.ts'
import { firstDay } from '../store/first-day.ts'
import {
  type CallCost,
  costRows,
  findDearest,
  measureCalls,
  measureOnEach,
  type Rounds,
  roundsOf,
  saidRounds,
} from '../store/measure-calls.ts'

const reach = 1.3
const few = 1000
const callsOfRound = 100

/** What each call of the SQL store costs with many customers against 1,000. */
export async function storeCost({ full, customers }: Effort): Promise<Section> {
  const rounds = roundsOf(full, 5)
  const results = await measureOnEach(full, (database) => costsOf(database, customers, rounds))
  return {
    title: 'The SQL store with many customers',
    method:
      `CPU time of a call, of this process and of the database's together, at ${customers.toLocaleString('en')} customers ` +
      `over that at ${few.toLocaleString('en')}; median of ${saidRounds(rounds)} of ${callsOfRound} calls, in which the stores ` +
      'take turns; in brackets, where it lies in 95 of 100 cases (bootstrap). A second store of the small size is the ' +
      'control.',
    columns: ['database', 'call', 'µs of CPU', `× at ${customers.toLocaleString('en')}`, 'control ×'],
    rows: costRows(results),
    findings: results.flatMap(({ database, costs }) =>
      [false, true].map((isFirst) =>
        findDearest(
          costs.filter(({ call }) => (call === firstCall) === isFirst),
          database,
          reach,
        ),
      ),
    ),
  }
}

async function costsOf(database: BenchDatabase, many: number, rounds: Rounds): Promise<CallCost[]> {
  let day = 0
  const today = () => addDays(firstDay, day)
  const open = async (customers: number) => {
    const { store } = await database.open(customers, today)
    return { store, emails: (round: number) => activeCustomers(callsOfRound, customers, round) }
  }
  const sides = [await open(few), await open(few), await open(many)]
  const costs = await measureCalls(database, benchCalls, sides, rounds, (round) => {
    day = round
  })
  for (const { store } of sides) await store.close()
  return costs
}
