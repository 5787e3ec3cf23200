import { contextOf } from '@storeport/testing/clicks'
import { describe, expect, it } from 'vitest'
import { countCharges, countRenewals, email, openTestShop, type StripeShop, unitsOf } from './open-shop.ts'
import { postTo } from './post-to.ts'

const second = 1000
const hour = 3_600_000

/** A click whose Stripe request or response is lost. */
interface Case {
  readonly path: string
  readonly body: (shop: StripeShop) => object
  /** Sends clicks before the tested click. */
  readonly before?: (shop: StripeShop) => Promise<unknown>
  /** Returns whether to interrupt a request to Stripe; by default, every change is interrupted. */
  readonly cut?: (request: { readonly method: string; readonly path: string }) => boolean
  /** Reads the state that the click changes. */
  readonly effect: (shop: StripeShop) => Promise<unknown>
  /** Expected state after the click was applied once. */
  readonly once: unknown
}

const grinder = { product_id: 'test_54321', quantity: 2 }

const cases: Readonly<Record<string, Case>> = {
  addProduct: {
    path: '/upsells/add-product',
    body: () => ({ email, ...grinder }),
    effect: (shop) => unitsOf(shop, 'test_54321'),
    once: 2,
  },
  'addProduct to an existing line': {
    path: '/upsells/add-product',
    body: () => ({ email, product_id: 'test_12345', quantity: 3 }),
    effect: (shop) => unitsOf(shop, 'test_12345'),
    once: 5,
  },
  'addProduct with one_time': {
    path: '/upsells/add-product',
    body: () => ({ email, ...grinder, one_time: true }),
    effect: (shop) => unitsOf(shop, 'test_54321~once'),
    once: 2,
  },
  'addProduct with one_time to an existing line': {
    path: '/upsells/add-product',
    before: add({ one_time: true }),
    body: () => ({ email, ...grinder, quantity: 3, one_time: true }),
    effect: (shop) => unitsOf(shop, 'test_54321~once'),
    once: 5,
  },
  undoAddProduct: {
    path: '/upsells/undo-add-product',
    before: async (shop) => {
      await add({})(shop)
      await add({ quantity: 5 })(shop)
    },
    body: () => ({ email, product_id: 'test_54321' }),
    effect: (shop) => unitsOf(shop, 'test_54321'),
    once: 2,
  },
  'undoAddProduct of a whole line (mark request)': {
    path: '/upsells/undo-add-product',
    before: async (shop) => {
      await add({})(shop)
      await add({ one_time: true })(shop)
    },
    body: () => ({ email, product_id: 'test_54321' }),
    effect: (shop) => unitsOf(shop, 'test_54321', 'test_54321~once'),
    once: 2,
  },
  'undoAddProduct of a whole line (DELETE request)': {
    path: '/upsells/undo-add-product',
    before: async (shop) => {
      await add({})(shop)
      await add({ one_time: true })(shop)
    },
    body: () => ({ email, product_id: 'test_54321' }),
    cut: ({ method }) => method === 'DELETE',
    effect: (shop) => unitsOf(shop, 'test_54321', 'test_54321~once'),
    once: 2,
  },
  sendNow: {
    path: '/customer-portal/send-now',
    body: () => ({ email }),
    effect: countCharges,
    once: 1,
  },
  delaySubscription: {
    path: '/customer-portal/delay',
    body: () => ({ email, new_date: '2026-04-05' }),
    effect: async ({ stripe, subscriptions }) => {
      const { trial_end } = await stripe.subscriptions.retrieve(subscriptions['sub_1001'] ?? '')
      return new Date((trial_end ?? 0) * 1000).toISOString()
    },
    once: '2026-04-05T12:00:00.000Z',
  },
  swapProduct: {
    path: '/customer-portal/swap-product',
    body: () => ({ email, current_item_id: 'test_12345', new_product_id: 'test_67890' }),
    effect: (shop) => unitsOf(shop, 'test_12345', 'test_67890'),
    once: 3,
  },
  'swapProduct into an existing line': {
    path: '/customer-portal/swap-product',
    before: async (shop) => {
      await add({ one_time: true })(shop)
      await add({ one_time: true, product_id: 'test_67890' })(shop)
    },
    body: () => ({ email, current_item_id: 'test_54321~once', new_product_id: 'test_67890' }),
    effect: (shop) => unitsOf(shop, 'test_54321~once', 'test_67890~once'),
    once: 4,
  },
  reactivateSubscription: {
    path: '/reactivate/subscription',
    body: ({ subscriptions }) => ({ email: 'cancelled@example.com', subscription_id: subscriptions['sub_2003'] }),
    effect: countRenewals,
    once: 1,
  },
  runCustomAction: {
    path: '/custom-action',
    body: () => ({ email, action_id: 'join_waitlist_product_123' }),
    effect: async ({ stripe }) =>
      (await stripe.customers.list({ email })).data[0]?.metadata['join_waitlist_product_123'],
    once: '1',
  },
}

describe.each(Object.entries(cases))('%s with a lost response', (_, { path, body, before, cut, effect, once }) => {
  const times: readonly (readonly [after: string, ms: number, named: boolean, isRestarted?: boolean])[] = [
    ['a second', second, false],
    // The process was killed, so the ledger is empty.
    ['a second', second, false, true],
    ['a second', second, true, true],
    ['11 minutes', 11 * 60 * second, false],
    ['23 hours', 23 * hour, false],
    ['a second', second, true],
    ['11 minutes', 11 * 60 * second, true],
    ['23 hours', 23 * hour, true],
    // Without an `Idempotency-Key`, a repeat after 24 hours is a new click.
    ['25 hours', 25 * hour, true],
  ]
  const attempts = times.flatMap(([after, ms, named, isRestarted = false]) =>
    (['cut_before', 'cut_after'] as const).map((kind) => ({ after, ms, named, kind, isRestarted })),
  )

  it.each(attempts)(
    'takes effect once if the click is repeated after $after ($kind, named: $named, restarted: $isRestarted)',
    async ({ ms, named, kind, isRestarted }) => {
      const shop = await openTestShop()
      const { standIn, pass } = shop
      await before?.(shop)
      let post = postTo(shop)
      const click = async () => (await post(path, body(shop), named ? 'the-click' : undefined)).status
      // Cuts two requests, because the Stripe client always retries once after a connection reset.
      standIn.fail({
        kind,
        times: 2,
        matches: cut ?? (({ method, path: at }) => method === 'POST' && !at.endsWith('preview')),
      })
      expect(await click()).toBe(502)
      await pass(ms)
      if (isRestarted) post = postTo({ ...shop, store: shop.another() })
      expect(await click()).toBe(200)
      expect(await effect(shop)).toEqual(once)
      // A second retry within the window, and a retry of a named click at any time, returns the stored response.
      await pass(named ? hour : second)
      expect(await click()).toBe(200)
      expect(await effect(shop)).toEqual(once)
    },
  )
})

function add(more: { email?: string; product_id?: string; quantity?: number; one_time?: boolean }) {
  return ({ store }: StripeShop) => store.addProduct({ email, ...grinder, one_time: false, ...more }, contextOf())
}
