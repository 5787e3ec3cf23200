import { type Context, type CustomerInput, StoreError } from '@storeport/core'
import type { BoundChange, Charge, ChargeOrder, CustomerAccount, Subscription } from '@storeport/rules'
import { bindRules, chargeClick, chargeDue, readShopOptions } from '@storeport/rules'
import { contextOf } from '@storeport/testing/clicks'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { expectSaved } from './expect-saved.ts'
import { add, customer, given, productWith, swap, undo } from './given.ts'

const { email } = customer
const rules = bindRules()
const hourMs = 60 * 60_000

/** Outcome of a charge. `lost` means that the response was lost; `unsent` means that the request was lost. */
type Fate = 'charged' | 'declined' | 'lost' | 'unsent' | 'decline lost'

/** Creates a payment provider that stores the result of each idempotency key. */
function createProvider() {
  const charges = new Map<string, { readonly order: Charge['order']; readonly isPaid: boolean }>()
  let fates: readonly Fate[] = []
  const requests: string[] = []
  return {
    requests,
    /** The paid orders, with the reference that the provider returned for each. */
    paid: () =>
      [...charges.values()].flatMap(({ order, isPaid }) => (isPaid ? [{ ...order, payment: `paid ${order.id}` }] : [])),
    willDo: (...next: readonly Fate[]) => {
      fates = next
    },
    charge: async ({ order, idempotencyKey }: Charge) => {
      const [fate = 'charged', ...later] = fates
      fates = later
      requests.push(idempotencyKey)
      if (fate === 'unsent') throw new StoreError('upstream_error')
      const isPaid = fate === 'charged' || fate === 'lost'
      const known = charges.get(idempotencyKey) ?? { order, isPaid }
      charges.set(idempotencyKey, known)
      // A real provider rejects a repeated key with a different amount.
      expect(known.order).toEqual(order)
      if (fate === 'lost' || fate === 'decline lost') throw new StoreError('upstream_error')
      if (!known.isPaid) throw new StoreError('payment_failed')
      return `paid ${idempotencyKey}`
    },
  }
}

/** Thrown to simulate the end of the process. */
class Killed extends Error {}

/** Creates a shop with one customer. A test can simulate the end of the process before or after a commit. */
function openShop() {
  const provider = createProvider()
  const clock = { today: '2026-03-10', now: Date.parse('2026-03-10T09:00:00Z') }
  const items = [{ id: 'row', product_id: 'test_12345', quantity: 2 }]
  let { account } = given({
    subscriptions: [
      { id: 'sub', next_billing_date: '2026-04-01', items },
      { id: 'other', next_billing_date: '2026-04-20', items: [{ ...items[0], id: 'row2', product_id: 'test_67890' }] },
    ],
  })
  const products = ['test_12345', 'test_67890', 'test_54321'].map((id) => productWith({ id }))
  const { createShop } = readShopOptions({ today: () => clock.today, now: () => clock.now })
  let ids = 0
  let kill: { after: number; isCommitted: boolean } | undefined
  let saves = 0
  const transact = async (step: (before: CustomerAccount, shop: ReturnType<typeof createShop>) => CustomerAccount) => {
    const shop = createShop({
      product: (id) => products.find((one) => one.id === id),
      discount: given({}).shop.discount,
      newId: (kind) => `${kind}${++ids}`,
    })
    const after = step(account, shop)
    expectSaved(account, after)
    saves += 1
    if (kill?.after === saves && !kill.isCommitted) throw new Killed()
    account = after
    if (kill?.after === saves) throw new Killed()
  }
  const change =
    <Input>(rule: BoundChange<Input>) =>
    (input: Input) =>
      transact((before, shop) => rule(before, input, shop))
  const send = (charge: ChargeOrder) => (input: CustomerInput, context: Context) =>
    chargeClick(charge, context, (before, shop) => rules.sendNow(before, input, shop), transact)
  const store = {
    addProduct: change(rules.addProduct),
    delaySubscription: change(rules.delaySubscription),
    swapProduct: change(rules.swapProduct),
    undoAddProduct: change(rules.undoAddProduct),
    sendNow: send(provider.charge),
  }
  return {
    store,
    send,
    provider,
    clock,
    transact,
    account: () => account,
    change: (rule: (before: CustomerAccount) => CustomerAccount) => (account = rule(account)),
    orders: () => account.orders.filter(({ kind }) => kind === 'subscription'),
    billDue: () => chargeDue((step) => transact(step), provider.charge),
    killAt: (after: number, isCommitted: boolean) => {
      saves = 0
      kill = { after, isCommitted }
    },
    restart: () => {
      kill = undefined
    },
  }
}

