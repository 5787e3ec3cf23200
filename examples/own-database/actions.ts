import { and, eq } from 'drizzle-orm'
import type { Db } from './database.ts'
import { action_log, subscriptions } from './schema.ts'

/** A custom action. It runs in the transaction that stores its click. */
type Action = (tx: Db, customer_id: number) => Promise<unknown>

/** The custom actions that emails can run, by id. */
export const actions = new Map<string, Action>([
  ['join_tasting', (tx, customer_id) => tx.insert(action_log).values({ customer_id, action: 'join_tasting' })],
  [
    'change_to_quarterly',
    async (tx, customer_id) => {
      await tx.insert(action_log).values({ customer_id, action: 'change_to_quarterly' })
      const isMonthly = and(eq(subscriptions.customer_id, customer_id), eq(subscriptions.every_unit, 'month'))
      await tx.update(subscriptions).set({ every_count: 3 }).where(isMonthly)
    },
  ],
])
