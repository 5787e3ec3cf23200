import type { Db } from './database.ts'

/** A custom action. It runs in the transaction that stores its click. */
type Action = (tx: Db, customer_id: bigint) => Promise<unknown>

/** The custom actions that emails can run, by id. */
export const actions = new Map<string, Action>([
  ['join_tasting', async (tx, customer_id) => tx.action_log.create({ data: { customer_id, action: 'join_tasting' } })],
  [
    'change_to_quarterly',
    async (tx, customer_id) => {
      await tx.action_log.create({ data: { customer_id, action: 'change_to_quarterly' } })
      await tx.subscriptions.updateMany({ where: { customer_id, every_unit: 'month' }, data: { every_count: 3 } })
    },
  ],
])
