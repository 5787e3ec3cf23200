import type { Run, Transaction } from './database.ts'

const everyThreeMonths = `update subscriptions set every_count = 3 where customer_id = ? and every_unit = 'month'`

/** Custom actions that emails can run. Each action runs in the transaction that stores its click. */
export const actions = new Map<string, (tx: Run, id: number, transaction: Transaction) => Promise<unknown>>([
  // Has no effect except the row in `action_log`.
  ['join_tasting', async () => {}],
  ['change_to_quarterly', (tx, id) => tx(everyThreeMonths, [id])],
])
