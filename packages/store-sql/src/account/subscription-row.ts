import type { Subscription } from '@storeport/rules'
import type { NewJsonRow } from '../columns.ts'

/** The row of a customer's subscription. */
export function subscriptionRow(
  customer_id: string,
  { interval, items: _, ...columns }: Subscription,
): NewJsonRow<'subscriptions'> {
  return { ...columns, customer_id, interval_unit: interval.unit, interval_count: interval.count }
}
