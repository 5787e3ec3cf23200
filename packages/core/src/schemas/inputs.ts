import * as z from 'zod/mini'
import { DateString, Email, Id, Quantity } from './fields.ts'

const flag = z._default(z.boolean('must be true or false'), false)

/** Query of listProducts (SPEC endpoint 1). */
export const ListProductsInput = z.object({ email: z.optional(Email) })
/** Query of listProducts (SPEC endpoint 1). */
export type ListProductsInput = z.infer<typeof ListProductsInput>

/** Body of addProduct (SPEC endpoint 2). */
export const AddProductInput = z.object({
  email: Email,
  product_id: Id,
  quantity: z._default(Quantity, 1),
  discount_code: z.optional(Id),
  one_time: flag,
})
/** Body of addProduct (SPEC endpoint 2). */
export type AddProductInput = z.infer<typeof AddProductInput>

/** Body of undoAddProduct (SPEC endpoint 3). */
export const UndoAddProductInput = z.object({ email: Email, product_id: Id })
/** Body of undoAddProduct (SPEC endpoint 3). */
export type UndoAddProductInput = z.infer<typeof UndoAddProductInput>

/** A customer and nothing else: getSubscription, sendNow and listCancelledSubscriptions (SPEC endpoints 4, 5 and 8). */
export const CustomerInput = z.object({ email: Email })
/** A customer and nothing else: getSubscription, sendNow and listCancelledSubscriptions (SPEC endpoints 4, 5 and 8). */
export type CustomerInput = z.infer<typeof CustomerInput>

/** Body of delaySubscription (SPEC endpoint 6). */
export const DelaySubscriptionInput = z.object({ email: Email, new_date: DateString })
/** Body of delaySubscription (SPEC endpoint 6). */
export type DelaySubscriptionInput = z.infer<typeof DelaySubscriptionInput>

/** Body of swapProduct (SPEC endpoint 7). */
export const SwapProductInput = z.object({
  email: Email,
  current_item_id: Id,
  new_product_id: Id,
  discount_code: z.optional(Id),
})
/** Body of swapProduct (SPEC endpoint 7). */
export type SwapProductInput = z.infer<typeof SwapProductInput>

/** Body of reactivateSubscription (SPEC endpoint 9). */
export const ReactivateSubscriptionInput = z.object({
  email: Email,
  subscription_id: Id,
  discount_code: z.optional(Id),
})
/** Body of reactivateSubscription (SPEC endpoint 9). */
export type ReactivateSubscriptionInput = z.infer<typeof ReactivateSubscriptionInput>

/** Body of runCustomAction (SPEC endpoint 10). */
export const RunCustomActionInput = z.object({ email: Email, action_id: Id })
/** Body of runCustomAction (SPEC endpoint 10). */
export type RunCustomActionInput = z.infer<typeof RunCustomActionInput>

/** Query of getDiscount (SPEC endpoint 11). */
export const GetDiscountInput = z.object({ discount_code: Id })
/** Query of getDiscount (SPEC endpoint 11). */
export type GetDiscountInput = z.infer<typeof GetDiscountInput>
