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
export type AccountPart = Exclude<keyof CustomerAccount, 'email' | 'last_sent_on' | 'last_sent_at'> | 'products'

/**
 * The parts of the account that the rule of a change uses while nothing `isDue`: the others may be empty, and stay as they
 * are. What the rule adds to any part comes after what is there.
 */
export const changeParts = {
  addProduct: ['subscriptions'],
  undoAddProduct: ['subscriptions', 'adds', 'discount_uses', 'orders'],
  sendNow: ['subscriptions', 'products', 'adds', 'discount_uses'],
  delaySubscription: ['subscriptions'],
  swapProduct: ['subscriptions', 'adds', 'discount_uses'],
  reactivateSubscription: ['subscriptions'],
} as const satisfies Readonly<Record<ChangeName, readonly AccountPart[]>>

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
}

type FindNames = { readonly [Name in RuleName]: (input: InputOf<Name>) => NamedInput }

const findNames: FindNames = {
  listProducts: ({ email }) => ({ email }),
  addProduct: ({ email, product_id, discount_code }) => ({ email, product_id, discount_code }),
  undoAddProduct: ({ email }) => ({ email }),
  getSubscription: ({ email }) => ({ email }),
  sendNow: ({ email }) => ({ email }),
  delaySubscription: ({ email }) => ({ email }),
  swapProduct: ({ email, new_product_id, discount_code }) => ({ email, product_id: new_product_id, discount_code }),
  listCancelledSubscriptions: ({ email }) => ({ email }),
  reactivateSubscription: ({ email, discount_code }) => ({ email, discount_code }),
  getDiscount: ({ discount_code }) => ({ discount_code }),
}

/** Returns the customer, the product and the discount code that a call names and its rule may ask for. */
export function findNamed<Name extends RuleName>(name: Name, input: InputOf<Name>): NamedInput {
  return findNames[name](input)
}
