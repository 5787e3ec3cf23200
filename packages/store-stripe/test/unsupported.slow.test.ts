import { contextOf } from '@storeport/testing/clicks'
import type { Stripe } from 'stripe'
import { describe, expect, it } from 'vitest'
import { reasons } from '../src/account/unsupported.ts'
import { email, openTestShop, runCommand, type StripeShop } from './open-shop.ts'

type Kind = keyof typeof reasons

const recurring = { interval: 'month', interval_count: 1, meter: null, trial_period_days: null, usage_type: 'licensed' }

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
  prepaid: [
    () => ({
      billing_schedules: [
        {
          key: 'a',
          applies_to: null,
          bill_until: { type: 'timestamp', timestamp: 1, computed_timestamp: 1, duration: null },
        },
      ],
    }),
    withItem({ current_trial: { trial_offer: 'offer_1', start_date: 0, end_date: 1 } }),
  ],
  early: [
    () => ({ billing_thresholds: { amount_gte: 5000, reset_billing_cycle_anchor: true } }),
    () => ({ pending_invoice_item_interval: { interval: 'day', interval_count: 1 } }),
    withItem({ billing_thresholds: { usage_gte: 10 } }),
  ],
  pendingUpdate: [
    () => ({
      pending_update: {
        ...{ billing_cycle_anchor: null, cancel_at_period_end: null, discount: null, discounts: null, expires_at: 2e9 },
        ...{ metadata: null, subscription_items: null, trial_end: null, trial_from_plan: null },
      },
    }),
  ],
  managed: [() => ({ managed_payments: { enabled: true } })],
  partial: [({ items }) => ({ items: { ...items, has_more: true } })],
  paused: [() => ({ pause_collection: { behavior: 'void', resumes_at: null } }), () => ({ status: 'paused' })],
  incomplete: [() => ({ status: 'incomplete' }), () => ({ status: 'incomplete_expired' })],
  unpaid: [() => ({ status: 'unpaid' })],
  free: [
    (subscription) => ({
      billing_mode: { type: 'classic', flexible: null },
      ...withAll({ unit_amount: 0, unit_amount_decimal: '0' })(subscription),
    }),
  ],
  trialEnd: [
    withEnd({ billing_cycle_anchor: 'unchanged', missing_payment_method: 'create_invoice' }),
    withEnd({ billing_cycle_anchor: null, missing_payment_method: 'cancel' }),
    withEnd({ billing_cycle_anchor: null, missing_payment_method: 'pause' }),
  ],
  dispute: [() => ({ status: 'canceled', cancellation_details: { ...cancellation, reason: 'payment_disputed' } })],
  connect: [
    () => ({ transfer_data: { destination: 'acct_1', amount_percent: null } }),
    () => ({ application_fee_percent: 5 }),
    () => ({ on_behalf_of: 'acct_1' }),
    ({ invoice_settings }) => ({
      invoice_settings: { ...invoice_settings, issuer: { type: 'account', account: 'acct_1' } },
    }),
    () => ({
      automatic_tax: { disabled_reason: null, enabled: true, liability: { type: 'account', account: 'acct_1' } },
    }),
  ],
}

const cancellation = { comment: null, feedback: null, feedback_option: null }

function withEnd(end_behavior: object) {
  return () => ({ trial_settings: { end_behavior } })
}

function withItem(fields: object) {
  return ({ items }: Stripe.Subscription) => ({
    items: { ...items, data: items.data.map((item, at) => (at === 0 ? { ...item, ...fields } : item)) },
  })
}

function withPrice(fields: object) {
  return (subscription: Stripe.Subscription) =>
    withItem({ price: { ...subscription.items.data[0]?.price, ...fields } })(subscription)
}

function withAll(fields: object) {
  return ({ items }: Stripe.Subscription) => ({
    items: { ...items, data: items.data.map((item) => ({ ...item, price: { ...item.price, ...fields } })) },
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
  const undo = store.undoAddProduct({ email, product_id: 'test_67890' }, contextOf())
  await expect(undo).rejects.toMatchObject({ code: 'product_not_in_order' })
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
    const add = store.addProduct({ ...visitor, one_time }, contextOf())
    await expect(add).rejects.toMatchObject({ code: 'subscription_not_found' })
  }
  expect(standIn.requests.slice(before).filter(({ method }) => method !== 'GET')).toEqual([])
})
