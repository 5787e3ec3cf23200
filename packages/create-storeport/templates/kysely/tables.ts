import type { Generated } from 'kysely'

/** Types of your tables, for your custom actions. StorePort does not use these types. */
export interface Tables {
  subscriptions: {
    id: string
    customer_id: string
    name: string
    status: 'active' | 'paused' | 'cancelled'
    next_date: string | null
    every_count: number
    every_unit: 'day' | 'week' | 'month'
  }
  action_log: { id: Generated<string>; customer_id: number; action: string }
}
