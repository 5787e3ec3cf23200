import type { CustomerAccount } from '../account/customer-account.ts'
import type { Shop } from '../shop/shop.ts'

/** What an operation means: a read answers, a change returns the changed account; a refusal is a thrown `StoreError`. */
export type Rule<Account, Input, Result> = (account: Account, input: Input, shop: Shop) => Result

/** A part of an account that a store may leave out where no rule uses it; `products` are those of the items. */
export type AccountPart = Exclude<keyof CustomerAccount, 'email'> | 'products'

/**
 * A subscription that a rule uses: the one that is billed next, those that are cancelled, those with an add that can be
 * undone, or the one that the input names.
 */
export type SubscriptionNeed = 'current' | 'cancelled' | 'added' | 'named'

/** What the input of a call names in the shop: what a store loads before it calls the rule. */
export interface NamedInput {
  /** The customer. */
  readonly email?: string | undefined
  /** The product that the rule may ask for besides those of the account. */
  readonly product_id?: string | undefined
  /** The discount code that the rule may ask for. */
  readonly discount_code?: string | undefined
  /** The subscription that is needed as `named`. */
  readonly subscription_id?: string | undefined
}

/** What a store loads for a rule while nothing `isDue`. */
export interface RuleNeeds<Input, Uses extends AccountPart = AccountPart> {
  /**
   * The parts of the account: the others may be empty, and stay as they are (the times of the last order: null). What a change adds
   * to any part comes after what is there.
   */
  readonly uses: readonly Uses[]
  /** The subscriptions, where it uses any: the others may be left out. Who has many is not to wait for all of them. */
  readonly subscriptions: readonly SubscriptionNeed[]
  /** Whether an unknown customer is refused with `customer_not_found`; default `required`. */
  readonly customer?: 'required' | 'optional' | 'none'
  /** Returns what the input names besides the customer; default nothing. */
  readonly names?: (input: Input) => Omit<NamedInput, 'email'>
}

/** A rule together with what a store loads for it. */
export type DefinedRule<Account, Input, Result, Uses extends AccountPart> = Rule<Account, Input, Result> &
  RuleNeeds<Input, Uses>

/** Makes an operation one value: the function to call, and on it what a store loads for it. */
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
