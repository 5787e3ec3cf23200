import { StoreError } from '@storeport/core'
import { chargesOrders } from '@storeport/testing/charges-orders'
import { contextOf } from '@storeport/testing/clicks'
import { describeDatabases } from '@storeport/testing/stores/describe-databases'
import { expect, it } from 'vitest'

const email = 'subscription@example.com'

await describeDatabases('a store that charges its orders', (database) => {
  chargesOrders((options) => database.open({ ...options, seed: 'if-empty' }))

  it('saves the pending order and ends the transaction before the charge', async () => {
    const seen: unknown[] = []
    const store = await database.open({
      today: '2026-03-10',
      seed: 'if-empty',
      charge: async ({ order }) => {
        // This transaction would be blocked if another transaction were open during the charge.
        await store.database.transaction((db) => db.updateTable('customers').set({ last_add: 7 }).execute())
        const { pending_charge, orders } = (await store.account(email)) ?? {}
        seen.push([pending_charge?.order.id === order.id, orders])
      },
    })
    await store.sendNow({ email }, contextOf())
    expect(seen).toEqual([[true, []]])
    expect((await store.account(email))?.pending_charge).toBeUndefined()
  })

  it('rejects another change while a charge is pending, and applies a repeated idempotency key once', async () => {
    let error: Error | undefined = new StoreError('upstream_error')
    const keys: string[] = []
    const store = await database.open({
      today: '2026-03-10',
      seed: 'if-empty',
      charge: async ({ idempotencyKey }) => {
        keys.push(idempotencyKey)
        if (error !== undefined) throw error
      },
    })
    const add = { email, product_id: 'test_54321', quantity: 1, one_time: false }
    await expect(store.sendNow({ email }, contextOf('send'))).rejects.toMatchObject({ code: 'upstream_error' })
    error = undefined
    for (const other of [store.addProduct(add, contextOf('add')), store.sendNow({ email }, contextOf('other'))])
      await expect(other).rejects.toMatchObject({ code: 'store_unavailable', retryAfter: 60 })
    expect(await store.getSubscription({ email }, contextOf())).toMatchObject({ next_billing_date: '2026-03-24' })
    await store.sendNow({ email }, contextOf('send'))
    await store.addProduct(add, contextOf('add'))
    await store.addProduct(add, contextOf('add'))
    const [order] = await store.orders(email)
    expect(keys).toEqual([order?.id, order?.id])
    expect((await store.account(email))?.adds).toHaveLength(1)
  })
})
