import type { Run, Transaction } from './database.ts'

const everyThreeMonths = `update subscriptions set every_count = 3 where customer_id = ? and every_unit = 'month'`

/** The custom actions that emails can run. Each runs in the transaction that stores its click. */
export const actions = new Map<string, (tx: Run, id: number, transaction: Transaction) => Promise<unknown>>([
  // The row in `action_log` is the only effect.
  ['join_tasting', async () => {}],
  ['change_to_quarterly', (tx, id) => tx(everyThreeMonths, [id])],
])
