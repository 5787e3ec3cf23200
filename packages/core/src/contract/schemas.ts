import * as z from 'zod/mini'
import { DateString, Email, Id, ImageUrl, Money, PositiveMoney, Quantity, TaxRate, Text } from './fields.ts'

/** A product that can be offered (PRODUCTS-1). CONTRIBUTING.md lists the steps to add a field. */
export const Product = z.object({
  id: Id,
  title: Text,
  price: Money,
  images: z.array(ImageUrl, 'must be a list'),
  compare_at_price: z.optional(Money),
  description: z.optional(z.string('must be a string')),
})
/** A product that can be offered (PRODUCTS-1). */
export type Product = z.infer<typeof Product>

/** Response data of listProducts (PRODUCTS-1). */
export const ProductList = z.object({ products: z.array(Product) })
/** Response data of listProducts (PRODUCTS-1). */
export type ProductList = z.infer<typeof ProductList>

/** An item of a subscription. swapProduct takes its `id` as `current_item_id` (SUBSCRIPTION-1, SUBSCRIPTION-4). */
export const SubscriptionItem = z.object({
  id: Id,
  title: Text,
  price: Money,
  images: z.array(ImageUrl, 'must be a list'),
  quantity: Quantity,
  description: z.optional(z.string('must be a string')),
})
/** An item of a subscription. swapProduct takes its `id` as `current_item_id` (SUBSCRIPTION-1, SUBSCRIPTION-4). */
export type SubscriptionItem = z.infer<typeof SubscriptionItem>

/** Check of a list whose rows have unique ids. */
export const uniqueIds = z.refine<readonly { readonly id: string }[]>(
  (items) => new Set(items.map((item) => item.id)).size === items.length,
  'must not contain the same id twice',
)

/** Response data of getSubscription: the contents of the next order (SUBSCRIPTION-1). */
export const CurrentSubscription = z.object({
  next_billing_date: DateString,
  items: z.array(SubscriptionItem).check(uniqueIds),
  shipping_total_cost: z.optional(Money),
  order_discount_total: z.optional(Money),
  customer_tax_rate: z.optional(TaxRate),
})
/** Response data of getSubscription: the contents of the next order (SUBSCRIPTION-1). */
export type CurrentSubscription = z.infer<typeof CurrentSubscription>

/** A cancelled subscription that can be reactivated (CANCELLED-1). */
export const CancelledSubscription = z.object({
  subscription_id: Id,
  title: Text,
  products: z.array(SubscriptionItem),
})
/** A cancelled subscription that can be reactivated (CANCELLED-1). */
export type CancelledSubscription = z.infer<typeof CancelledSubscription>

/** Response data of listCancelledSubscriptions, in display order (CANCELLED-1, CANCELLED-2). */
export const CancelledSubscriptionList = z.object({ subscriptions: z.array(CancelledSubscription) })
/** Response data of listCancelledSubscriptions, in display order (CANCELLED-1, CANCELLED-2). */
export type CancelledSubscriptionList = z.infer<typeof CancelledSubscriptionList>

/** Response data of getDiscount: a percentage (15 means 15%) or a fixed amount, never both (DISCOUNT-1). */
export const Discount = z.discriminatedUnion('discount_type', [
  z.object({
    discount_type: z.literal('percentage'),
    discount_percentage: z.number().check(z.gt(0, 'must be more than 0'), z.lte(100, 'must be at most 100')),
  }),
  z.object({
    discount_type: z.literal('fixed_amount'),
    discount_amount: PositiveMoney,
  }),
])
/** Response data of getDiscount: a percentage (15 means 15%) or a fixed amount, never both (DISCOUNT-1). */
export type Discount = z.infer<typeof Discount>

/** Input of getSubscription, sendNow and listCancelledSubscriptions: only the customer (EMAIL-1). */
export const CustomerInput = z.object({ email: Email })
/** Input of getSubscription, sendNow and listCancelledSubscriptions: only the customer (EMAIL-1). */
export type CustomerInput = z.infer<typeof CustomerInput>

/** Output of a change. Rejects `false` and `{ success: false }`, which would otherwise be treated as a success. */
export const Nothing = z
  .unknown()
  .check(z.refine(isNotFailure, 'must not be false. To reject the request, throw a StoreError.'))

function isNotFailure(value: unknown): boolean {
  if (value === false) return false
  return !(typeof value === 'object' && value !== null && 'success' in value && value.success === false)
}

/** Schema with which clients validate every response body (JSON-1, ERROR-1). The endpoint's own schema validates `data`. */
export const Envelope = z.discriminatedUnion(
  'success',
  [
    z.object({ success: z.literal(true), data: z.optional(z.unknown()) }),
    z.object({
      success: z.literal(false),
      error: z.object(
        { code: z.string('must be a string'), message: z.string('must be a string') },
        'must be an object',
      ),
    }),
  ],
  'must be true or false',
)
