import { addProduct, type Availability, type CustomerData, listProducts, swapProduct } from '@storeport/rules'
import { isStoreError } from '@storeport/core'
import { describe, expect, it } from 'vitest'
import { add, customer, given, productWith, swap } from '../given.ts'

const items = [
  { id: 'coffee', product_id: 'coffee', quantity: 2 },
  { id: 'tea', product_id: 'tea', quantity: 3 },
]
const subscribed: Omit<CustomerData, 'email'> = {
  subscriptions: [{ id: 'sub', next_billing_date: '2026-04-01' }],
}

/**
 * Creates a shop whose tea has the given availability, and a subscriber with two units of coffee and three units of
 * tea.
 */
function shopWith(available: Availability) {
  const products = [productWith({ id: 'tea', available }), productWith({ id: 'coffee' })]
  const product = (id: string) => products.find((each) => each.id === id)
  const { account, shop } = given(subscribed, { product })
  const stored = items.map((item) => ({ ...item, price_minor: 100, one_time: false }))
  return {
    account: { ...account, subscriptions: account.subscriptions.map((one) => ({ ...one, items: stored })) },
    shop,
  }
}

/** Returns the code and the message of a rejection. */
function rejectionOf(run: () => unknown): string {
  try {
    run()
    return 'done'
  } catch (error) {
    return isStoreError(error) ? `${error.code} ${error.message}` : 'another error'
  }
}

const maximum = (count: number) => `product_unavailable quantity: at most ${count} of this product can be ordered`
const none = 'product_unavailable The product cannot be ordered at the moment.'

describe('addProduct', () => {
  it.each<[Availability, number, string]>([
    [true, 900, 'done'],
    [5, 2, 'done'],
    [5, 3, maximum(5)],
    [5.9, 3, maximum(5)],
    [0, 1, none],
    [(quantity) => quantity <= 4, 1, 'done'],
    [(quantity) => quantity <= 4, 2, none],
    [(quantity) => Math.min(quantity, 4), 2, maximum(4)],
  ])('with the availability %s, adds %d units to 3 units: %s', (available, quantity, expected) => {
    const { account, shop } = shopWith(available)
    expect(rejectionOf(() => addProduct(account, add('tea', { quantity }), shop))).toBe(expected)
  })
})

describe('swapProduct', () => {
  it.each<[Availability, string]>([
    [5, 'done'],
    [4, maximum(4)],
    [1, maximum(1)],
  ])('with the availability %s, merges 2 units into 3 units: %s', (available, expected) => {
    const { account, shop } = shopWith(available)
    expect(rejectionOf(() => swapProduct(account, swap('coffee', 'tea'), shop))).toBe(expected)
  })
})

it.each<[Availability, number]>([
  [0, 0],
  [() => false, 0],
  [1, 1],
  [(quantity) => quantity < 2, 1],
])('for a recommendation with the availability %s, listProducts returns %d products', (available, count) => {
  const { shop } = shopWith(available)
  const { account } = given({})
  const list = listProducts({ ...account, recommended: ['tea'] }, customer, { ...shop, offered: () => [] })
  expect(list.products).toHaveLength(count)
})
