import type { Run, Transaction } from './database.ts'
import type { Loaded } from './load.ts'

/** A custom action. It runs in the transaction that stores its click. */
type Action = (tx: Run, customer: Loaded['customer_id'], transaction: Transaction) => Promise<unknown>

const everyThreeMonths = `update subscriptions set every_count = 3 where customer_id = ? and every_unit = 'month'`
const log = 'insert into action_log (customer_id, action) values (?, ?)'

/** The custom actions that emails can run, by id. */
export const actions = new Map<string, Action>([
  ['join_tasting', (tx, id) => tx(log, [id, 'join_tasting'])],
  [
    'change_to_quarterly',
    async (tx, id) => {
      await tx(log, [id, 'change_to_quarterly'])
      await tx(everyThreeMonths, [id])
    },
  ],
])
