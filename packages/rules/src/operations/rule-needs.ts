import type { InputOf } from '@storeport/core'
import type { CustomerAccount } from '../account/customer-account.ts'
import type { ChangeName, ReadName, RuleName } from './all-rules.ts'

/** The parts of the account that the rule of a read uses. */
export const readParts = {
  listProducts: ['subscriptions', 'recommended'],
  getSubscription: ['subscriptions', 'discount_uses'],
  listCancelledSubscriptions: ['subscriptions'],
  getDiscount: [],
} as const satisfies Readonly<Record<ReadName, readonly (keyof CustomerAccount)[]>>

/** A part of an account that a store may leave out where no rule uses it; `products` are those of the items. */
export type AccountPart = Exclude<keyof CustomerAccount, 'email'> | 'products'

/**
 * The parts of the account that the rule of a change uses while nothing `isDue`: the others may be empty, and stay as they
 * are (the times of the last order: null). What the rule adds to any part comes after what is there.
 */
export const changeParts = {
  addProduct: ['subscriptions'],
  undoAddProduct: ['subscriptions', 'adds', 'discount_uses', 'orders'],
  sendNow: ['subscriptions', 'products', 'adds', 'discount_uses', 'last_sent_on', 'last_sent_at'],
  delaySubscription: ['subscriptions'],
  swapProduct: ['subscriptions', 'adds', 'discount_uses'],
  reactivateSubscription: ['subscriptions'],
} as const satisfies Readonly<Record<ChangeName, readonly AccountPart[]>>

/**
 * A subscription that a rule uses: the one that is billed next, those that are cancelled, those with an add that can be
 * taken back, or the one that the input names.
 */
export type SubscriptionNeed = 'current' | 'cancelled' | 'added' | 'named'

/**
 * The subscriptions that a rule uses while nothing `isDue`, where it uses any: the others may be left out. Who has many
 * is not to wait for all of them.
 */
export const subscriptionNeeds = {
  listProducts: ['current'],
  getSubscription: ['current'],
  listCancelledSubscriptions: ['cancelled'],
  getDiscount: [],
  addProduct: ['current'],
  undoAddProduct: ['current', 'added'],
  sendNow: ['current'],
  delaySubscription: ['current'],
  swapProduct: ['current'],
  reactivateSubscription: ['current', 'named'],
} as const satisfies Readonly<Record<RuleName, readonly SubscriptionNeed[]>>

/** What the rule of a read uses of an account: its `readParts`. */
export type ReadAccount<Name extends ReadName> = Pick<CustomerAccount, (typeof readParts)[Name][number]>

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

type FindNames = { readonly [Name in RuleName]: (input: InputOf<Name>) => NamedInput }

const findNames: FindNames = {
  listProducts: ({ email }) => ({ email }),
  addProduct: ({ email, product_id, discount_code }) => ({ email, product_id, discount_code }),
  undoAddProduct: ({ email, product_id }) => ({ email, product_id }),
  getSubscription: ({ email }) => ({ email }),
  sendNow: ({ email }) => ({ email }),
  delaySubscription: ({ email }) => ({ email }),
  swapProduct: ({ email, new_product_id, discount_code }) => ({ email, product_id: new_product_id, discount_code }),
  listCancelledSubscriptions: ({ email }) => ({ email }),
  reactivateSubscription: ({ email, subscription_id, discount_code }) => ({ email, subscription_id, discount_code }),
  getDiscount: ({ discount_code }) => ({ discount_code }),
}

/** Returns the customer, the product, the discount code and the subscription that a call names and its rule may ask for. */
export function findNamed<Name extends RuleName>(name: Name, input: InputOf<Name>): NamedInput {
  return findNames[name](input)
}
