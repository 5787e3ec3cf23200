import { isStoreError, StoreError } from '@storeport/core'
import type { ErrorCode } from '@storeport/core'
import { createMemoryStore, seed } from '@storeport/store-memory'
import { contextOf, oneOf } from '@storeport/testing/clicks'
import { afterEach, describe, expect, it, vi } from 'vitest'

const today = '2026-03-10'
const context = contextOf()
const subscriber = { email: 'subscription@example.com' }
const visitor = { email: 'test@example.com' }
const otherCustomer = { email: 'another@example.com' }

const codeOf = (error: unknown): ErrorCode => {
  if (isStoreError(error)) return error.code
  throw error
}
/** Returns the result of a call, or its error code. */
const outcomeOf = <Result>(call: Promise<Result>) => call.catch(codeOf)

describe('createMemoryStore', () => {
  it('starts with seed data that has dates relative to the current date', async () => {
    const store = createMemoryStore()
    const { next_billing_date } = (await store.getSubscription(subscriber, context)) ?? {}
    const inTwoWeeks = (instant: number) => new Date(instant + 14 * 86_400_000).toISOString().slice(0, 10)
    // Accepts the date from one minute ago, because the date may change between the calls.
    expect([inTwoWeeks(Date.now()), inTwoWeeks(Date.now() - 60_000)]).toContain(next_billing_date)
  })

  it('ignores letter case when it compares emails', async () => {
    const store = createMemoryStore({ today, data: { ...seed(today), customers: [{ email: 'Some.One@Example.com' }] } })
    await store.addProduct({ email: 'some.one@example.COM', ...oneOf('test_12345') }, context)
    expect(store.orders('SOME.ONE@EXAMPLE.COM')).toHaveLength(1)
    expect(store.account('some.one@example.com')?.email).toBe('Some.One@Example.com')
  })

  it('returns the latest activity, newest first, up to the limit', async () => {
    const store = createMemoryStore({ today })
    await store.sendNow(subscriber, context)
    await store.addProduct({ ...visitor, ...oneOf('test_12345'), discount_code: 'TEST10' }, context)
    await store.sendNow(otherCustomer, context)
    for (const action_id of ['change_to_quarterly', 'claim_discount_10off'])
      await store.runCustomAction({ ...visitor, action_id }, context)
    const { orders, discount_uses, actions_run } = store.latestActivity()
    expect(orders.map(({ email }) => email)).toEqual([otherCustomer.email, visitor.email, subscriber.email])
    expect(discount_uses).toMatchObject([{ email: visitor.email, code: 'TEST10', order_id: orders[1]?.id }])
    expect(actions_run.map(({ action_id }) => action_id)).toEqual(['claim_discount_10off', 'change_to_quarterly'])
    expect(store.latestActivity(1).orders).toEqual(orders.slice(0, 1))

    await store.undoAddProduct({ ...visitor, product_id: 'test_12345' }, context)
    const left = store.latestActivity()
    expect(left.orders.map(({ status }) => status)).toEqual(['processing', 'cancelled', 'processing'])
    expect(left.discount_uses).toEqual([])
    store.reset()
    expect(store.latestActivity()).toEqual({ orders: [], discount_uses: [], actions_run: [] })
  })

  it('limits the total uses of a code by all customers, ignoring undone uses', async () => {
    const discounts = [{ code: 'ONCE', discount_type: 'percentage', discount_percentage: 10, max_uses: 1 } as const]
    const store = createMemoryStore({ today, data: { ...seed(today), discounts } })
    const add = (customer: { email: string }) =>
      outcomeOf(store.addProduct({ ...customer, ...oneOf('test_12345'), discount_code: 'once' }, context))
    expect(await add(visitor)).toBeUndefined()
    expect(await add(otherCustomer)).toBe('invalid_discount_code')
    expect(await outcomeOf(store.getDiscount({ discount_code: 'ONCE' }, context))).toBe('discount_not_found')
    await store.undoAddProduct({ ...visitor, product_id: 'test_12345' }, context)
    expect(await add(otherCustomer)).toBeUndefined()
    await store.sendNow(otherCustomer, context)
    expect(await add(visitor)).toBe('invalid_discount_code')
  })

  it('uses the number of decimals of its currency', async () => {
    for (const [currency, price, minor] of [
      ['JPY', 1995, 1995],
      ['KWD', 19.95, 19_950],
    ] as const) {
      const store = createMemoryStore({ today, currency })
      expect((await store.listProducts({}, context)).products[0]?.price).toBe(price)
      await store.addProduct({ ...visitor, ...oneOf('test_12345') }, context)
      expect([store.currency, store.orders()[0]?.total_minor]).toEqual([currency, minor])
    }
  })

  it('enforces maxQuantity', async () => {
    const store = createMemoryStore({ today, maxQuantity: 3 })
    const add = { ...subscriber, ...oneOf('test_12345') }
    await store.addProduct(add, context)
    expect(await outcomeOf(store.addProduct(add, context))).toBe('invalid_request')
  })

  it('lists only subscriptions cancelled within reactivationDays', async () => {
    const listed = async (reactivationDays: number) => {
      const store = createMemoryStore({ today, reactivationDays })
      const { subscriptions } = await store.listCancelledSubscriptions({ email: 'cancelled@example.com' }, context)
      return subscriptions.map(({ subscription_id }) => subscription_id)
    }
    expect(await listed(10)).toEqual(['sub_2003'])
    expect(await listed(400)).toEqual(['sub_2003', 'sub_2002', 'sub_2001'])
  })
})

