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

/** `equal`: as the memory store does. `400`: the last step is rejected, and changes nothing. Otherwise the discounts after each step. */
type Effect = 'equal' | '400' | readonly number[]

/** Sequences in which a code is used several times, with the effects of a fixed amount and of a percentage. */
const sequences: readonly (readonly [steps: readonly Step[], fixed: Effect, percentage: Effect])[] = [
  // Stripe would reduce the earlier units of the line as well.
  [['add E %'], 'equal', '400'],
  [['add G', 'add G %'], 'equal', '400'],
  [['swap E S %'], 'equal', '400'],
  [['add once G', 'add once E', 'swap once E G %'], 'equal', '400'],
  // Stripe would bill a fixed amount on two objects twice.
  [['add once G %', 'add G %'], '400', 'equal'],
  [['add G %', 'add once G %'], '400', 'equal'],
  [['add once G %', 'add once E %'], '400', 'equal'],
  [['add once G %', 'swap E G %'], '400', 'equal'],
  [['add once E %', 'undo E', 'add G %', 'undo G'], 'equal', 'equal'],
  [['add G %', 'undo G', 'add once E %', 'undo E'], 'equal', 'equal'],
  [['add once G %', 'add G', 'undo G', 'undo G'], 'equal', 'equal'],
  [['add G %', 'add G %', 'undo G', 'undo G'], 'equal', 'equal'],
  [['add once G %', 'add once G %', 'undo G', 'undo G'], 'equal', 'equal'],
  [['add G %', 'add E', 'undo G', 'undo E'], 'equal', 'equal'],
  [['swap E G %', 'add G %', 'undo G'], 'equal', 'equal'],
  [['add once G', 'swap once G E %', 'add once E %', 'undo E'], 'equal', 'equal'],
  [['add once G %', 'swap once G E', 'add once E %', 'undo E'], 'equal', 'equal'],
  // Stripe cannot move a discount to another line.
  [['add G %', 'swap G S'], 'equal', [14.99, 5]],
  [
    ['add once G %', 'add once E', 'swap once G E'],
    [10, 10, 5],
    [14.99, 14.99, 5],
  ],
]

const rows = sequences.flatMap(([steps, fixed, percentage]) => [
  ['FIVEOFF', steps, fixed] as const,
  ['TEST10', steps, percentage] as const,
])

it.each(rows)('a code used several times (ADD-11): %s %j %s', async (code, steps, effect) => {
  const { store, now } = await openTestShop()
  if (effect === '400') {
    await reductions(store, steps.slice(0, -1), code)
    const before = await store.getSubscription({ email }, contextOf())
    const rejected = reductions(store, steps.slice(-1), code)
    await expect(rejected).rejects.toMatchObject({ code: 'invalid_discount_code' })
    expect(await store.getSubscription({ email }, contextOf())).toEqual(before)
    return
  }
  const memory = createMemoryStore({ now: () => now().getTime() })
  expect(await reductions(store, steps, code)).toEqual(
    effect === 'equal' ? await reductions(memory, steps, code) : effect,
  )
})

it('a fixed amount used by several recurring adds is removed with the last of them, but not with a swap', async () => {
  const { store } = await openTestShop()
  const steps = ['add G %', 'add S %', 'undo S', 'undo G', 'add G %', 'swap G S', 'add S %', 'undo S'] as const
  expect(await reductions(store, steps, 'FIVEOFF')).toEqual([10, 10, 10, 5, 10, 10, 10, 10])
})

it('a swap without a code keeps the discount of a reactivated subscription', async () => {
  const { store, stripe, subscriptions } = await openTestShop()
  const subscription_id = subscriptions['sub_1001'] ?? ''
  await stripe.subscriptions.update(subscription_id, { cancel_at_period_end: true })
  await store.reactivateSubscription({ email, subscription_id, discount_code: 'TEST20' }, contextOf())
  const totals = await reductions(store, ['swap E G', 'swap S E'], 'TEST20')
  // 20% of two units for 49.95 and of one unit for 29.95, or later 19.95, besides the discount of the subscription.
  expect(totals).toEqual([30.97, 28.97])
})

it('does not remove the codes of a swap and of the adds that it closed, although another add is undone', async () => {
  const { store, stripe } = await openTestShop()
  const { id } = await stripe.coupons.create({ amount_off: 300, currency: 'usd', duration: 'once' })
  await stripe.promotionCodes.create({ code: 'THREEOFF', promotion: { type: 'coupon', coupon: id } })
  await reductions(store, ['add G %', 'add S %'], 'FIVEOFF')
  expect(await reductions(store, ['swap G E %', 'undo S'], 'THREEOFF')).toEqual([13, 13])
})

describe('a code that no open add used', () => {
  it.each(['FIVEOFF', 'TEST10'])('remains after an undo if the merchant applied it: %s', async (code) => {
    const { store, stripe, subscriptions } = await openTestShop()
    const [promotion] = (await stripe.promotionCodes.list({ code })).data
    await stripe.subscriptions.update(subscriptions['sub_1001'] ?? '', {
      discounts: [{ promotion_code: promotion?.id ?? '' }],
    })
    const [, before] = await reductions(store, ['add G', 'undo G'], code)
    expect((await reductions(store, ['add G %', 'undo G'], code)).at(-1)).toBe(before)
  })

  it('is removed by an undo if the earlier use was billed', async () => {
    const { store, pass } = await openTestShop()
    await reductions(store, ['swap E G %'], 'FIVEOFF')
    await store.sendNow({ email }, contextOf())
    // Stripe bills the customer's other subscription on 9 April at noon.
    await pass((30 * 24 + 4) * 3_600_000)
    const totals = await reductions(store, ['add S %', 'undo S'], 'FIVEOFF')
    expect(totals).toEqual([10, 5])
  })
})

/** Runs the steps and returns the discount of the next order after each step. */
async function reductions(store: CompleteStorePort, steps: readonly Step[], code: string) {
  const totals: (number | undefined)[] = []
  for (const step of steps) {
    await run(store, step, code)
    totals.push((await store.getSubscription({ email }, contextOf()))?.order_discount_total)
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