const send = (shop: ReturnType<typeof openShop>, key = 'click') => shop.store.sendNow({ email }, contextOf(key))

describe('a shop that charges its orders', () => {
  it.each<[string, (shop: ReturnType<typeof openShop>) => Promise<void>]>([
    ['delay', ({ store }) => store.delaySubscription({ email, new_date: '2026-04-02' })],
    ['swap', ({ store }) => store.swapProduct(swap('test_12345', 'test_54321'))],
  ])('forgets declined charges after a %s', async (_name, change) => {
    const shop = openShop()
    shop.provider.willDo('declined')
    await expect(send(shop)).rejects.toThrow()
    await change(shop)
    expect(shop.account().subscriptions[0]?.declined).toBeNull()
  })

  it.each([
    ['nothing', undefined, null],
    ['an object', { id: 'pi_1', at: new Date(0) }, { id: 'pi_1', at: '1970-01-01T00:00:00.000Z' }],
  ])('stores a payment reference: %s', async (_name, payment, stored) => {
    const shop = openShop()
    await shop.send(async () => payment)({ email }, contextOf())
    expect(shop.orders()[0]?.payment).toEqual(stored)
  })

  it.each([
    ['too long', 'ü'.repeat(2100)],
    ['no JSON', () => 'pi_1'],
    ['a BigInt', 1n],
    ['an error', { toJSON: () => [].reduce(() => expect.unreachable()) }],
  ])('keeps the charge pending if the payment reference is %s', async (_name, payment) => {
    const shop = openShop()
    const sent = shop.send(async () => payment)({ email }, contextOf('click'))
    await expect(sent).rejects.toThrow('charge: must return JSON of at most 4 KiB, such as the id of the payment')
    expect(shop.account().pending_charge?.click?.key).toBe('click')
    await send(shop)
    expect(shop.orders()).toHaveLength(1)
  })

  it.each([
    ['sub', 'other'],
    ['other', 'sub'],
  ])('saves a charged order although the due subscription %s is invalid, and then reports that', async (id, valid) => {
    const shop = openShop()
    const breakOne = (one: Subscription) => (one.id === id ? { ...one, shipping_minor: -1 } : one)
    shop.change((before) => ({ ...before, subscriptions: before.subscriptions.map(breakOne) }))
    shop.clock.today = '2026-04-20'
    await shop.billDue()
    expect(shop.orders()).toMatchObject([{ subscription_id: valid }])
    expect(shop.orders()).toEqual(shop.provider.paid())
    await expect(shop.billDue()).rejects.toThrow(`subscription ${id}: shipping_minor must be`)
    expect(shop.provider.requests).toHaveLength(1)
  })

  it('rejects changes of the subscription while a charge is pending, and repeats the charge for the same order', async () => {
    const shop = openShop()
    shop.provider.willDo('lost')
    await expect(send(shop)).rejects.toMatchObject({ code: 'upstream_error' })
    expect(shop.orders()).toEqual([])
    const before = shop.account()
    for (const other of [
      shop.store.addProduct(add('test_54321', { one_time: true })),
      shop.store.delaySubscription({ email, new_date: '2026-04-02' }),
      send(shop, 'another click'),
    ])
      await expect(other).rejects.toMatchObject({ code: 'store_unavailable', retryAfter: 60 })
    expect(shop.account()).toBe(before)
    await send(shop)
    const id = shop.orders()[0]?.id
    expect(shop.provider.requests).toEqual([id, id])
    expect(shop.orders()).toEqual(shop.provider.paid())
  })

  it.each([
    [16, 0],
    [18, 1],
  ])('lets a click repeat its charge for 17 minutes: %d minutes', async (minutes, billed) => {
    const shop = openShop()
    shop.provider.willDo('lost', 'lost')
    await expect(send(shop)).rejects.toThrow()
    shop.clock.now += 60 * 60_000
    await expect(send(shop)).rejects.toThrow()
    shop.clock.now += minutes * 60_000
    await shop.billDue()
    expect(shop.orders()).toHaveLength(billed)
  })
})