describe('runCustomAction', () => {
  it('runs the function from the options and records the run', async () => {
    const run = vi.fn()
    const store = createMemoryStore({ today, actions: { join_waitlist: run } })
    const input = { ...visitor, action_id: 'join_waitlist' }
    await store.runCustomAction(input, context)
    expect(run).toHaveBeenCalledExactlyOnceWith(input, context)
    expect(store.actionsRun).toHaveLength(1)
  })

  it('prefers the function in the options over the action in the data', async () => {
    const run = vi.fn()
    const store = createMemoryStore({ today, actions: { change_to_quarterly: run } })
    await store.runCustomAction({ ...visitor, action_id: 'change_to_quarterly' }, context)
    expect(run).toHaveBeenCalledOnce()
  })

  it.each(['nothing', 'Change_To_Quarterly', '__proto__', 'constructor', 'toString'])(
    'rejects the unknown action id %s',
    async (action_id) => {
      const store = createMemoryStore({ today, actions: { known: () => undefined } })
      expect(await outcomeOf(store.runCustomAction({ ...visitor, action_id }, context))).toBe('action_not_found')
      expect(store.actionsRun).toEqual([])
    },
  )
})

describe('a memory store in a test', () => {
  it("returns one customer's orders or all customers' orders", async () => {
    const store = createMemoryStore({ today })
    await store.sendNow(subscriber, context)
    await store.addProduct({ ...visitor, ...oneOf('test_12345') }, context)
    expect(store.orders(subscriber.email)).toMatchObject([{ subscription_id: 'sub_1001', status: 'processing' }])
    expect(store.orders(visitor.email)).toMatchObject([{ kind: 'one_off', status: 'open', total_minor: 1995 }])
    expect(store.orders()).toHaveLength(2)
    expect(store.orders(otherCustomer.email)).toEqual([])
    expect(() => store.orders('nobody@example.com')).toThrow(StoreError)
  })

  it('restores the initial data with reset', async () => {
    const store = createMemoryStore({ today })
    const fresh = createMemoryStore({ today })
    await store.sendNow(subscriber, context)
    await store.runCustomAction({ ...visitor, action_id: 'change_to_quarterly' }, context)
    store.reset()
    expect(store.orders()).toEqual([])
    expect(store.actionsRun).toEqual([])
    expect(store.account(subscriber.email)).toEqual(fresh.account(subscriber.email))
  })

  it('resets the seed to the current date, and custom data to its original dates', async () => {
    let date = today
    const ofSeed = createMemoryStore({ today: () => date })
    const ofData = createMemoryStore({ today: () => date, data: seed(today) })
    date = '2026-06-01'
    ofSeed.reset()
    ofData.reset()
    expect((await ofSeed.getSubscription(subscriber, context))?.next_billing_date).toBe('2026-06-15')
    expect((await ofData.getSubscription(subscriber, context))?.next_billing_date).toBe('2026-06-24')
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
