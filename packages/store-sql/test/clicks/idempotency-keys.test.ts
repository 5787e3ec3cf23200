import type { CompleteStorePort } from '@storeport/core'
import { expect, it } from 'vitest'
import { contextOf, oneOf } from '@storeport/testing/clicks'
import { describeDatabases } from '@storeport/testing/stores/describe-databases'

const today = '2026-03-10'
const email = 'subscription@example.com'
const visitor = { email: 'test@example.com' }

await describeDatabases('a store with idempotency keys', (database) => {
  const calls: readonly (readonly [string, (store: CompleteStorePort, key: string) => Promise<void>])[] = [
    ['addProduct', (store, key) => store.addProduct({ email, ...oneOf('test_54321') }, contextOf(key))],
    ['undoAddProduct', (store, key) => store.undoAddProduct({ email, product_id: 'test_54321' }, contextOf(key))],
    ['sendNow', (store, key) => store.sendNow({ email }, contextOf(key))],
    [
      'runCustomAction',
      (store, key) => store.runCustomAction({ email, action_id: 'change_to_quarterly' }, contextOf(key)),
    ],
  ]

  it.each(calls)('applies %s once if the call is repeated with the same key', async (_, call) => {
    const store = await database.open({ today })
    await store.addProduct({ email, ...oneOf('test_54321') }, contextOf())
    const state = async () => [await store.account(email), await store.orders(email), await store.actionsRun(email)]
    const before = await state()
    await call(store, 'a key')
    const after = await state()
    expect(after).not.toEqual(before)
    await call(store, 'a key')
    expect(await state()).toEqual(after)
  })

  it('recognizes a repeated call on a later date, with an email in a different letter case', async () => {
    let date = today
    const store = await database.open({ today: () => date })
    await store.sendNow({ email }, contextOf('a key'))
    date = '2026-03-11'
    await store.sendNow({ email: email.toUpperCase() }, contextOf('a key'))
    expect(await store.orders(email)).toHaveLength(1)
  })

  it('does not store the idempotency key of a rejected call', async () => {
    const store = await database.open({ today })
    const call = () => store.undoAddProduct({ email, product_id: 'test_54321' }, contextOf('a key'))
    await expect(call()).rejects.toMatchObject({ code: 'product_not_in_order' })
    await store.addProduct({ email, ...oneOf('test_54321') }, contextOf())
    await call()
    expect((await store.account(email))?.adds).toEqual([])
  })

  it('accepts any string as a key for one operation and input', async () => {
    const store = await database.open({ today })
    const keys = ['k', 'K', ' k', 'k\0', 'k\ud800', 'k\udfff', 'é'.repeat(255), `${'é'.repeat(254)}e`]
    for (const key of [...keys, ...keys]) await store.addProduct({ ...visitor, ...oneOf('test_12345') }, contextOf(key))
    expect(await store.orders()).toHaveLength(keys.length)
    await store.addProduct({ ...visitor, ...oneOf('test_12345'), quantity: 2 }, contextOf('k'))
    await store.undoAddProduct({ ...visitor, product_id: 'test_12345' }, contextOf('k'))
    const orders = await store.orders()
    expect(orders).toHaveLength(keys.length + 1)
    expect(orders.filter(({ status }) => status === 'cancelled')).toHaveLength(1)
  })

  it('treats each call with an empty key as a new click', async () => {
    const store = await database.open({ today })
    for (let time = 0; time < 2; time++) await store.addProduct({ ...visitor, ...oneOf('test_12345') }, contextOf(''))
    expect(await store.orders()).toHaveLength(2)
  })
})
