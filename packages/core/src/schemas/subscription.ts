import * as z from 'zod/mini'
import { DateString, Id, ImageUrl, Money, Quantity, Text } from './fields.ts'

/** An item of a subscription; its `id` is what swapProduct takes as `current_item_id` (SUBSCRIPTION-1, SUBSCRIPTION-4). */
export const SubscriptionItem = z.object({
  id: Id,
  title: Text,
  price: Money,
  images: z.array(ImageUrl),
  quantity: Quantity,
  description: z.optional(z.string()),
})
/** An item of a subscription; its `id` is what swapProduct takes as `current_item_id` (SUBSCRIPTION-1, SUBSCRIPTION-4). */
export type SubscriptionItem = z.infer<typeof SubscriptionItem>

/** Data of getSubscription: what the next order will contain (SUBSCRIPTION-1). */
export const CurrentSubscription = z.object({
  next_billing_date: DateString,
  items: z.array(SubscriptionItem).check(z.refine(haveUniqueIds, 'must not hold the same id twice')),
  shipping_total_cost: z.optional(Money),
  order_discount_total: z.optional(Money),
  customer_tax_rate: z.optional(z.number().check(z.gte(0, 'must not be negative'))),
})
/** Data of getSubscription: what the next order will contain (SUBSCRIPTION-1). */
export type CurrentSubscription = z.infer<typeof CurrentSubscription>

/** A cancelled subscription that can be reactivated (CANCELLED-1). */
export const CancelledSubscription = z.object({
  subscription_id: Id,
  title: Text,
  products: z.array(SubscriptionItem),
})
/** A cancelled subscription that can be reactivated (CANCELLED-1). */
export type CancelledSubscription = z.infer<typeof CancelledSubscription>

/** Data of listCancelledSubscriptions, in the order of display (CANCELLED-1, CANCELLED-2). */
export const CancelledSubscriptionList = z.object({ subscriptions: z.array(CancelledSubscription) })
/** Data of listCancelledSubscriptions, in the order of display (CANCELLED-1, CANCELLED-2). */
export type CancelledSubscriptionList = z.infer<typeof CancelledSubscriptionList>

function haveUniqueIds(items: readonly { readonly id: string }[]): boolean {
  return new Set(items.map((item) => item.id)).size === items.length
}
