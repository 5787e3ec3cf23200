import { describe, expectTypeOf, it } from 'vitest'
import { type AddProductInput, createIntegration, type ErrorCode, StoreError, type StorePort } from '@storeport/core'

const apiKeys = ['a-key-of-the-tests-0001']

describe('StorePort', () => {
  it('passes the validated input with defaults to each method', () => {
    createIntegration({
      apiKeys,
      store: {
        async addProduct(input) {
          expectTypeOf(input).toEqualTypeOf<AddProductInput>()
          expectTypeOf(input.quantity).toEqualTypeOf<number>()
          expectTypeOf(input.discount_code).toEqualTypeOf<string | undefined>()
        },
      },
    })
  })

  it('rejects outputs and methods that the API does not define', () => {
    // @ts-expect-error a Date instead of a string
    const dated: StorePort = { getSubscription: async () => ({ next_billing_date: new Date(), items: [] }) }
    // @ts-expect-error a misspelled method
    const misspelled: StorePort = { delaySubscripton: async () => {} }
    // @ts-expect-error the amount field of the other discount type
    const mixed: StorePort = { getDiscount: async () => ({ discount_type: 'percentage', discount_amount: 1 }) }
    // @ts-expect-error an array without the `products` field
    const bare: StorePort = { listProducts: async () => [] }
    expectTypeOf([dated, misspelled, mixed, bare]).toEqualTypeOf<StorePort[]>()
  })
})

describe('StoreError', () => {
  it('accepts only the codes of the error table', () => {
    expectTypeOf(new StoreError('payment_failed').code).toEqualTypeOf<ErrorCode>()
    // @ts-expect-error an unknown code
    expectTypeOf(new StoreError('out_of_milk')).toEqualTypeOf<StoreError>()
  })
})
