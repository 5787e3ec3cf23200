import { click, contextOf, send } from '@storeport/testing/clicks'
import type { Stripe } from 'stripe'
import { describe, expect, it } from 'vitest'
import { reasons } from '../src/account/unsupported.ts'
import { email, openTestShop, runCommand, type StripeShop } from './open-shop.ts'

type Kind = keyof typeof reasons

const recurring = { interval: 'month', interval_count: 1, usage_type: 'licensed' }

/** Changes that make a subscription unsupported, by the name of the reason. */
const kinds: Readonly<Record<Kind, readonly ((subscription: Stripe.Subscription) => object)[]>> = {
  currency: [() => ({ currency: 'eur' })],
  priceCurrency: [withPrice({ currency: 'eur' })],
  price: [
    withPrice({ billing_scheme: 'tiered' }),
    withPrice({ recurring: { ...recurring, usage_type: 'metered' } }),
    withPrice({ transform_quantity: { divide_by: 5, round: 'up' } }),
  ],
  periods: [
    withPrice({ recurring: { ...recurring, interval: 'week' } }),
    withPrice({ recurring: { ...recurring, interval_count: 2 } }),
    withItem({ current_period_end: 1_776_000_000 }),
  ],
  schedule: [() => ({ schedule: 'sub_sched_1' })],
  prepaid: [() => ({ billing_schedules: [{}] }), withItem({ current_trial: {} })],
  early: [
    () => ({ billing_thresholds: { amount_gte: 5000, reset_billing_cycle_anchor: true } }),
    () => ({ pending_invoice_item_interval: { interval: 'day', interval_count: 1 } }),
    withItem({ billing_thresholds: { usage_gte: 10 } }),
  ],
  pendingUpdate: [() => ({ pending_update: {} })],
  managed: [() => ({ managed_payments: { enabled: true } })],
  partial: [({ items }) => ({ items: { ...items, has_more: true } })],
  paused: [() => ({ pause_collection: { behavior: 'void', resumes_at: null } }), () => ({ status: 'paused' })],
  incomplete: [() => ({ status: 'incomplete' }), () => ({ status: 'incomplete_expired' })],
  unpaid: [() => ({ status: 'unpaid' })],
  free: [
    (subscription) => ({
      billing_mode: { type: 'classic', flexible: null },
      ...withPrice({ unit_amount: 0, unit_amount_decimal: '0' }, Infinity)(subscription),
    }),
  ],
  trialEnd: [
    withEnd({ billing_cycle_anchor: 'unchanged', missing_payment_method: 'create_invoice' }),
    withEnd({ billing_cycle_anchor: null, missing_payment_method: 'cancel' }),
    withEnd({ billing_cycle_anchor: null, missing_payment_method: 'pause' }),
  ],
  dispute: [() => ({ status: 'canceled', cancellation_details: { reason: 'payment_disputed' } })],
  connect: [
    () => ({ transfer_data: { destination: 'acct_1', amount_percent: null } }),
    () => ({ application_fee_percent: 5 }),
    () => ({ on_behalf_of: 'acct_1' }),
    () => ({ invoice_settings: { issuer: { type: 'account', account: 'acct_1' } } }),
    () => ({ automatic_tax: { enabled: true, liability: { type: 'account', account: 'acct_1' } } }),
  ],
}

function withEnd(end_behavior: object) {
  return () => ({ trial_settings: { end_behavior } })
}

function withItem(fields: object) {
  return ({ items }: Stripe.Subscription) => ({
    items: { ...items, data: items.data.map((item, at) => (at === 0 ? { ...item, ...fields } : item)) },
  })
}

/** Changes the prices of the first `count` items. */
function withPrice(fields: object, count = 1) {
  return ({ items }: Stripe.Subscription) => ({
    items: {
      ...items,
      data: items.data.map((item, at) => (at < count ? { ...item, price: { ...item.price, ...fields } } : item)),
    },
  })
}

