import { endpointNames, isStoreError, StoreError } from '@storeport/core'
import type { Context, ErrorCode } from '@storeport/core'
import { createMemoryStore, seed } from '@storeport/store-memory'
import { afterEach, describe, expect, it, vi } from 'vitest'

const today = '2026-03-10'
const context: Context = {
  requestId: 'test',
  signal: new AbortController().signal,
  idempotencyKey: 'test',
  testMode: false,
}
const subscriber = { email: 'subscription@example.com' }
const visitor = { email: 'test@example.com' }
const neighbour = { email: 'another@example.com' }
const oneOf = (product_id: string) => ({ product_id, quantity: 1, one_time: false })

const codeOf = (error: unknown): ErrorCode => {
  if (isStoreError(error)) return error.code
  throw error
}
/** How a call ended: the code of the refusal, or what it answered. */
const ending = <Answer>(call: Promise<Answer>) => call.catch(codeOf)

describe('createMemoryStore', () => {
  it('offers every endpoint', () => {
    const store = createMemoryStore()
    for (const name of endpointNames) expect(store[name]).toBeTypeOf('function')
  })

  it('starts with the seed, its dates around the real today', async () => {
    const store = createMemoryStore()
    const { next_billing_date } = (await store.getSubscription(subscriber, context)) ?? {}
    const inTwoWeeks = (instant: number) => new Date(instant + 14 * 86_400_000).toISOString().slice(0, 10)
    // Around midnight the date may have changed between the two calls.
    expect([inTwoWeeks(Date.now()), inTwoWeeks(Date.now() - 60_000)]).toContain(next_billing_date)
  })

  it('saves what a call changed, and nothing of a call that it refuses', async () => {
    const store = createMemoryStore({ today })
    await store.addProduct({ ...subscriber, ...oneOf('test_54321') }, context)
    expect((await store.getSubscription(subscriber, context))?.items).toHaveLength(3)
    const before = store.account(subscriber.email)
    const refused = store.addProduct({ ...subscriber, ...oneOf('test_54321'), discount_code: 'NOSUCHCODE' }, context)
    expect(await ending(refused)).toBe('invalid_discount_code')
    expect(store.account(subscriber.email)).toBe(before)
  })

  it('knows a customer whatever the letter case of the email', async () => {
    const store = createMemoryStore({ today, data: { ...seed(today), customers: [{ email: 'Some.One@Example.com' }] } })
    await store.addProduct({ email: 'some.one@example.COM', ...oneOf('test_12345') }, context)
    expect(store.orders('SOME.ONE@EXAMPLE.COM')).toHaveLength(1)
    expect(store.account('some.one@example.com')?.email).toBe('Some.One@Example.com')
  })

  it('tells what customers did last, the latest first, and no more than asked for', async () => {
    const store = createMemoryStore({ today })
    await store.sendNow(subscriber, context)
    await store.addProduct({ ...visitor, ...oneOf('test_12345'), discount_code: 'TEST10' }, context)
    await store.sendNow(neighbour, context)
    for (const action_id of ['change_to_quarterly', 'claim_discount_10off'])
      await store.runCustomAction({ ...visitor, action_id }, context)
    const { orders, discount_uses, actions_run } = store.latestActivity()
    expect(orders.map(({ email }) => email)).toEqual([neighbour.email, visitor.email, subscriber.email])
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

  it('says customer_not_found before anything else', async () => {
    const store = createMemoryStore({ today })
    const email = 'nobody@example.com'
    const calls: Promise<unknown>[] = [
      store.addProduct({ email, ...oneOf('nothing'), discount_code: 'NO' }, context),
      store.undoAddProduct({ email, product_id: 'nothing' }, context),
      store.getSubscription({ email }, context),
      store.sendNow({ email }, context),
      store.delaySubscription({ email, new_date: '2020-01-01' }, context),
      store.swapProduct({ email, current_item_id: 'test_12345', new_product_id: 'nothing' }, context),
      store.listCancelledSubscriptions({ email }, context),
      store.reactivateSubscription({ email, subscription_id: 'nothing' }, context),
      store.runCustomAction({ email, action_id: 'nothing' }, context),
    ]
    expect(await Promise.all(calls.map(ending))).toEqual(calls.map(() => 'customer_not_found'))
  })

  it('shows an unknown customer, and nobody in particular, the general list', async () => {
    const store = createMemoryStore({ today })
    const general = await store.listProducts({}, context)
    expect(general.products.map(({ id }) => id)).toEqual(['test_12345', 'test_67890', 'test_54321'])
    expect(await store.listProducts({ email: 'nobody@example.com' }, context)).toEqual(general)
    expect((await store.listProducts(subscriber, context)).products.map(({ id }) => id)).toEqual(['test_54321'])
  })

  it("never reaches another customer's data, whatever ids a call names", async () => {
    const store = createMemoryStore({ today })
    const before = store.account(neighbour.email)
    const swap = { ...subscriber, current_item_id: 'test_54321', new_product_id: 'test_12345' }
    expect(await ending(store.swapProduct(swap, context))).toBe('item_not_found')
    const reactivate = { ...subscriber, subscription_id: 'sub_3002' }
    expect(await ending(store.reactivateSubscription(reactivate, context))).toBe('subscription_not_found')
    await store.addProduct({ ...neighbour, ...oneOf('test_12345') }, context)
    expect(await ending(store.undoAddProduct({ ...subscriber, product_id: 'test_12345' }, context))).toBe(
      'product_not_in_order',
    )
    await store.undoAddProduct({ ...neighbour, product_id: 'test_12345' }, context)
    expect(store.account(neighbour.email)).toEqual(before)
  })

  it('counts the uses of a code over all customers, and gives back those that are undone', async () => {
    const discounts = [{ code: 'ONCE', discount_type: 'percentage', discount_percentage: 10, max_uses: 1 } as const]
    const store = createMemoryStore({ today, data: { ...seed(today), discounts } })
    const add = (customer: { email: string }) =>
      ending(store.addProduct({ ...customer, ...oneOf('test_12345'), discount_code: 'once' }, context))
    expect(await add(visitor)).toBeUndefined()
    expect(await add(neighbour)).toBe('invalid_discount_code')
    expect(await ending(store.getDiscount({ discount_code: 'ONCE' }, context))).toBe('discount_not_found')
    await store.undoAddProduct({ ...visitor, product_id: 'test_12345' }, context)
    expect(await add(neighbour)).toBeUndefined()
    await store.sendNow(neighbour, context)
    expect(await add(visitor)).toBe('invalid_discount_code')
  })

  it('holds a line to maxQuantity', async () => {
    const store = createMemoryStore({ today, maxQuantity: 3 })
    const add = { ...subscriber, ...oneOf('test_12345') }
    await store.addProduct(add, context)
    expect(await ending(store.addProduct(add, context))).toBe('invalid_request')
  })

  it('reactivates for as long as reactivationDays says', async () => {
    const listed = async (reactivationDays: number) => {
      const store = createMemoryStore({ today, reactivationDays })
      const { subscriptions } = await store.listCancelledSubscriptions({ email: 'cancelled@example.com' }, context)
      return subscriptions.map(({ subscription_id }) => subscription_id)
    }
    expect(await listed(10)).toEqual(['sub_2003'])
    expect(await listed(400)).toEqual(['sub_2003', 'sub_2002', 'sub_2001'])
  })

  it('runs several calls at once without losing one', async () => {
    const store = createMemoryStore({ today })
    const add = { ...subscriber, ...oneOf('test_54321') }
    await Promise.all(Array.from({ length: 50 }, () => store.addProduct(add, context)))
    expect((await store.getSubscription(subscriber, context))?.items.at(-1)?.quantity).toBe(50)
  })
})

describe('custom actions', () => {
  it('of the data are noted', async () => {
    const store = createMemoryStore({ today })
    await store.runCustomAction({ email: 'TEST@example.com', action_id: 'change_to_quarterly' }, context)
    expect(store.actionsRun).toEqual([{ email: 'test@example.com', action_id: 'change_to_quarterly', run_on: today }])
  })

  it('of the options are run, and then noted', async () => {
    const run = vi.fn()
    const store = createMemoryStore({ today, actions: { join_waitlist: run } })
    const input = { ...visitor, action_id: 'join_waitlist' }
    await store.runCustomAction(input, context)
    expect(run).toHaveBeenCalledExactlyOnceWith(input, context)
    expect(store.actionsRun).toHaveLength(1)
  })

  it('of the options go before those of the data', async () => {
    const run = vi.fn()
    const store = createMemoryStore({ today, actions: { change_to_quarterly: run } })
    await store.runCustomAction({ ...visitor, action_id: 'change_to_quarterly' }, context)
    expect(run).toHaveBeenCalledOnce()
  })

  it('that refuse are not noted', async () => {
    const refuse = () => Promise.reject(new StoreError('action_not_allowed'))
    const store = createMemoryStore({ today, actions: { refuse } })
    expect(await ending(store.runCustomAction({ ...visitor, action_id: 'refuse' }, context))).toBe('action_not_allowed')
    expect(store.actionsRun).toEqual([])
  })

  it.each(['nothing', 'Change_To_Quarterly', '__proto__', 'constructor', 'toString'])(
    '%s is not known',
    async (action_id) => {
      const store = createMemoryStore({ today, actions: { known: () => undefined } })
      expect(await ending(store.runCustomAction({ ...visitor, action_id }, context))).toBe('action_not_found')
      expect(store.actionsRun).toEqual([])
    },
  )
})

describe('what a test may read', () => {
  it('orders of one customer, or of all', async () => {
    const store = createMemoryStore({ today })
    await store.sendNow(subscriber, context)
    await store.addProduct({ ...visitor, ...oneOf('test_12345') }, context)
    expect(store.orders(subscriber.email)).toMatchObject([{ subscription_id: 'sub_1001', status: 'processing' }])
    expect(store.orders(visitor.email)).toMatchObject([{ kind: 'one_off', status: 'open', total_minor: 1995 }])
    expect(store.orders()).toHaveLength(2)
    expect(store.orders(neighbour.email)).toEqual([])
    expect(() => store.orders('nobody@example.com')).toThrow(StoreError)
  })

  it('reset forgets everything since the start', async () => {
    const store = createMemoryStore({ today })
    const fresh = createMemoryStore({ today })
    await store.sendNow(subscriber, context)
    await store.runCustomAction({ ...visitor, action_id: 'change_to_quarterly' }, context)
    store.reset()
    expect(store.orders()).toEqual([])
    expect(store.actionsRun).toEqual([])
    expect(store.account(subscriber.email)).toEqual(fresh.account(subscriber.email))
  })

  it('reset makes the seed again for the date that it is then, and keeps data that was given', async () => {
    let date = today
    const ofSeed = createMemoryStore({ today: () => date })
    const ofData = createMemoryStore({ today: () => date, data: seed(today) })
    date = '2026-06-01'
    ofSeed.reset()
    ofData.reset()
    expect((await ofSeed.getSubscription(subscriber, context))?.next_billing_date).toBe('2026-06-15')
    expect((await ofData.getSubscription(subscriber, context))?.next_billing_date).toBe('2026-06-24')
  })

  it('keeps a copy of the data, so that nobody can change it from outside', async () => {
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

  it('says what is wrong with the data, without telling an email', () => {
    const data = { customers: [{ email: 'a@example.com' }, { email: 'A@example.com' }] }
    expect(() => createMemoryStore({ data })).toThrow(
      'The shop data is not valid:\n  customers[1].email: is the same as customers[0].email',
    )
  })
})

describe('today', () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  const tomorrowIs = async (store: ReturnType<typeof createMemoryStore>) => {
    await store.reactivateSubscription({ email: 'cancelled@example.com', subscription_id: 'sub_2003' }, context)
    return (await store.getSubscription({ email: 'cancelled@example.com' }, context))?.next_billing_date
  }

  it('may be fixed', async () => {
    expect(await tomorrowIs(createMemoryStore({ today: '2026-02-28' }))).toBe('2026-03-01')
  })

  it('may be asked for at every call', async () => {
    let date = '2026-02-28'
    const store = createMemoryStore({ today: () => date })
    date = '2026-03-31'
    expect(await tomorrowIs(store)).toBe('2026-04-01')
  })

  it.each([
    [undefined, '2026-03-11'],
    ['America/Los_Angeles', '2026-03-10'],
    ['Pacific/Kiritimati', '2026-03-11'],
  ])('is the real one in the time zone %s', async (timeZone, tomorrow) => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-03-10T03:00:00Z') })
    expect(await tomorrowIs(createMemoryStore({ timeZone }))).toBe(tomorrow)
  })

  it('must exist, and so must the time zone', () => {
    expect(() => createMemoryStore({ today: '2026-02-30' })).toThrow(
      'today: must be an existing date in the form YYYY-MM-DD',
    )
    expect(() => createMemoryStore({ timeZone: 'Mars/Olympus' })).toThrow(RangeError)
  })
})
