import type { CustomerAccount } from '../account/customer-account.ts'
import type { Shop } from '../shop/shop.ts'

/**
 * The function that implements an operation. A read returns its output; a change returns the changed account. Throws
 * StoreError.
 */
export type Rule<Account, Input, Result> = (account: Account, input: Input, shop: Shop) => Result

/**
 * A part of an account. A store may omit parts that the rule does not use. `products` means the products of the items.
 */
export type AccountPart = Exclude<keyof CustomerAccount, 'email' | 'pending_charge'> | 'products'

/**
 * Subscriptions that a rule uses: the current subscription, the cancelled subscriptions, the subscriptions with an
 * addition that can be undone, or the subscription in the input.
 */
export type SubscriptionNeed = 'current' | 'cancelled' | 'added' | 'named'

/** Ids and codes in an input. A store loads the matching records before it calls the rule. */
export interface NamedInput {
  /** The customer's email. */
  readonly email?: string | undefined
  /** The product, in addition to the products of the account. */
  readonly product_id?: string | undefined
  /** The discount code. */
  readonly discount_code?: string | undefined
  /** The subscription. In `SubscriptionNeed`, `named` refers to this subscription. */
  readonly subscription_id?: string | undefined
}

/** The data that a rule requires. */
export interface RuleNeeds<Input, Uses extends AccountPart = AccountPart> {
  /**
   * The parts of the account that the rule uses. For other parts, a store may pass empty lists, and null for the date
   * and time of the last order. The rule only appends to these lists or leaves these parts unchanged.
   */
  readonly uses: readonly Uses[]
  /**
   * The subscriptions that the rule uses. A store may omit other subscriptions, which is faster for customers with many
   * subscriptions.
   */
  readonly subscriptions: readonly SubscriptionNeed[]
  /** Whether the rule uses no amount and no quantity of the current subscription. Both are then not checked. */
  readonly ignoresAmounts?: true
  /**
   * Whether the customer must exist. With the default, `required`, unknown customers are rejected with
   * `customer_not_found`.
   */
  readonly customer?: 'required' | 'optional' | 'none'
  /** Returns the ids and codes in the input, without the email. Omitted for inputs without ids and codes. */
  readonly names?: (input: Input) => Omit<NamedInput, 'email'>
}

/** A rule whose properties declare the data that the rule requires. */
export type DefinedRule<Account, Input, Result, Uses extends AccountPart> = Rule<Account, Input, Result> &
  RuleNeeds<Input, Uses>

/** Creates a rule from a function. The properties of the rule declare the data that the rule requires. */
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
