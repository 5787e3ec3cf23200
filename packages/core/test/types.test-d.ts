import { describe, expectTypeOf, it } from 'vitest'
import {
  type AddProductInput,
  createIntegration,
  type Endpoint,
  type EndpointName,
  endpoints,
  type Endpoints,
  type ErrorCode,
  type Ledger,
  memoryLedger,
  type Operations,
  type Reconciled,
  type ReconcileContext,
  StoreError,
  type StoredClicks,
  type StorePort,
} from '@storeport/core'

const apiKeys = ['a-key-of-the-tests-0001']

describe('the contract table', () => {
  it('has one row for each StorePort method', () => {
    expectTypeOf<keyof typeof endpoints>().toEqualTypeOf<EndpointName>()
    expectTypeOf<EndpointName>().toEqualTypeOf<keyof Operations>()
  })

  it('refuses a row missing, a row too many, a wrong input, a wrong output or an unknown code', () => {
    type Table = typeof endpoints
    expectTypeOf<Table>().toExtend<Endpoints>()
    expectTypeOf<Omit<Table, 'sendNow'>>().not.toExtend<Endpoints>()
    type Row<Name extends EndpointName, Changed> = Omit<Table[Name], keyof Changed> & Changed
    type WrongInput = Row<'addProduct', { input: Table['sendNow']['input'] }>
    expectTypeOf<WrongInput>().not.toExtend<Endpoints['addProduct']>()
    type WrongOutput = Row<'listProducts', { output: Table['getDiscount']['output'] }>
    expectTypeOf<WrongOutput>().not.toExtend<Endpoints['listProducts']>()
    type WrongCode = Row<'sendNow', { errors: readonly ['no_such_code'] }>
    expectTypeOf<WrongCode>().not.toExtend<Endpoint>()
  })
})

describe('StorePort', () => {
  it('gives each method its checked input, defaults filled in', () => {
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

  it('refuses what the wire cannot carry', () => {
    // @ts-expect-error a Date is no billing date
    const dated: StorePort = { getSubscription: async () => ({ next_billing_date: new Date(), items: [] }) }
    // @ts-expect-error a misspelt method
    const misspelt: StorePort = { delaySubscripton: async () => {} }
    // @ts-expect-error the amount of the other type
    const mixed: StorePort = { getDiscount: async () => ({ discount_type: 'percentage', discount_amount: 1 }) }
    // @ts-expect-error the list without its name
    const bare: StorePort = { listProducts: async () => [] }
    expectTypeOf([dated, misspelt, mixed, bare]).toEqualTypeOf<StorePort[]>()
  })

  it('allows optional fields to be undefined, as database rows have them', () => {
    const description: string | undefined = undefined
    const product = { id: 'p', title: 'P', price: 1, images: [], description }
    createIntegration({ apiKeys, store: { listProducts: async () => ({ products: [product] }) } })
  })
})

describe('StoreError', () => {
  it('takes the codes of the table only', () => {
    expectTypeOf(new StoreError('payment_failed').code).toEqualTypeOf<ErrorCode>()
    // @ts-expect-error no such code
    expectTypeOf(new StoreError('out_of_milk')).toEqualTypeOf<StoreError>()
  })
})

describe('retries', () => {
  it('gives reconcile the name, the input and what is known of the attempts', () => {
    createIntegration({
      apiKeys,
      store: {
        async reconcile(name, input, context) {
          if (name === 'addProduct') expectTypeOf(input).toEqualTypeOf<AddProductInput>()
          expectTypeOf(context).toEqualTypeOf<ReconcileContext>()
          expectTypeOf(context.firstAttemptAt).toEqualTypeOf<number | undefined>()
          expectTypeOf(context.clickIdentity.named).toEqualTypeOf<boolean>()
          return 'not_applied'
        },
      },
    })
    // @ts-expect-error an answer that does not exist
    const unsure: StorePort = { reconcile: async () => 'maybe' }
    expectTypeOf(unsure).toEqualTypeOf<StorePort>()
    expectTypeOf<Reconciled>().toEqualTypeOf<'applied' | 'not_applied' | 'unknown'>()
  })

  it('accepts for how long a key is honoured', () => {
    const stores: StorePort[] = [{ honoursIdempotencyKey: true }, { honoursIdempotencyKey: { forMs: 86_400_000 } }]
    // @ts-expect-error a number without its unit
    stores.push({ honoursIdempotencyKey: 86_400_000 })
  })

  it('hides the fields of a stored click from ledgers', () => {
    expectTypeOf<keyof StoredClicks>().toEqualTypeOf<'v'>()
    expectTypeOf(memoryLedger()).toExtend<Ledger>()
    const ledger: Ledger = {
      update: (_key, change) => {
        const { result, document } = change(undefined, 0, false)
        // @ts-expect-error only the protocol reads it
        expectTypeOf(document?.instances).toBeAny()
        return result
      },
    }
    expectTypeOf(ledger.update).toBeFunction()
  })
})
