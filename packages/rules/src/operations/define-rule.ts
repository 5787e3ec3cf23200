import type { CustomerAccount } from '../account/customer-account.ts'
import type { Shop } from '../shop/shop.ts'

/** Function of an operation. A read returns its output; a change returns the changed account. Throws StoreError. */
export type Rule<Account, Input, Result> = (account: Account, input: Input, shop: Shop) => Result

/** A part of an account that a store may omit if the rule does not use it. `products`: the products of the items. */
export type AccountPart = Exclude<keyof CustomerAccount, 'email' | 'pending_charge'> | 'products'

/**
 * Subscriptions that a rule uses: the current subscription, the cancelled subscriptions, the subscriptions with an
 * addition that can be undone, or the subscription in the input.
 */
export type SubscriptionNeed = 'current' | 'cancelled' | 'added' | 'named'

/** Ids and codes in an input. A store loads their data before it calls the rule. */
export interface NamedInput {
  /** The customer's email. */
  readonly email?: string | undefined
  /** The product, in addition to the products of the account. */
  readonly product_id?: string | undefined
  /** The discount code. */
  readonly discount_code?: string | undefined
  /** The subscription that `named` in `SubscriptionNeed` refers to. */
  readonly subscription_id?: string | undefined
}

/** The data that a rule requires if `isDue` returns false. Otherwise, the rule requires the whole account. */
export interface RuleNeeds<Input, Uses extends AccountPart = AccountPart> {
  /**
   * The parts of the account that the rule uses. A store may pass other lists empty, and the date and time of the last
   * order as null. The rule leaves these parts unchanged or appends to them.
   */
  readonly uses: readonly Uses[]
  /** The subscriptions that the rule uses. A store may omit others, which saves time for customers with many. */
  readonly subscriptions: readonly SubscriptionNeed[]
  /** Whether the customer must exist; default `required`: an unknown customer is rejected with `customer_not_found`. */
  readonly customer?: 'required' | 'optional' | 'none'
  /** Returns the ids and codes in the input, without the email. Omitted for inputs without ids and codes. */
  readonly names?: (input: Input) => Omit<NamedInput, 'email'>
}

/** A rule with its needs as properties. */
export type DefinedRule<Account, Input, Result, Uses extends AccountPart> = Rule<Account, Input, Result> &
  RuleNeeds<Input, Uses>

/** Creates a rule: the function of an operation, with its needs as properties. */
export function defineRule<Account, Input, Result, Uses extends AccountPart>({
  apply,
  ...needs
}: RuleNeeds<Input, Uses> & { readonly apply: Rule<Account, Input, Result> }): DefinedRule<
  Account,
  Input,
  Result,
  Uses
> {
  return Object.assign(apply, needs)
}
