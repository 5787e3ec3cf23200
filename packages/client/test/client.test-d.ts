import type {
  CancelledSubscriptionList,
  CompleteStorePort,
  CurrentSubscription,
  Discount,
  EndpointName,
  ProductList,
  StorePort,
} from '@storeport/core'
import { describe, expectTypeOf, test } from 'vitest'
import { type Client, type ClientInput, type ClientOutput, createClient } from '../src/index.ts'

const client = createClient({ baseUrl: 'https://shop.example', apiKey: 'key-of-0123456789' })

describe('the type of a client', () => {
  test('extends CompleteStorePort, so it can be used as a store', () => {
    expectTypeOf(client).toExtend<CompleteStorePort>()
    expectTypeOf(client).toExtend<StorePort>()
    expectTypeOf<keyof Client>().toEqualTypeOf<EndpointName | 'honoursIdempotencyKey'>()
  })

  test('returns the output type of the contract, never null', () => {
    expectTypeOf(client.listProducts).returns.resolves.toEqualTypeOf<ProductList>()
    expectTypeOf(client.getSubscription).returns.resolves.toEqualTypeOf<CurrentSubscription>()
    expectTypeOf(client.listCancelledSubscriptions).returns.resolves.toEqualTypeOf<CancelledSubscriptionList>()
    expectTypeOf(client.getDiscount).returns.resolves.toEqualTypeOf<Discount>()
    expectTypeOf(client.sendNow).returns.resolves.toEqualTypeOf<void>()
    expectTypeOf<ClientOutput<'addProduct'>>().toEqualTypeOf<void>()
  })

  test('accepts inputs that omit fields with default values', () => {
    expectTypeOf({ email: 'a@b.example', product_id: 'p' }).toExtend<ClientInput<'addProduct'>>()
    expectTypeOf<ClientInput<'addProduct'>>().toEqualTypeOf<{
      email: string
      product_id: string
      quantity?: number | undefined
      discount_code?: string | undefined
      one_time?: boolean | undefined
    }>()
    expectTypeOf({}).toExtend<ClientInput<'listProducts'>>()
    expectTypeOf<ClientInput<'delaySubscription'>>().toEqualTypeOf<{ email: string; new_date: string }>()
  })

  test('accepts a full context, a partial context, or no context', () => {
    expectTypeOf(client.sendNow).toBeCallableWith({ email: 'a@b.example' })
    expectTypeOf(client.sendNow).toBeCallableWith({ email: 'a@b.example' }, { signal: new AbortController().signal })
    expectTypeOf(client.sendNow).toBeCallableWith(
      { email: 'a@b.example' },
      { requestId: 'r', signal: new AbortController().signal, idempotencyKey: 'k', testMode: false },
    )
  })
})

describe('compile errors', () => {
  test('rejects a field that is missing, misspelled or of the wrong type', () => {
    // @ts-expect-error: the email is required
    void client.sendNow({})
    // @ts-expect-error: new_date is a string, never a Date
    void client.delaySubscription({ email: 'a@b.example', new_date: new Date() })
    // @ts-expect-error: the API name is product_id
    void client.addProduct({ email: 'a@b.example', productId: 'p' })
    // @ts-expect-error: a quantity is never a string
    void client.addProduct({ email: 'a@b.example', product_id: 'p', quantity: '2' })
    // @ts-expect-error: addProduct has no new_date
    void client.addProduct({ email: 'a@b.example', product_id: 'p', new_date: '2030-01-31' })
  })

  test('rejects a missing or unsupported option', () => {
    // @ts-expect-error: the key is required
    createClient({ baseUrl: 'https://shop.example' })
    // @ts-expect-error: the option does not exist
    createClient({ baseUrl: 'https://shop.example', apiKey: 'key-of-0123456789', timeout: 5 })
  })

  test('rejects assigning to a method and reading a field of another result type', () => {
    // @ts-expect-error: methods are read-only
    client.sendNow = () => Promise.resolve()
    // @ts-expect-error: a fixed amount has no percentage
    void client.getDiscount({ discount_code: 'c' }).then((discount) => discount.discount_percentage)
  })
})
