import { createMemoryStore } from '@storeport/store-memory'
import { describe, expect, it } from 'vitest'
import { parseProfile, seedProfile, sendTo } from '../../src/index.ts'
import { apiKey, createShop, resultOf, shopThat, shopWith } from '../shop.ts'

describe('a check failure', () => {
  it('contains the requirement, the request, the response and the expectation, but not the key', async () => {
    const send = shopWith('discount_code=TEST10', () => new Response('<h1>Oops</h1>', { status: 500 }))
    const { failure } = await resultOf('getDiscount.returns-a-percentage', { send })
    expect(failure?.requirement).toBe('DISCOUNT-2')
    expect(failure?.message.split('\n  ')).toEqual([
      'DISCOUNT-2: expected status 200',
      'received 500 <h1>Oops</h1>',
      'for GET /integration/discounts/get-discount?discount_code=TEST10',
    ])
    expect(failure?.reply?.status).toBe(500)
    expect(JSON.stringify(failure?.reply)).not.toContain(apiKey)
  })

  it.each([
    ['getDiscount.rejects-two-codes', 'code', 'QUERY-6'],
    ['delaySubscription.rejects-nonexistent-dates', '', 'DATE-3'],
    ['addProduct.rejects-values-out-of-range', 'product_id', 'FIELD-5'],
    ['addProduct.rejects-values-out-of-range', 'email', 'EMAIL-3'],
    ['addProduct.rejects-values-out-of-range', 'quantity', 'ERROR-2'],
    ['addProduct.rejects-wrong-types', 'product_id', 'FIELD-3'],
  ])('of %s with another error code in responses that name %j is a failure of %s', async (id, field, requirement) => {
    const error = { code: 'customer_not_found', message: 'There is no such customer.' }
    const send = shopThat(async (response) => {
      const text = await response.text()
      const isChanged = response.status === 400 && text.includes(field)
      return isChanged ? Response.json({ success: false, error }, { status: 404 }) : new Response(text, response)
    })
    const { failure } = await resultOf(id, { send })
    expect(failure?.requirement).toBe(requirement)
    expect(failure?.expected).toMatch(/^400 invalid_(?:date|request)$/)
  })

  it('names an incorrect error code only if all other expectations hold', async () => {
    const shop = createShop()
    const ownCodes = async (request: Request) => {
      const response = await shop(request)
      return new Response((await response.text()).replaceAll('invalid_date', 'TOO_EARLY'), response)
    }
    const id = 'delaySubscription.rejects-invalid-requests'
    const { failure } = await resultOf(id, { send: sendTo(ownCodes) })
    expect(failure?.requirement).toBe('DELAY-2')
    expect(failure?.expected).toBe('400 invalid_date')
    let reads = 0
    const changing = async (request: Request) => {
      const response = await ownCodes(request)
      if (!request.url.includes('/customer-portal/subscription')) return response
      const body = await response.text()
      // Each read returns a different quantity, so the subscription seems to change.
      return new Response(body.replaceAll('"quantity":3', `"quantity":${++reads}`), response)
    }
    const result = await resultOf(id, { send: sendTo(changing) })
    expect(result.failure?.expected).toMatch(/^the customer's data, at /)
  })

  it('contains the preceding requests of the check', async () => {
    const send = sendTo(createShop({ store: { ...createMemoryStore(), undoAddProduct: async () => {} } }))
    const undone = await resultOf('undoAddProduct.restores-the-subscription', { send })
    expect(undone.failure?.calls.map(({ request }) => request.method)).toEqual(['GET', 'GET', 'POST', 'POST', 'GET'])
    expect(undone.failure?.reply?.request.method).toBe('GET')
  })

  it('contains the response if a condition does not hold', async () => {
    const send = shopWith('products', () => Response.json({ success: true, data: { products: [] } }))
    const { failure } = await resultOf('listProducts.returns-products', { send })
    expect(failure?.received).toBe('200 {"success":true,"data":{"products":[]}}')
  })

  it('is created for an unexpected exception in a check', async () => {
    const { discounts } = parseProfile({
      discounts: { percentage: { code: '\ud800', discount: { discount_type: 'percentage', discount_percentage: 1 } } },
    })
    const { failure } = await resultOf('getDiscount.returns-a-percentage', { profile: { ...seedProfile, discounts } })
    expect(failure?.expected).toBe('the check to complete')
  })
})
