import type { EndpointName, endpoints, InputOf, OutputOf } from '@storeport/core'
import type { CustomerAccount } from '../account/customer-account.ts'
import { addProduct } from './add-product.ts'
import type { NamedInput, Rule } from './define-rule.ts'
import { delaySubscription } from './delay-subscription.ts'
import { getDiscount } from './get-discount.ts'
import { getSubscription } from './get-subscription.ts'
import { listCancelledSubscriptions } from './list-cancelled-subscriptions.ts'
import { listProducts } from './list-products.ts'
import { reactivateSubscription } from './reactivate-subscription.ts'
import { sendNow } from './send-now.ts'
import { swapProduct } from './swap-product.ts'
import { undoAddProduct } from './undo-add-product.ts'

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

/** The names of the operations that have a rule. */
// oxlint-disable-next-line typescript/consistent-type-assertions -- the record has no other keys
export const ruleNames = Object.keys(allRules) as RuleName[]

/** What the rule of a read uses of an account. */
export type ReadAccount<Name extends ReadName> = Pick<
  CustomerAccount,
  Extract<(typeof allRules)[Name]['uses'][number], keyof CustomerAccount>
>

/** The rules of a shop. */
export type Rules = {
  readonly [Name in RuleName]: Name extends ReadName
    ? Rule<Parameters<(typeof allRules)[Name]>[0], InputOf<Name>, OutputOf<Name>>
    : Rule<CustomerAccount, InputOf<Name>, CustomerAccount>
}

/** Returns the customer, the product, the discount code and the subscription that a call names and its rule may ask for. */
export function findNamed<Name extends RuleName>(name: Name, input: InputOf<Name>): NamedInput {
  // oxlint-disable-next-line typescript/consistent-type-assertions -- the rule belongs to the name
  const { names } = allRules[name] as { readonly names?: (input: InputOf<Name>) => NamedInput }
  return { ...('email' in input && { email: input.email }), ...names?.(input) }
}
