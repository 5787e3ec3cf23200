import type { Click, Context } from '@storeport/core'
import { createMemoryStore, seed } from '@storeport/store-memory'
import { contextOf, oneOf } from '@storeport/testing/clicks'
import { afterEach, describe, expect, it, vi } from 'vitest'

const today = '2026-03-10'
const context = contextOf()
const subscriber = { email: 'subscription@example.com' }
const visitor = { email: 'test@example.com' }

describe('createMemoryStore', () => {
  it('starts with seed data that has dates relative to the current date', async () => {
    const store = createMemoryStore()
    const { next_billing_date } = (await store.getSubscription(subscriber, context)) ?? {}
    const inTwoWeeks = (instant: number) => new Date(instant + 14 * 86_400_000).toISOString().slice(0, 10)
    // Accepts the date from one minute ago, because the date may change between the calls.
    expect([inTwoWeeks(Date.now()), inTwoWeeks(Date.now() - 60_000)]).toContain(next_billing_date)
  })
})

describe('a memory store in a test', () => {
  it('gives the function of an action no click, so that its changes do not complete the action', async () => {
    const actions = {
      gift: (_: unknown, given: Context) => store.addProduct({ ...visitor, ...oneOf('test_12345') }, given),
    }
    const store = createMemoryStore({ today, actions })
    const click: Click = {
      ...{ customer: 'shop:live:x', commitBy: Infinity, idempotencyKey: 'k', ledger: undefined },
      claim: () => ({ result: 'done' }),
      succeed: () => ({ result: undefined }),
    }
    await store.runCustomAction({ ...visitor, action_id: 'gift' }, { ...context, click })
    expect([store.orders(), store.actionsRun]).toMatchObject([{ length: 1 }, { length: 1 }])
  })

  it('restores the initial data with reset', async () => {
    const store = createMemoryStore({ today })
    const fresh = createMemoryStore({ today })
    await store.sendNow(subscriber, context)
    await store.runCustomAction({ ...visitor, action_id: 'change_to_quarterly' }, context)
    store.reset()
    expect(store.orders()).toEqual([])
    expect(store.actionsRun).toEqual([])
    expect(store.latestActivity()).toEqual({ orders: [], discount_uses: [], actions_run: [] })
    expect(store.account(subscriber.email)).toEqual(fresh.account(subscriber.email))
  })

  it('resets the seed to the current date, and custom data to its original dates', async () => {
    let date = today
    const ofSeed = createMemoryStore({ today: () => date })
    const ofData = createMemoryStore({ today: () => date, data: seed(today) })
    date = '2026-03-12'
    ofSeed.reset()
    ofData.reset()
    expect((await ofSeed.getSubscription(subscriber, context))?.next_billing_date).toBe('2026-03-26')
    expect((await ofData.getSubscription(subscriber, context))?.next_billing_date).toBe('2026-03-24')
  })

  it('copies the option `data`, so that later changes to the object have no effect', async () => {
    const products = [{ id: 'tea', title: 'Tea', price: 4, images: ['http://localhost/tea.png'] }]
    const store = createMemoryStore({ today, data: { products } })
    products[0]?.images.push('broken')
    products.push({ id: 'cake', title: 'Cake', price: 5, images: [] })
    store.reset()
    const listed = await store.listProducts({}, context)
    expect(listed.products).toEqual([{ id: 'tea', title: 'Tea', price: 4, images: ['http://localhost/tea.png'] }])
    listed.products[0]?.images.push('broken')
    expect((await store.listProducts({}, context)).products[0]?.images).toHaveLength(1)
  })
})

describe('today', () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  const readTomorrow = async (store: ReturnType<typeof createMemoryStore>) => {
    await store.reactivateSubscription({ email: 'cancelled@example.com', subscription_id: 'sub_2003' }, context)
    return (await store.getSubscription({ email: 'cancelled@example.com' }, context))?.next_billing_date
  }

  it('accepts a function, which is called for every request', async () => {
    let date = '2026-02-28'
    const store = createMemoryStore({ today: () => date })
    date = '2026-03-31'
    expect(await readTomorrow(store)).toBe('2026-04-01')
  })

  it.each([
    [undefined, '2026-03-11'],
    ['America/Los_Angeles', '2026-03-10'],
    ['Pacific/Kiritimati', '2026-03-11'],
  ])('defaults to the current date in the time zone %s', async (timeZone, tomorrow) => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-03-10T03:00:00Z') })
    expect(await readTomorrow(createMemoryStore({ timeZone }))).toBe(tomorrow)
  })
})
