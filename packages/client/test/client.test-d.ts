import type { CompleteStorePort, EndpointName, StorePort } from '@storeport/core'
import { describe, expectTypeOf, test } from 'vitest'
import { type Client, createClient } from '../src/index.ts'

const client = createClient({ baseUrl: 'https://shop.example', apiKey: 'key-of-0123456789' })

describe('the type of a client', () => {
  test('extends CompleteStorePort, so it can be used as a store', () => {
    expectTypeOf(client).toExtend<CompleteStorePort>()
    expectTypeOf(client).toExtend<StorePort>()
    expectTypeOf<keyof Client>().toEqualTypeOf<EndpointName | 'honoursIdempotencyKey'>()
  })
})

describe('the compiler', () => {
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

  test('rejects an assignment to a method, and a field of another result type', () => {
    // @ts-expect-error: methods are read-only
    client.sendNow = () => Promise.resolve()
    // @ts-expect-error: a fixed amount has no percentage
    void client.getDiscount({ discount_code: 'c' }).then((discount) => discount.discount_percentage)
  })
})
