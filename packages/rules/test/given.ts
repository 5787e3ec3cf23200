import type { AddProductInput, ErrorCode, SwapProductInput, UndoAddProductInput } from '@storeport/core'
import { isStoreError } from '@storeport/core'
import { codeKey, readShopData, readShopOptions, seed } from '@storeport/rules'
import type { CatalogueProduct, CustomerAccount, CustomerData, DiscountData, Shop } from '@storeport/rules'
import { expectSaved } from './expect-saved.ts'

/** The default date in tests of rules. */
export const today = '2026-03-10'

const discounts: readonly DiscountData[] = [
  ...seed(today).discounts,
  { code: 'LASTDAY', discount_type: 'percentage', discount_percentage: 10, expires_on: today },
  { code: 'USEDUP', discount_type: 'percentage', discount_percentage: 10, max_uses: 3, uses: 3 },
  { code: 'ONELEFT', discount_type: 'percentage', discount_percentage: 10, max_uses: 3, uses: 2 },
  { code: 'THIRD', discount_type: 'percentage', discount_percentage: 33.3333 },
  { code: 'TWOOFF', discount_type: 'fixed_amount', discount_amount: 2 },
  { code: 'HUGE', discount_type: 'fixed_amount', discount_amount: 9999 },
]

/** Creates a product from the seed with changed fields. */
export function productWith(fields: Partial<CatalogueProduct>): CatalogueProduct {
  const [product] = readShopData(seed(today), 'USD').products
  if (product === undefined) throw new Error('readShopData returned no products.')
  return { ...product, compare_at_price_minor: null, images: [], description: null, ...fields }
}

/**
 * Creates a customer's account in the seed's shop. The account is frozen, so that a rule that mutates the account
 * throws an error.
 */
export function given(customer: Omit<CustomerData, 'email'>, changes: Partial<Shop> = {}): Given {
  const data = { ...seed(today), discounts, customers: [{ email: 'someone@example.com', ...customer }] }
  const { products, discounts: terms, accounts } = readShopData(data, 'USD')
  const [account] = accounts
  if (account === undefined) throw new Error('readShopData returned no customer.')
  let ids = 0
  const { createShop } = readShopOptions({ today })
  const shop: Shop = {
    ...createShop({
      product: (id) => products.find((product) => product.id === id),
      offered: () => products.filter((product) => product.available),
      discount: (code) => terms.find((found) => codeKey(found.code) === codeKey(code)),
    }),
    newId: (kind) => `${kind}_new${++ids}`,
    ...changes,
  }
  return { account: deepFreeze(account), shop: Object.freeze(shop) }
}

export interface Given {
  readonly account: CustomerAccount
  readonly shop: Shop
}

/** Creates the account of a customer from the seed. */
export function seeded(email: string, changes: Partial<Shop> = {}): Given {
  const customer = seed(today).customers.find((found) => found.email === email)
  if (customer === undefined) throw new Error('The seed has no customer with this email.')
  return given(customer, changes)
}

/** Creates a customer with two subscriptions. */
export const subscriber = (changes: Partial<Shop> = {}): Given => seeded('subscription@example.com', changes)

/** Creates a customer without subscriptions. */
export const visitor = (): Given => seeded('test@example.com')

/**
 * Calls rules in sequence, each with the frozen account that the previous rule returned. A database can save each
 * change.
 */
export function inTurn(
  account: CustomerAccount,
  ...rules: ((account: CustomerAccount) => CustomerAccount)[]
): CustomerAccount {
  return rules.reduce((before, rule) => {
    const after = deepFreeze(rule(before))
    expectSaved(before, after)
    return after
  }, account)
}

export function add(product_id: string, more: Partial<AddProductInput> = {}): AddProductInput {
  return { email, product_id, quantity: 1, one_time: false, ...more }
}

export function swap(current_item_id: string, new_product_id: string, discount_code?: string): SwapProductInput {
  return { email, current_item_id, new_product_id, ...(discount_code !== undefined && { discount_code }) }
}

export function undo(product_id: string): UndoAddProductInput {
  return { email, product_id }
}

/** Input of the rules that take only a customer. */
export const customer = { email: 'someone@example.com' }

const { email } = customer

/** Returns the code of the StoreError that a function throws. */
export function codeOf(call: () => unknown): ErrorCode | undefined {
  try {
    call()
  } catch (error) {
    if (isStoreError(error)) return error.code
    throw error
  }
  return undefined
}

/** Freezes a value and all nested objects, and returns it. */
function deepFreeze<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    Object.values(value).forEach(deepFreeze)
  }
  return value
}
