import type { EndpointName, endpoints } from '@storeport/core'
import type { Shop } from '../shop/shop.ts'
import { addProduct } from './add-product.ts'
import { delaySubscription } from './delay-subscription.ts'
import { getDiscount } from './get-discount.ts'
import { getSubscription } from './get-subscription.ts'
import { listCancelledSubscriptions } from './list-cancelled-subscriptions.ts'
import { listProducts } from './list-products.ts'
import { reactivateSubscription } from './reactivate-subscription.ts'
import { sendNow } from './send-now.ts'
import { swapProduct } from './swap-product.ts'
import { undoAddProduct } from './undo-add-product.ts'

/** What an operation means: a read answers, a change returns the changed account; a refusal is a thrown `StoreError`. */
export type Rule<Account, Input, Result> = (account: Account, input: Input, shop: Shop) => Result

/** An operation that has a rule: all but the custom action, whose business is the merchant's own. */
export type RuleName = Exclude<EndpointName, 'runCustomAction'>

/** An operation that changes nothing. */
export type ReadName = {
  [Name in RuleName]: (typeof endpoints)[Name]['method'] extends 'GET' ? Name : never
}[RuleName]

/** An operation that changes the customer's account. */
export type ChangeName = Exclude<RuleName, ReadName>

/** The rule of every operation, by the endpoint's name. */
export const allRules = {
  // Upsells
  listProducts,
  addProduct,
  undoAddProduct,

  // Customer portal
  getSubscription,
  sendNow,
  delaySubscription,
  swapProduct,

  // Reactivation
  listCancelledSubscriptions,
  reactivateSubscription,

  // Discounts
  getDiscount,
} satisfies Readonly<Record<RuleName, unknown>>

/** The rules of a shop. */
export type Rules = Readonly<typeof allRules>
