import type { CompleteStorePort } from '@storeport/core'
import { createMemoryStore } from '@storeport/store-memory'
import { contextOf } from '@storeport/testing/clicks'
import { describe, expect, it } from 'vitest'
import { email, openTestShop } from './open-shop.ts'

const products = { E: 'test_12345', G: 'test_54321', S: 'test_67890' } as const
type Product = keyof typeof products

/**
 * A step is `add`, `undo` or `swap`, then its products. `once` makes an add one-time; `%` applies the code. The seeded
 * subscription contains the products E and S.
 */
type Step =
  | `${'add' | 'add once'} ${Product}${'' | ' %'}`
  | `undo ${Product}`
  | `${'swap' | 'swap once'} ${Product} ${Product}${'' | ' %'}`

/** Sequences in which a code is used several times. Percentages of lines that the steps create are exact. */
const sequences: readonly (readonly Step[])[] = [
  ['add once G %', 'add G %'],
  ['add G %', 'add once G %', 'undo G', 'undo G'],
  ['add once G %', 'add G', 'undo G', 'add G %'],
  ['add G %', 'add once E %', 'undo G', 'undo E'],
  ['add once E %', 'add G %', 'undo E', 'undo G'],
  ['add once G %', 'add once E %', 'undo G', 'add once S %', 'undo E', 'undo S'],
  ['add once G %', 'swap E G %'],
  ['add once G %', 'add once G %', 'undo G', 'undo G'],
  ['add G %', 'add G %', 'undo G', 'undo G'],
  ['add G %', 'add once E', 'swap once E S %'],
  ['add once G %', 'add once E', 'swap once E S %'],
  ['swap E G %', 'add once E %', 'undo E'],
  ['add once E %', 'swap E G %', 'undo E'],
  ['add G %', 'add once E %', 'swap once E S', 'undo G'],
  ['add once G %', 'swap once G E', 'add once S %', 'undo S'],
]

/** Sequences that use a code for a line without the code. A percentage is rejected, because Stripe would reduce the earlier units as well. */
const repeated: readonly (readonly Step[])[] = [
  ['add E %'],
  ['add G', 'add G %'],
  ['swap E S %'],
  ['add once G', 'add once E', 'swap once E G %'],
]

it.each(repeated)(
  'a percentage is rejected for a line with earlier units, and nothing changes: %s',
  async (...steps) => {
    const { store } = await openTestShop()
    const at = steps.findLastIndex((step) => step.endsWith('%'))
    await reductions(store, steps.slice(0, at), 'TEST10')
    const before = await store.getSubscription({ email }, contextOf())
    const rejected = reductions(store, steps.slice(at, at + 1), 'TEST10')
    await expect(rejected).rejects.toMatchObject({ code: 'invalid_discount_code' })
    expect(await store.getSubscription({ email }, contextOf())).toEqual(before)
  },
)

/** Sequences that swap a line with a code into a line that exists, and the discounts if the code is a percentage. */
const swaps: readonly (readonly [steps: readonly Step[], percentages: readonly number[]])[] = [
  [
    ['add once G %', 'add once E', 'swap once G E'],
    [14.99, 14.99, 5],
  ],
  [
    ['add once G %', 'add once E', 'add once S %', 'swap once G E', 'undo S'],
    [14.99, 14.99, 20.98, 10.99, 5],
  ],
  [
    ['add G %', 'swap G S', 'add once E %', 'undo E'],
    [14.99, 5, 8.99, 5],
  ],
  [
    ['add G %', 'add once E %', 'swap G S', 'undo E'],
    [14.99, 18.98, 8.99, 5],
  ],
]

it.each(swaps)(
  'a swap into a line that exists removes the percentages of the swapped line: %j',
  async (steps, percentages) => {
    const { store } = await openTestShop()
    expect((await reductions(store, steps, 'TEST10')).map(([, total]) => total)).toEqual(percentages)
  },
)

describe.each([
  ['FIVEOFF', [...sequences, ...repeated, ...swaps.map(([steps]) => steps)]],
  ['TEST10', sequences],
])('a code used several times: %s', (code, all) => {
  it.each(all.map((steps) => [steps.join(', '), steps] as const))(
    'reduces the next order as the memory store does: %s (ADD-11)',
    async (_, steps) => {
      const { store, now } = await openTestShop()
      const memory = createMemoryStore({ now: () => now().getTime() })
      const expected = await reductions(memory, steps, code)
      expect(await reductions(store, steps, code)).toEqual(expected)
    },
  )
})

describe('an undo', () => {
  it('does not remove a fixed amount that an add to a swapped line used, although the line had a percentage', async () => {
    const { store } = await openTestShop()
    await reductions(store, ['add G %'], 'TEST20')
    const totals = await reductions(store, ['add G %', 'add once E %', 'swap G S', 'undo E'], 'FIVEOFF')
    expect(totals.at(-1)?.[1]).toBe(10)
  })
})

