import { readShopData, seed } from '@storeport/rules'
import { describe, expect, it } from 'vitest'

const tea = { id: 'tea', title: 'Tea', price: 4.5, images: [] }

describe('seed', () => {
  it.each([
    ['JPY', [1995, 2995, 4995, 995], 599],
    ['EUR', [1995, 2995, 4995, 995], 599],
    ['KWD', [19_950, 29_950, 49_950, 9950], 5990],
    ['UYW', [199_500, 299_500, 499_500, 99_500], 59_900],
  ])('creates amounts in the currency %s', (currency, prices, shipping_minor) => {
    const records = readShopData(seed('2026-03-10', currency), currency)
    expect(records.products.map(({ price_minor }) => price_minor)).toEqual(prices)
    expect(records.accounts[1]?.subscriptions[0]?.shipping_minor).toBe(shipping_minor)
  })
})

describe('readShopData', () => {
  it.each([
    ['JPY', 1000, 0.5, 'an amount from 0 to 100,000,000,000 without decimals'],
    ['USD', 0.01, 0.001, 'an amount from 0 to 1,000,000,000 with at most 2 decimals'],
    ['KWD', 0.001, 0.0001, 'an amount from 0 to 100,000,000 with at most 3 decimals'],
    ['UYW', 0.0001, 100_000_000, 'an amount from 0 to 10,000,000 with at most 4 decimals'],
  ])('rejects invalid amounts in %s', (currency, valid, price, message) => {
    expect(readShopData({ products: [{ ...tea, price: valid }] }, currency).products).toHaveLength(1)
    expect(() => readShopData({ products: [{ ...tea, price }] }, currency)).toThrow(
      `products[0].price: must be ${message}`,
    )
  })
})
