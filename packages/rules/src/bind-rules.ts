import { type EndpointName, endpoints, type InputOf, type OutputOf, StoreError } from '@storeport/core'
import { checkAccount, checkShop } from './account/check-account.ts'
import type { CustomerAccount } from './account/customer-account.ts'
import { addProduct } from './operations/add-product.ts'
import type { NamedInput, Rule, RuleNeeds } from './operations/define-rule.ts'
import { delaySubscription } from './operations/delay-subscription.ts'
import { getDiscount } from './operations/get-discount.ts'
import { getSubscription } from './operations/get-subscription.ts'
import { listCancelledSubscriptions } from './operations/list-cancelled-subscriptions.ts'
import { listProducts } from './operations/list-products.ts'
import { reactivateSubscription } from './operations/reactivate-subscription.ts'
import { sendNow } from './operations/send-now.ts'
import { swapProduct } from './operations/swap-product.ts'
import { undoAddProduct } from './operations/undo-add-product.ts'
import { chargePending } from './account/orders.ts'
import { soonest } from './account/subscriptions.ts'
import type { Shop } from './shop/shop.ts'

/** An operation with a rule: all operations except the custom action, which the merchant defines. */
export type RuleName = Exclude<EndpointName, 'runCustomAction'>

/** An operation that only reads. */
export type ReadName = {
  [Name in RuleName]: (typeof endpoints)[Name]['method'] extends 'GET' ? Name : never
}[RuleName]

/** An operation that changes the customer's account. */
export type ChangeName = Exclude<RuleName, ReadName>

/** Rules by endpoint name. */
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

/** Names of the operations with a rule. */
// oxlint-disable-next-line typescript/consistent-type-assertions -- the record has no other keys
export const ruleNames = Object.keys(allRules) as RuleName[]

/** One rule for each operation. */
export type Rules = {
  readonly [Name in RuleName]: Name extends ReadName
    ? Rule<Parameters<(typeof allRules)[Name]>[0], InputOf<Name>, OutputOf<Name>>
    : Rule<CustomerAccount, InputOf<Name>, CustomerAccount>
}

/**
 * A rule with its checks. A read returns its output, and a change returns the changed account. Pass `undefined` for an
 * unknown customer. Throws StoreError to reject a request, and TypeError for an invalid record.
 */
export type BoundRule<Input, Result> = Rule<CustomerAccount | undefined, Input, Result> &
  Pick<RuleNeeds<Input>, 'uses' | 'subscriptions'> & {
    readonly operation: RuleName
    /** Returns the ids and codes in an input. A store loads the matching records before it calls the rule. */
    named(input: Input): NamedInput
  }

/** A rule of an operation that changes the account. */
export type BoundChange<Input> = BoundRule<Input, CustomerAccount>

/** The rules of all operations except `runCustomAction`. */
export type BoundRules = {
  readonly [Name in RuleName]: BoundRule<InputOf<Name>, Name extends ReadName ? OutputOf<Name> : CustomerAccount>
}

/** Options of `bindRules`. */
export interface BindOptions {
  /** Rules that replace the rules of `allRules`. */
  readonly rules?: Rules | undefined
}

function findCurrent(active: CustomerAccount['subscriptions'], { today }: Shop): CustomerAccount['subscriptions'] {
  const current = soonest(active, today)
  return current === undefined ? [] : [current]
}

/**
 * Adds the checks that every store needs to the rules. They throw `customer_not_found` for an unknown customer, except
 * for `listProducts`, which returns the general list, and `getDiscount`, which has no customer. While the charge of an
 * order is pending, a change of its subscription throws `store_unavailable`.
 *
 * No rule bills: the order of a due subscription can still change until the billing job creates it.
 *
 * `checkAccount` checks the records of the loaded account that the operation uses. Discount codes, and the products of a
 * change, are checked when a rule uses them. For an invalid record, the rule throws a TypeError such as
 * `subscription_item 8f: price_minor must be an integer of at least 0`.
 */
export function bindRules({ rules = allRules }: BindOptions = {}): BoundRules {
  const bind = (operation: RuleName) => {
    // oxlint-disable-next-line typescript/consistent-type-assertions -- the rule belongs to the name
    const rule = rules[operation] as Rule<CustomerAccount | undefined, unknown, unknown>
    // oxlint-disable-next-line typescript/consistent-type-assertions -- the needs belong to the name
    const { customer = 'required', ...needs } = allRules[operation] as RuleNeeds<unknown>
    const { names, uses, subscriptions } = needs
    const isChange = endpoints[operation].method === 'POST'
    const usesCurrent = subscriptions.includes('current') && needs.ignoresAmounts !== true
    const apply = (given: CustomerAccount | undefined, input: unknown, shop: Shop) => {
      // Databases return null for a row that does not exist.
      const account = given ?? undefined
      if (account === undefined && customer === 'required') throw new StoreError('customer_not_found')
      if (account !== undefined)
        checkAccount(account, { uses, select: (active) => (usesCurrent ? findCurrent(active, shop) : []) })
      const checked = checkShop(shop, { checksProducts: isChange })
      const result = rule(customer === 'none' ? undefined : account, input, checked)
      // oxlint-disable-next-line typescript/consistent-type-assertions -- the result of a change
      if (isChange && account && touchesPending(account, result as CustomerAccount)) throw chargePending()
      return result
    }
    const named = (input: { readonly email?: string }) => ({ email: input.email, ...names?.(input) })
    return [operation, Object.assign(apply, { operation, uses, subscriptions, named })]
  }
  // oxlint-disable-next-line typescript/consistent-type-assertions -- each name has its rule
  return Object.fromEntries(ruleNames.map(bind)) as BoundRules
}

/** Returns whether a change modifies the subscription of a pending charge. Its order must not change before the charge. */
function touchesPending(before: CustomerAccount, after: CustomerAccount): boolean {
  const id = before.pending_charge?.order.subscription_id
  const find = ({ subscriptions }: CustomerAccount) => subscriptions.find((each) => each.id === id)
  return id !== undefined && find(before) !== find(after)
}
