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
})
