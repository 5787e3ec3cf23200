import { describe, expect, it } from 'vitest'
import { endpoints, type EndpointName, type IntegrationOptions, minorUnitDigits, type StorePort } from '@storeport/core'
import { integrationOf, send } from './support.ts'

/** Creates a shop whose subscription has one item with a price. */
function shopWith(price: number): StorePort {
  const item = { id: 'beans', title: 'Beans', price, images: [], quantity: 1 }
  return { getSubscription: async () => ({ next_billing_date: '2026-12-04', items: [item] }) }
}

/** Sends a read to a shop and returns the response. */
function read(store: StorePort, name: EndpointName, query: string, options: Partial<IntegrationOptions> = {}) {
  const quiet = { onError: () => {}, ...options }
  return send(integrationOf(store, quiet), `/integration${endpoints[name].path}${query}`)
}

describe('currency of a shop', () => {
  it('has the number of decimals that ISO 4217 defines', () => {
    expect(['JPY', 'UGX', 'ISK', 'USD', 'EUR', 'AFN', 'KWD', 'IQD', 'CLF'].map(minorUnitDigits)).toEqual([
      0, 0, 0, 2, 2, 2, 3, 3, 4,
    ])
  })

  it.each(['', 'usd', 'EURO', 'XYZ', 'USD EUR'])('rejects the currency %j', (currency) => {
    expect(() => integrationOf({}, { currency })).toThrow(TypeError)
    expect(() => integrationOf({ currency })).toThrow(/^currency: must be an ISO 4217 code/)
  })

  it("defaults to the store's currency, then the option, then USD, and rejects conflicting currencies", () => {
    expect(integrationOf({}).currency).toBe('USD')
    expect(integrationOf({}, { currency: 'EUR' }).currency).toBe('EUR')
    expect(integrationOf({ currency: 'JPY' }).currency).toBe('JPY')
    expect(integrationOf({ currency: 'JPY' }, { currency: 'JPY', testStore: { currency: 'JPY' } }).currency).toBe('JPY')
    const twice = 'currency: conflicting currencies EUR and JPY. The option and the stores must use the same currency.'
    expect(() => integrationOf({ currency: 'JPY' }, { currency: 'EUR' })).toThrow(new TypeError(twice))
    expect(() => integrationOf({ currency: 'EUR' }, { testStore: { currency: 'JPY' } })).toThrow(new TypeError(twice))
  })

  it.each([
    ['JPY', 1499.6, 1500],
    ['USD', 1.005, 1.01],
    ['USD', 8.575, 8.58],
    ['USD', 1.0049999, 1],
    ['USD', 5e-7, 0],
    ['USD', 1e21, 1e21],
    ['JPY', 0.5, 1],
    ['KWD', 1.0005, 1.001],
    ['UYW', 1.23456, 1.2346],
  ])('rounds a %s amount from %d to %d', async (currency, price, rounded) => {
    const { text: body } = await read({ ...shopWith(price), currency }, 'getSubscription', '?email=a@b.c')
    expect(JSON.parse(body)).toMatchObject({ data: { items: [{ price: rounded }] } })
  })

  it('rejects a discount that rounds to 0', async () => {
    const store: StorePort = { getDiscount: async () => ({ discount_type: 'fixed_amount', discount_amount: 0.4 }) }
    const inDollars = await read(store, 'getDiscount', '?discount_code=X')
    expect(inDollars.status).toBe(200)
    const inYen = await read(store, 'getDiscount', '?discount_code=X', { currency: 'JPY' })
    expect(inYen.text).toContain('invalid_store_response')
  })

  it('does not modify the object that the store returned', async () => {
    const product = { id: 'beans', title: 'Beans', price: 1.006, images: [] }
    await read({ listProducts: async () => ({ products: [product] }) }, 'listProducts', '')
    expect(product.price).toBe(1.006)
  })
})
