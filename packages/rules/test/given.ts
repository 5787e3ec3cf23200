import type { AddProductInput, ErrorCode, SwapProductInput, UndoAddProductInput } from '@storeport/core'
import { isStoreError } from '@storeport/core'
import { codeKey, readShopData, readShopOptions, seed } from '@storeport/rules'
import type { CatalogueProduct, CustomerAccount, CustomerData, DiscountData, Shop } from '@storeport/rules'
import { deepFreeze } from '@storeport/testing/deep-freeze'

/** The date in all tests of rules that do not move it. */
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

/** A product of the seed with other fields. */
export function productWith(fields: Partial<CatalogueProduct>): CatalogueProduct {
  const [product] = readShopData(seed(today), 'USD').products
  if (product === undefined) throw new Error('readShopData lost the products.')
  return { ...product, compare_at_price_minor: null, images: [], description: null, ...fields }
}

/** A customer's frozen account and the shop of the seed around it. */
export function given(customer: Omit<CustomerData, 'email'>, changes: Partial<Shop> = {}): Given {
  const data = { ...seed(today), discounts, customers: [{ email: 'someone@example.com', ...customer }] }
  const { products, discounts: terms, accounts } = readShopData(data, 'USD')
  const [account] = accounts
  if (account === undefined) throw new Error('readShopData lost the customer.')
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

/** What a rule starts from. */
export interface Given {
  readonly account: CustomerAccount
  readonly shop: Shop
}

/** The customers of the seed, by email. */
export function seeded(email: string, changes: Partial<Shop> = {}): Given {
  const customer = seed(today).customers.find((found) => found.email === email)
  if (customer === undefined) throw new Error('The seed has no such customer.')
  return given(customer, changes)
}

/** A customer with two subscriptions. */
export const subscriber = (changes: Partial<Shop> = {}): Given => seeded('subscription@example.com', changes)

/** A customer who has nothing. */
export const visitor = (): Given => seeded('test@example.com')

/** A customer whose subscriptions are all cancelled. */
export const formerSubscriber = (): Given => seeded('cancelled@example.com')

/** Calls a rule for one account after the other, each frozen. */
export function inTurn(
  account: CustomerAccount,
  ...rules: ((account: CustomerAccount) => CustomerAccount)[]
): CustomerAccount {
  return rules.reduce((before, rule) => deepFreeze(rule(before)), account)
}

/** The input of addProduct. */
export function add(product_id: string, more: Partial<AddProductInput> = {}): AddProductInput {
  return { email, product_id, quantity: 1, one_time: false, ...more }
}

/** The input of swapProduct. */
export function swap(current_item_id: string, new_product_id: string, discount_code?: string): SwapProductInput {
  return { email, current_item_id, new_product_id, ...(discount_code !== undefined && { discount_code }) }
}

/** The input of undoAddProduct. */
export function undo(product_id: string): UndoAddProductInput {
  return { email, product_id }
}

/** The product and the quantity of each item of the first subscription. */
export function itemsOf({ subscriptions }: CustomerAccount): (readonly [product_id: string, quantity: number])[] {
  return (subscriptions[0]?.items ?? []).map(({ product_id, quantity }) => [product_id, quantity] as const)
}

/** The input of the rules that take a customer and nothing else. */
export const customer = { email: 'someone@example.com' }

const { email } = customer

/** The code of the StoreError that a call throws. */
export function refusal(call: () => unknown): ErrorCode | undefined {
  try {
    call()
  } catch (error) {
    if (isStoreError(error)) return error.code
    throw error
  }
  return undefined
}
