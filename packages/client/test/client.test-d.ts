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
  test('is a CompleteStorePort, so it can stand where a store does', () => {
    expectTypeOf(client).toExtend<CompleteStorePort>()
    expectTypeOf(client).toExtend<StorePort>()
    expectTypeOf<keyof Client>().toEqualTypeOf<EndpointName | 'honoursIdempotencyKey'>()
  })

  test('answers what the contract says, never null', () => {
    expectTypeOf(client.listProducts).returns.resolves.toEqualTypeOf<ProductList>()
    expectTypeOf(client.getSubscription).returns.resolves.toEqualTypeOf<CurrentSubscription>()
    expectTypeOf(client.listCancelledSubscriptions).returns.resolves.toEqualTypeOf<CancelledSubscriptionList>()
    expectTypeOf(client.getDiscount).returns.resolves.toEqualTypeOf<Discount>()
    expectTypeOf(client.sendNow).returns.resolves.toEqualTypeOf<void>()
    expectTypeOf<ClientOutput<'addProduct'>>().toEqualTypeOf<void>()
  })

  test('takes what a caller would send: fields with a default may be left out', () => {
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

  test('takes a context, a part of one, or none', () => {
    expectTypeOf(client.sendNow).toBeCallableWith({ email: 'a@b.example' })
    expectTypeOf(client.sendNow).toBeCallableWith({ email: 'a@b.example' }, { signal: new AbortController().signal })
    expectTypeOf(client.sendNow).toBeCallableWith(
      { email: 'a@b.example' },
      { requestId: 'r', signal: new AbortController().signal, idempotencyKey: 'k', testMode: false },
    )
  })
})

describe('what does not compile', () => {
  test('a missing, misspelt or wrongly typed field', () => {
    // @ts-expect-error: the email is required
    void client.sendNow({})
    // @ts-expect-error: new_date is a text, never a Date
    void client.delaySubscription({ email: 'a@b.example', new_date: new Date() })
    // @ts-expect-error: the wire's name is product_id
    void client.addProduct({ email: 'a@b.example', productId: 'p' })
    // @ts-expect-error: a quantity is never a text
    void client.addProduct({ email: 'a@b.example', product_id: 'p', quantity: '2' })
    // @ts-expect-error: addProduct knows no new_date
    void client.addProduct({ email: 'a@b.example', product_id: 'p', new_date: '2030-01-31' })
  })

  test('an option that is missing or unknown', () => {
    // @ts-expect-error: the key is required
    createClient({ baseUrl: 'https://shop.example' })
    // @ts-expect-error: there is no such option
    createClient({ baseUrl: 'https://shop.example', apiKey: 'key-of-0123456789', timeout: 5 })
  })

  test('replacing a method, or using an answer as another one', () => {
    // @ts-expect-error: methods are read-only
    client.sendNow = () => Promise.resolve()
    // @ts-expect-error: a fixed amount has no percentage
    void client.getDiscount({ discount_code: 'c' }).then((discount) => discount.discount_percentage)
  })
})