it.each([
  ['paused', { status: 'paused', cancelled_on: null, next_billing_date: null }],
  ['cancelled', { status: 'cancelled', cancelled_on: '2026-03-10', next_billing_date: null }],
  ['not loaded', undefined],
] as const)('saves a pending order after its charge if the subscription is now %s', async (_name, state) => {
  const shop = openShop()
  await shop.store.addProduct(add('test_54321', { one_time: true, discount_code: 'FIVEOFF' }))
  shop.provider.willDo('lost')
  await expect(send(shop)).rejects.toMatchObject({ code: 'upstream_error' })
  const { subscriptions: before } = shop.change((account) => ({
    ...account,
    subscriptions: account.subscriptions.flatMap((each) =>
      each.id !== 'sub' ? each : state === undefined ? [] : { ...each, ...state },
    ),
  }))
  shop.clock.now += hourMs
  await shop.billDue()
  expect(shop.orders()).toEqual(shop.provider.paid())
  const recurring = before.map((each) => ({ ...each, items: each.items.filter(({ one_time }) => !one_time) }))
  const order_id = shop.orders()[0]?.id
  expect(shop.account()).toMatchObject({
    pending_charge: null,
    subscriptions: recurring,
    adds: [],
    discount_uses: [{ order_id, subscription_id: null, items: [] }],
    last_sent_on: '2026-03-10',
  })
})

it.each([null, undefined])('does not charge if the store loads the pending charge as %s', async (pending_charge) => {
  const shop = openShop()
  const { createShop } = readShopOptions({ today: shop.clock.today })
  const requests: string[] = []
  const sent = chargeClick(
    async ({ idempotencyKey }) => void requests.push(idempotencyKey),
    contextOf(),
    (account, catalogue) => rules.sendNow(account, { email }, catalogue),
    async (step) => step({ ...shop.account(), pending_charge }, createShop({ product: (id) => productWith({ id }) })),
  )
  await expect(sent).rejects.toThrow('The pending charge was not saved or loaded')
  expect(requests).toEqual([])
})

const anyFates = fc.array(fc.constantFrom<Fate>('charged', 'charged', 'declined', 'lost', 'unsent', 'decline lost'), {
  maxLength: 3,
})
const anyStep = fc.record({
  call: fc.constantFrom('sendNow', 'sendNow', 'addProduct', 'undo', 'swap', 'delaySubscription', 'bill', 'together'),
  fates: anyFates,
  kill: fc.option(fc.record({ after: fc.integer({ min: 1, max: 4 }), isCommitted: fc.boolean() }), { freq: 2 }),
  days: fc.integer({ min: 0, max: 40 }),
})

it('charges each order exactly once after any sequence of failures', { timeout: 60_000 }, async () => {
  const seen = { orders: 0, kills: 0 }
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { minLength: 1, maxLength: 12 }), async (steps) => {
      const shop = openShop()
      const run: Readonly<Record<string, () => Promise<unknown>>> = {
        sendNow: () => send(shop, `click ${Math.floor(shop.clock.now / hourMs)}`),
        addProduct: () => shop.store.addProduct(add('test_54321', { discount_code: 'FIVEOFF' })),
        undo: () => shop.store.undoAddProduct(undo('test_54321')),
        swap: () => shop.store.swapProduct(swap('test_54321', 'test_12345', 'TEST10')),
        delaySubscription: () => shop.store.delaySubscription({ email, new_date: '2027-12-31' }),
        bill: shop.billDue,
        together: () => Promise.allSettled([send(shop), send(shop), shop.billDue()]),
      }
      for (const { call, fates, kill, days } of steps) {
        const date = new Date(`${shop.clock.today}T00:00:00Z`)
        date.setUTCDate(date.getUTCDate() + days)
        shop.clock.today = date.toISOString().slice(0, 10)
        shop.provider.willDo(...fates)
        shop.clock.now += days * 24 * hourMs
        if (kill !== null) shop.killAt(kill.after, kill.isCommitted)
        await run[call]?.().catch((error: unknown) => {
          if (error instanceof Killed) seen.kills += 1
        })
        shop.restart()
      }
      shop.provider.willDo()
      shop.clock.now += hourMs
      // Completes any pending charge. The second run is necessary if the first run ends with a declined charge.
      await shop.billDue().catch(() => shop.billDue())
      const byId = (one: { readonly id: string }, other: { readonly id: string }) => (one.id < other.id ? -1 : 1)
      const orders = shop.orders().toSorted(byId)
      expect(orders).toEqual(shop.provider.paid().toSorted(byId))
      expect(new Set(orders.map(({ id }) => id)).size).toBe(orders.length)
      seen.orders += orders.length
    }),
    { numRuns: 200 },
  )
  expect(seen.orders).toBeGreaterThan(300)
  expect(seen.kills).toBeGreaterThan(30)
})