it('a swap without a code keeps the discount of a reactivated subscription', async () => {
  const { store, stripe, subscriptions } = await openTestShop()
  const subscription_id = subscriptions['sub_1001'] ?? ''
  await stripe.subscriptions.update(subscription_id, { cancel_at_period_end: true })
  await store.reactivateSubscription({ email, subscription_id, discount_code: 'TEST20' }, contextOf())
  const totals = await reductions(store, ['swap E G', 'swap S E'], 'TEST20')
  // 20% of two units for 49.95 and of one unit for 29.95, or later 19.95, besides the discount of the subscription.
  expect(totals.map(([, total]) => total)).toEqual([30.97, 28.97])
})

it('does not remove the codes of a swap and of the adds that it closed, although another add is undone', async () => {
  const { store, stripe } = await openTestShop()
  const { id } = await stripe.coupons.create({ amount_off: 300, currency: 'usd', duration: 'once' })
  await stripe.promotionCodes.create({ code: 'THREEOFF', promotion: { type: 'coupon', coupon: id } })
  await reductions(store, ['add G %', 'add S %'], 'FIVEOFF')
  expect((await reductions(store, ['swap G E %', 'undo S'], 'THREEOFF')).map(([, total]) => total)).toEqual([13, 13])
})

it.each([
  ['once', [10, 10]],
  ['forever', [10, 5]],
] as const)(
  'an undo of a one-time add moves its code to the subscription only if its duration is once: %s',
  async (...row) => {
    const [duration, expected] = row
    const { store, stripe } = await openTestShop()
    const { id } = await stripe.coupons.create({ amount_off: 500, currency: 'usd', duration })
    await stripe.promotionCodes.create({ code: 'ALLOFF', promotion: { type: 'coupon', coupon: id } })
    const totals = await reductions(store, ['add once G %', 'add once E %', 'undo G'], 'ALLOFF')
    expect(totals.slice(1).map(([, total]) => total)).toEqual(expected)
  },
)

describe('an expired code', () => {
  it.each<readonly Step[]>([['undo E'], ['add once G', 'swap once E G']])(
    'is not moved to another object: %s',
    async (...steps) => {
      const { store, stripe } = await openTestShop()
      await reductions(store, ['add once E %', 'add G %'], 'FIVEOFF')
      const [promotion] = (await stripe.promotionCodes.list({ code: 'FIVEOFF' })).data
      await stripe.promotionCodes.update(promotion?.id ?? '', { active: false })
      expect((await reductions(store, steps, 'FIVEOFF')).at(-1)?.[1]).toBe(5)
    },
  )
})

describe('a code that no open add used', () => {
  it.each(['FIVEOFF', 'TEST10'])('remains after an undo if the merchant applied it: %s', async (code) => {
    const { store, stripe, subscriptions } = await openTestShop()
    const [promotion] = (await stripe.promotionCodes.list({ code })).data
    await stripe.subscriptions.update(subscriptions['sub_1001'] ?? '', {
      discounts: [{ promotion_code: promotion?.id ?? '' }],
    })
    const [, before] = await reductions(store, ['add G', 'undo G'], code)
    expect((await reductions(store, ['add G %', 'undo G', 'add once G %', 'undo G'], code)).at(-1)?.[1]).toBe(
      before?.[1],
    )
  })

  it('is removed by an undo if the earlier use was billed', async () => {
    const { store, pass } = await openTestShop()
    await reductions(store, ['swap E G %'], 'FIVEOFF')
    await store.sendNow({ email }, contextOf())
    // Stripe bills the customer's other subscription on 9 April at noon.
    await pass((30 * 24 + 4) * 3_600_000)
    const totals = await reductions(store, ['add S %', 'undo S'], 'FIVEOFF')
    expect(totals.map(([, total]) => total)).toEqual([10, 5])
  })
})

/** Runs the steps and returns the discount of the next order after each step. */
async function reductions(store: CompleteStorePort, steps: readonly Step[], code: string) {
  const totals: (readonly [Step, number | undefined])[] = []
  for (const step of steps) {
    await run(store, step, code)
    totals.push([step, (await store.getSubscription({ email }, contextOf()))?.order_discount_total])
  }
  return totals
}

async function run(store: CompleteStorePort, step: Step, code: string): Promise<void> {
  const words = step.split(' ')
  const one_time = words.includes('once')
  const discount_code = words.includes('%') ? code : undefined
  const [product_id = '', new_product_id = ''] = words.flatMap((word) =>
    word in products ? Object.entries(products).flatMap(([name, id]) => (name === word ? [id] : [])) : [],
  )
  if (words[0] === 'add')
    return void (await store.addProduct({ email, product_id, quantity: 2, one_time, discount_code }, contextOf()))
  if (words[0] === 'undo') return void (await store.undoAddProduct({ email, product_id }, contextOf()))
  const current_item_id = one_time ? `${product_id}~once` : product_id
  return void (await store.swapProduct({ email, current_item_id, new_product_id, discount_code }, contextOf()))
}
