import { addDays } from '@storeport/rules'
import { makeCustomer } from '@storeport/testing/make-customer'
import type { Effort, Section } from '../report/section.ts'
import { benchCalls, firstCall } from '../store/calls.ts'
import type { BenchDatabase } from '../store/databases.ts'
import { firstDay, mostRounds } from '../store/first-day.ts'
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

const reach = 1.5
const orders = 1000

/** What is compared with a customer of one subscription and no orders, after that customer itself. */
const sizes = [
  { subscriptions: 1, orders },
  { subscriptions: 10, orders },
  { subscriptions: 100, orders },
]
const small = { subscriptions: 1, orders: 0 }
/** The call that looks for what it answers among all subscriptions; the others look at one. */
const callOfAll = 'listCancelledSubscriptions'

/** What a call costs a customer who has much, where it looks at one subscription. */
export async function accountSize({ full }: Effort): Promise<Section> {
  const rounds = roundsOf(full, 3)
  const customers = full ? 50 : 10
  const results = await measureOnEach(full, (database) => costsOf(database, customers, rounds))
  return {
    title: 'The size of an account',
    method:
      `CPU time of a call, of this process and of the database's together, of a customer with so many active ` +
      `subscriptions and ${orders.toLocaleString('en')} past orders, over that of one with one subscription and no ` +
      `orders; median of ${saidRounds(rounds)} of ${customers} customers of each, who take turns; in brackets, where it lies in ` +
      '95 of 100 cases (bootstrap). Others of the small kind are the control.',
    columns: [
      'database',
      'call',
      'µs of CPU',
      ...sizes.map(({ subscriptions }) => `× with ${subscriptions}`),
      'control ×',
    ],
    rows: costRows(results),
    findings: results.flatMap(({ database, costs }) => {
      const what = `${database}, 100 subscriptions and 1,000 orders`
      const isOfAll = ({ call }: CallCost) => call === callOfAll
      return [
        findDearest(
          costs.filter((cost) => !isOfAll(cost)),
          what,
          reach,
        ),
        { ...findDearest(costs.filter(isOfAll), what, reach), reach: '–', verdict: 'reported only' },
      ]
    }),
  }
}

async function costsOf(database: BenchDatabase, customers: number, rounds: Rounds): Promise<CallCost[]> {
  let day = 0
  const { store, url } = await database.open(0, () => addDays(firstDay, day))
  const sides = []
  for (const [index, size] of [small, small, ...sizes].entries()) {
    const emails = Array.from({ length: customers }, (_, number) => `customer${number}.${index}@example.com`)
    for (const email of emails) await makeCustomer(store, email, size, addDays(firstDay, mostRounds))
    sides.push({ store, emails: () => emails })
  }
  await database.settle(url)
  const { [firstCall]: _, getDiscount: __, ...calls } = benchCalls
  const costs = await measureCalls(database, calls, sides, rounds, (round) => {
    day = round
  })
  await store.close()
  return costs
}
