import { describe, expectTypeOf, it } from 'vitest'
import {
  type AddProductInput,
  type ClickDocument,
  createIntegration,
  type ErrorCode,
  type Ledger,
  memoryLedger,
  type Reconciled,
  type ReconcileContext,
  StoreError,
  type StorePort,
} from '@storeport/core'

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

describe('retries', () => {
  it('passes the method name, the input and details of earlier attempts to reconcile', () => {
    createIntegration({
      apiKeys,
      store: {
        async reconcile(name, input, context) {
          if (name === 'addProduct') expectTypeOf(input).toEqualTypeOf<AddProductInput>()
          expectTypeOf(context).toEqualTypeOf<ReconcileContext>()
          expectTypeOf(context.firstAttemptAt).toEqualTypeOf<number>()
          expectTypeOf(context.clickIdentity.named).toEqualTypeOf<boolean>()
          return 'not_applied'
        },
      },
    })
    // @ts-expect-error an invalid result
    const unsure: StorePort = { reconcile: async () => 'maybe' }
    expectTypeOf(unsure).toEqualTypeOf<StorePort>()
    expectTypeOf<Reconciled>().toEqualTypeOf<'applied' | 'not_applied' | 'unknown'>()
  })

  it("hides a stored document's fields from ledgers", () => {
    expectTypeOf<keyof ClickDocument>().toEqualTypeOf<'v'>()
    expectTypeOf(memoryLedger()).toExtend<Ledger>()
    const ledger: Ledger = {
      update: (_key, change) => {
        const { result, document } = change(undefined, 0)
        // @ts-expect-error a field that only the protocol reads
        expectTypeOf(document?.clicks).toBeAny()
        return result
      },
    }
    expectTypeOf(ledger.update).toBeFunction()
  })
})
