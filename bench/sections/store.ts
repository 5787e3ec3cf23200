import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Context } from '@storeport/core'
import { addDays } from '@storeport/rules'
import type { SqlStore } from '@storeport/store-sql'
import { activeCustomers, type BenchDatabase, maxDays, onEach } from '../databases.ts'
import { withInterval } from '../measure/statistics.ts'
import { type Measured, type Side, takeTurns } from '../measure/alternate.ts'
import type { Effort, Section } from '../report.ts'
import { firstDay } from '../shop.ts'

const few = 1000
const callsOfRound = 100

setFlagsFromString('--expose-gc')
const collectGarbage: (options: { type: 'minor' }) => void = runInNewContext('gc')

type StoreCall = (store: SqlStore, email: string, round: number) => Promise<unknown>

/**
 * Store methods in the sequence of a round. All methods use the same customers, so that undoAddProduct reverts
 * addProduct.
 */
const calls: Readonly<Record<string, StoreCall>> = {
  // Measures the first read of a customer, whose database pages are not in memory yet.
  'getSubscription, first for a customer': (store, email) => store.getSubscription({ email }, context()),
  listProducts: (store, email) => store.listProducts({ email }, context()),
  getSubscription: (store, email) => store.getSubscription({ email }, context()),
  addProduct: (store, email) => {
    const input = { email, product_id: 'test_12345', quantity: 1, one_time: true }
    return store.addProduct(input, context())
  },
  undoAddProduct: (store, email) => store.undoAddProduct({ email, product_id: 'test_12345' }, context()),
  delaySubscription: (store, email, round) =>
    store.delaySubscription({ email, new_date: addDays(firstDay, maxDays + 75 + 40 * round) }, context()),
}

/** Compares the CPU time of store methods with many customers and with 1,000 customers. */
export async function manyCustomers({ full, customers }: Effort): Promise<Section> {
  const many = customers.toLocaleString('en')
  const rounds = full ? 60 : 5
  return {
    title: 'The SQL store with many customers',
    method:
      `CPU time of a call, in this process and in the database, with ${many} customers divided by that with ` +
      `${few.toLocaleString('en')}. ${rounds} rounds of ${callsOfRound} calls. The control is a second small store.`,
    columns: ['database', 'call', `µs, ${few.toLocaleString('en')} customers`, `× with ${many}`, 'control ×'],
    rows: await onEach(full, async (database) => {
      let day = 0
      const today = () => addDays(firstDay, day)
      const sides: Side[] = []
      const stores: SqlStore[] = []
      for (const [index, count] of [few, few, customers].entries()) {
        const { store: opened } = await database.open(count, today)
        stores.push(opened)
        sides.push({
          name: String(index),
          start: async (round) => {
            day = round
            return timedStore(database, opened, activeCustomers(callsOfRound, count, round), round)
          },
        })
      }
      const works = Object.keys(calls)
      const measured = await takeTurns({ sides, works, rounds, count: callsOfRound, warmUp: 0, lots: 1 })
      for (const each of stores) await each.close()
      return works.map((work) => {
        const [base, again, large] = measured.filter((each) => each.work === work)
        return [database.name, work, base?.microseconds.toFixed(0) ?? '', timesAsMuch(large), timesAsMuch(again)]
      })
    }),
  }
}

/** Returns an object that measures store methods in one round, in this process. */
function timedStore(database: BenchDatabase, opened: SqlStore, emails: readonly string[], round: number) {
  return {
    measure: async (work: string, count: number) => {
      // Collects garbage from earlier work, so that the measurement does not include its collection.
      collectGarbage({ type: 'minor' })
      const elsewhere = await database.cpuElsewhere()
      const before = process.cpuUsage()
      for (const [index, email] of emails.slice(0, count).entries()) {
        await calls[work]?.(opened, email, round)
        // Lets libsql free the memory of statements, which happens in the next iteration of the event loop.
        if (index % 20 === 0) await new Promise(setImmediate)
      }
      const { user, system } = process.cpuUsage(before)
      return (user + system + (await database.cpuElsewhere()) - elsewhere) / count
    },
    end: async () => {},
  }
}

/** Formats the CPU time relative to the base. This is the inverse of the relative speed `ratio`. */
function timesAsMuch(measured: Measured | undefined): string {
  if (measured === undefined) return ''
  const { ratio, interval } = measured
  return withInterval(1 / ratio, [1 / interval[1], 1 / interval[0]], 2)
}

function context(): Context {
  const { signal } = new AbortController()
  return { requestId: 'bench', signal, idempotencyKey: crypto.randomUUID(), testMode: false }
}
