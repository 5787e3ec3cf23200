import { contextOf } from '@storeport/testing/clicks'
import { describe, expect, it } from 'vitest'
import { countCharges, countRenewals, email, openTestShop, postTo, type StripeShop, unitsOf } from './open-shop.ts'

const second = 1000
const hour = 3_600_000

/** A click whose Stripe request or response is lost. */
interface Case {
  /** Sends clicks before the tested click. */
  readonly before?: (shop: StripeShop) => Promise<unknown>
  readonly path: string
  readonly body: (shop: StripeShop) => object
  /** Returns whether to interrupt a request to Stripe; by default, every change is interrupted. */
  readonly cut?: (request: { readonly method: string; readonly path: string }) => boolean
  /** Reads the state that the click changes. */
  readonly effect: (shop: StripeShop) => Promise<unknown>
  /** Expected state after the click was applied once. */
  readonly once: unknown
}

const grinder = { product_id: 'test_54321', quantity: 2 }
const units =
  (...ids: string[]) =>
  (shop: StripeShop) =>
    unitsOf(shop, ...ids)

/** Adds products in sequence. */
const adds =
  (...inputs: { readonly product_id?: string; readonly quantity?: number; readonly one_time?: boolean }[]) =>
  async ({ store }: StripeShop) => {
    for (const input of inputs) await store.addProduct({ email, ...grinder, one_time: false, ...input }, contextOf())
  }

/** Returns an add-product click that results in a number of units of an item. */
const adding = (input: object, item: string, once: number, before?: Case['before']): Case => ({
  path: '/upsells/add-product',
  body: () => ({ email, ...grinder, ...input }),
  effect: units(item),
  once,
  ...(before && { before }),
})

/** Undoes one of two additions of two units each, or of two and five units. */
const undo = {
  before: adds({}, { one_time: true }),
  path: '/upsells/undo-add-product',
  body: () => ({ email, product_id: 'test_54321' }),
  effect: units('test_54321', 'test_54321~once'),
  once: 2,
}

const swap = (current_item_id: string) => ({
  path: '/customer-portal/swap-product',
  body: () => ({ email, current_item_id, new_product_id: 'test_67890' }),
})

const cases: Readonly<Record<string, Case>> = {
  addProduct: adding({}, 'test_54321', 2),
  'addProduct to an existing line': adding({ product_id: 'test_12345', quantity: 3 }, 'test_12345', 5),
  'addProduct with one_time': adding({ one_time: true }, 'test_54321~once', 2),
  'addProduct with one_time to an existing line': adding(
    { quantity: 3, one_time: true },
    'test_54321~once',
    5,
    adds({ one_time: true }),
  ),
  undoAddProduct: { ...undo, before: adds({}, { quantity: 5 }) },
  'undoAddProduct of a whole line (mark request)': undo,
  'undoAddProduct of a whole line (DELETE request)': { ...undo, cut: ({ method }) => method === 'DELETE' },
  sendNow: { path: '/customer-portal/send-now', body: () => ({ email }), effect: countCharges, once: 1 },
  delaySubscription: {
    path: '/customer-portal/delay',
    body: () => ({ email, new_date: '2026-04-05' }),
    effect: async ({ stripe, subscriptions }) => {
      const { trial_end } = await stripe.subscriptions.retrieve(subscriptions['sub_1001'] ?? '')
      return new Date((trial_end ?? 0) * 1000).toISOString()
    },
    once: '2026-04-05T12:00:00.000Z',
  },
  swapProduct: { ...swap('test_12345'), effect: units('test_12345', 'test_67890'), once: 3 },
  'swapProduct into an existing line': {
    before: adds({ one_time: true }, { one_time: true, product_id: 'test_67890' }),
    ...swap('test_54321~once'),
    effect: units('test_54321~once', 'test_67890~once'),
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
  const names = [false, true]
  const attempts = (['cut_before', 'cut_after'] as const).flatMap((kind) => [
    // The process was killed, so the ledger is empty.
    ...names.map((named) => ({ kind, named, after: second, isRestarted: true })),
    ...[second, 11 * 60 * second, 23 * hour].flatMap((after) =>
      names.map((named) => ({ kind, named, after, isRestarted: false })),
    ),
    // Without an `Idempotency-Key`, a repeat after 24 hours is a new click.
    { kind, named: true, after: 25 * hour, isRestarted: false },
  ])

  it.each(attempts)(
    'takes effect once if the click is repeated after $after ms ($kind, named: $named, restarted: $isRestarted)',
    async ({ after, named, kind, isRestarted }) => {
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
      await pass(after)
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