/** Cancels the customer's other subscriptions, so that the customer has only `sub_1001`. */
async function openOnly(shop: StripeShop) {
  const { stripe, subscriptions } = shop
  const current = await stripe.subscriptions.retrieve(subscriptions['sub_1001'] ?? '')
  const { data } = await stripe.subscriptions.list({ customer: String(current.customer) })
  for (const { id } of data) if (id !== current.id) await stripe.subscriptions.cancel(id)
  return current
}

const rows = Object.entries(kinds).flatMap(([name, changes]) =>
  changes.map((change, at) => [`${name} ${at + 1}`, change] as const),
)

it.each(rows)('a subscription that is not supported is invisible to all operations: %s', async (_, change) => {
  const shop = await openTestShop()
  const { store, standIn } = shop
  const current = await openOnly(shop)
  const input = { email, product_id: 'test_67890', quantity: 1, one_time: true }
  await store.addProduct(input, contextOf())
  await store.addProduct({ ...input, one_time: false }, contextOf())
  await store.getSubscription({ email }, contextOf())
  standIn.change(current.id, change(await shop.stripe.subscriptions.retrieve(current.id)))
  const before = standIn.requests.length
  const calls: Readonly<Record<string, () => Promise<unknown>>> = {
    getSubscription: () => store.getSubscription({ email }, contextOf()),
    addProduct: () => store.addProduct({ ...input, one_time: false }, contextOf()),
    'addProduct once': () => store.addProduct(input, contextOf()),
    sendNow: () => store.sendNow({ email }, contextOf()),
    delay: () => store.delaySubscription({ email, new_date: '2026-04-20' }, contextOf()),
    swap: () => store.swapProduct({ email, current_item_id: 'test_12345', new_product_id: 'test_54321' }, contextOf()),
    reactivate: () => store.reactivateSubscription({ email, subscription_id: current.id }, contextOf()),
  }
  for (const [name, call] of Object.entries(calls))
    await expect(call(), name).rejects.toMatchObject({ code: 'subscription_not_found' })
  expect(await send(store, click('undoAddProduct', { email, product_id: 'test_67890' }))).toBe('product_not_in_order')
  expect(standIn.requests.slice(before).filter(({ method }) => method !== 'GET')).toEqual([])
})

describe('an account with one subscription of each unsupported kind', () => {
  it('is described by inspect and ready(), with the reasons and their numbers', async () => {
    const { stripe, standIn, store, subscriptions } = await openTestShop()
    const source = await stripe.subscriptions.retrieve(subscriptions['sub_1001'] ?? '')
    const expected: string[] = []
    for (const [name, [change]] of Object.entries(kinds)) {
      const { id: customer } = await stripe.customers.create({ email: `${name}@example.com` })
      const items = source.items.data.map(({ price }) => ({ price: price.id }))
      const trial_end = source.trial_end ?? 0
      const { id } = await stripe.subscriptions.create({ customer, items, trial_end })
      standIn.change(id, change?.(await stripe.subscriptions.retrieve(id)) ?? {})
      const reason = Object.entries(reasons).find(([each]) => each === name)?.[1].text
      expected.push(`1 because ${reason}: ${id}`)
    }
    const { code, out } = await runCommand('inspect', standIn)
    expect(code).toBe(0)
    expect(out).toContain(`Subscriptions: 7 supported, ${expected.length} not supported`)
    expect(out.split('\n').map((line) => line.trim())).toEqual(expect.arrayContaining(expected))
    expect((await store.ready()).toSorted()).toEqual(
      expected.toSorted().map((line) => `Subscriptions not supported: ${line}`),
    )
  })
})

it('an add of a customer without a subscription is rejected, and nothing is created', async () => {
  const { store, standIn } = await openTestShop()
  const visitor = { email: 'test@example.com', product_id: 'test_54321', quantity: 2 }
  const before = standIn.requests.length
  for (const one_time of [false, true]) {
    expect(await send(store, click('addProduct', { ...visitor, one_time }))).toBe('subscription_not_found')
  }
  expect(standIn.requests.slice(before).filter(({ method }) => method !== 'GET')).toEqual([])
})
