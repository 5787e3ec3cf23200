import { createMemoryStore } from '@storeport/store-memory'
import { describe, expect, it } from 'vitest'
import { contextOf } from '@storeport/testing/clicks'

const today = '2026-03-10'
const subscriber = { email: 'subscription@example.com' }

describe('billDue', () => {
  /** Creates a store whose date the test can change. */
  function openStore() {
    const clock = { today }
    return { clock, store: createMemoryStore({ today: () => clock.today }) }
  }

  it('creates each due order only once', async () => {
    const { clock, store } = openStore()
    expect(await store.billDue()).toEqual({ billed: 0, more: false })
    clock.today = '2026-03-24'
    expect(await store.billDue()).toEqual({ billed: 2, more: false })
    expect(store.orders().map(({ subscription_id, placed_on }) => [subscription_id, placed_on])).toEqual([
      ['sub_1001', '2026-03-24'],
      ['sub_3001', '2026-03-24'],
    ])
    expect(await store.billDue()).toEqual({ billed: 0, more: false })
    expect(store.orders()).toHaveLength(2)
  })

  it('bills at most `limit` customers in one run', async () => {
    const { clock, store } = openStore()
    clock.today = '2026-07-24'
    expect(await store.billDue({ limit: 1 })).toMatchObject({ billed: 2, more: true })
    expect(await store.billDue({ limit: 1 })).toEqual({ billed: 1, more: false })
    expect(await store.billDue({ limit: 1 })).toEqual({ billed: 0, more: false })
  })

  it.each([0, -1, 1.5, Number.NaN])('rejects the limit %d', async (limit) => {
    await expect(openStore().store.billDue({ limit })).rejects.toThrow(RangeError)
  })

  it('includes due orders in reads, but saves the orders only with a successful change', async () => {
    const { clock, store } = openStore()
    const before = store.account(subscriber.email)
    clock.today = '2026-03-24'
    const shown = await store.getSubscription(subscriber, contextOf())
    expect(shown?.next_billing_date).toBe('2026-04-09')
    await expect(store.sendNow(subscriber, contextOf())).rejects.toMatchObject({ code: 'order_already_processing' })
    expect(store.account(subscriber.email)).toBe(before)
    await store.addProduct({ ...subscriber, product_id: 'test_54321', quantity: 1, one_time: false }, contextOf())
    expect(store.orders(subscriber.email)).toMatchObject([{ subscription_id: 'sub_1001', placed_on: '2026-03-24' }])
    expect(await store.billDue()).toEqual({ billed: 1, more: false })
    expect(store.orders(subscriber.email)).toHaveLength(1)
  })
})
