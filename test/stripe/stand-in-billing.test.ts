import { findPeriod } from '@storeport/testing/stripe/billing/find-period'
import fc from 'fast-check'
import type { Stripe } from 'stripe'
import { describe, expect, test } from 'vitest'
import { after, type OpenAccount, openAccount, seconds, start } from './open-account.ts'

// Quirk numbers refer to packages/store-stripe/QUIRKS.md. testing/src/stripe cites Stripe's page for each rule.

const startSeconds = seconds(start)
/** Period ends one and two months after January 31: February 28 and March 31. */
const february = seconds(new Date('2026-02-28T10:20:30Z'))
const march = seconds(new Date('2026-03-31T10:20:30Z'))

const unprorated = { proration_behavior: 'none' } as const
const now = { billing_cycle_anchor: { type: 'now' }, ...unprorated } as const

function subscribe(
  { stripe, customer, monthly }: OpenAccount,
  params: Stripe.SubscriptionCreateParams = {},
): Promise<Stripe.Subscription> {
  return stripe.subscriptions.create({ customer, items: [{ price: monthly }], ...params })
}

/** Returns the reason, status and line amounts of each invoice, oldest first. */
async function readInvoices({ stripe }: OpenAccount, subscription: string) {
  const { data } = await stripe.invoices.list({ subscription })
  return data
    .toReversed()
    .map(({ billing_reason, status, lines }) => [billing_reason, status, ...lines.data.map(({ amount }) => amount)])
}

const periodsOf = ({ items }: Stripe.Subscription) =>
  items.data.map((item) => [item.current_period_start, item.current_period_end])

describe('a subscription', () => {
  test('is billed immediately, and its item contains the billing period (quirk 2)', async () => {
    const account = await openAccount()
    const subscription = await subscribe(account)
    expect(subscription).toMatchObject({ status: 'active', billing_cycle_anchor: startSeconds })
    expect(subscription).not.toHaveProperty('current_period_end')
    expect(periodsOf(subscription)).toEqual([[startSeconds, february]])
    expect(await readInvoices(account, subscription.id)).toEqual([['subscription_create', 'paid', 1000]])
  })

  test('renews on the billing anchor day, with an invoice that is a draft for an hour', async () => {
    const account = await openAccount()
    const { id } = await subscribe(account)
    await account.standIn.advanceTo(new Date(february * 1000))
    expect(periodsOf(await account.stripe.subscriptions.retrieve(id))).toEqual([[february, march]])
    expect((await readInvoices(account, id)).at(-1)).toEqual(['subscription_cycle', 'draft', 1000])
    await account.standIn.advanceTo(new Date((february + 3600) * 1000))
    expect((await readInvoices(account, id)).at(-1)).toEqual(['subscription_cycle', 'paid', 1000])
    await account.standIn.advanceTo(new Date((march + 3600) * 1000))
    expect(await readInvoices(account, id)).toHaveLength(3)
  })

  test('cannot be reactivated after a cancellation (quirk 7)', async () => {
    const account = await openAccount()
    const { subscriptions } = account.stripe
    const { id } = await subscribe(account)
    expect(await subscriptions.cancel(id)).toMatchObject({ status: 'canceled', ended_at: startSeconds })
    await expect(subscriptions.update(id, { cancel_at_period_end: false })).rejects.toMatchObject({
      statusCode: 400,
      message: expect.stringContaining('only update its'),
    })
    await expect(subscriptions.cancel(id)).rejects.toMatchObject({ statusCode: 404, code: 'resource_missing' })
    const metadata = { hidden: 'yes' }
    expect(await subscriptions.update(id, { metadata })).toMatchObject({ metadata })
    await account.standIn.advanceTo(after(90))
    expect(await readInvoices(account, id)).toHaveLength(1)
  })
})

describe('items', () => {
  test('are at least one, with different prices (quirk 8)', async () => {
    const account = await openAccount()
    const { id, items } = await subscribe(account)
    const change = (item: Stripe.SubscriptionUpdateParams.Item) =>
      account.stripe.subscriptions.update(id, { items: [item], ...unprorated })
    await expect(change({ id: items.data[0]?.id ?? '', deleted: true })).rejects.toThrow('at least one')
    await expect(change({ price: account.monthly })).rejects.toThrow('same plan')
  })

  test.each([
    ['is not active', { active: false }, 'active prices'],
    ['is not recurring', { recurring: undefined }, 'type=recurring'],
    ['is in another currency', { currency: 'usd' }, 'same currency'],
  ])('reject a price that %s (quirk 8)', async (_, change, message) => {
    const { stripe, ...account } = await openAccount()
    const { id } = await subscribe({ stripe, ...account })
    const { recurring, ...rest } = { recurring: { interval: 'month' as const }, ...change }
    const price = await stripe.prices.create({
      ...{ product: 'tea', currency: 'eur', unit_amount: 1, ...rest },
      ...(recurring && { recurring }),
    })
    const added = stripe.subscriptions.update(id, { items: [{ price: price.id }], ...unprorated })
    await expect(added).rejects.toThrow(message)
  })

  test('reject changes that Stripe would prorate (quirk 5)', async () => {
    const account = await openAccount()
    const { id } = await subscribe(account)
    const { subscriptions } = account.stripe
    const change = { items: [{ price: account.tea }] }
    const refused = { statusCode: 501, message: expect.stringContaining('proration_behavior=none') }
    await expect(subscriptions.update(id, change)).rejects.toMatchObject(refused)
    await expect(subscriptions.update(id, { billing_cycle_anchor: { type: 'now' } })).rejects.toMatchObject(refused)
    await subscriptions.update(id, { trial_end: seconds(after(9)), ...unprorated })
    expect((await subscriptions.update(id, change)).items.data).toHaveLength(2)
  })
})

describe('the billing cycle', () => {
  test.each([
    ['in the past', -1, 'in the future'],
    ['more than two years away', 731, 'two years'],
  ])('rejects a trial_end %s (quirk 3)', async (_, days, message) => {
    const account = await openAccount()
    const { id } = await subscribe(account)
    const delayed = account.stripe.subscriptions.update(id, { trial_end: seconds(after(days)), ...unprorated })
    await expect(delayed).rejects.toThrow(message)
  })

  test('bills a whole period immediately with a billing_cycle_anchor of type now (quirk 4)', async () => {
    const account = await openAccount()
    const { id } = await subscribe(account)
    await account.standIn.advanceTo(after(14))
    const sent = await account.stripe.subscriptions.update(id, now)
    expect(periodsOf(sent)).toEqual([[seconds(after(14)), seconds(new Date('2026-03-14T10:20:30Z'))]])
    expect((await readInvoices(account, id)).at(-1)).toEqual(['subscription_update', 'paid', 1000])
  })
})

test('findPeriod returns a period that contains the time and starts a whole number of intervals after the anchor', () => {
  const days = fc.integer({ min: 0, max: 20_000 })
  fc.assert(
    fc.property(
      days,
      days,
      fc.constantFrom('day', 'week', 'month', 'year'),
      fc.integer({ min: 1, max: 12 }),
      (from, at, interval, interval_count) => {
        const [anchor, time] = [from * 86_400 + 4000, at * 86_400]
        const period = findPeriod(anchor, { interval, interval_count }, time)
        expect(period.start).toBeLessThanOrEqual(time)
        expect(period.end).toBeGreaterThan(time)
        const again = findPeriod(anchor, { interval, interval_count }, period.end)
        expect(again.start).toBe(period.end)
        if (from === at) expect(period.end).toBe(anchor)
      },
    ),
  )
})

describe('an invoice item', () => {
  const price_data = { product: 'tea', currency: 'eur', unit_amount: 300 }

  test('is billed once, on the next invoice, and can be deleted before that invoice (quirks 9, 10, 11)', async () => {
    const account = await openAccount()
    const { stripe, customer, tea } = account
    const { id: other } = await subscribe(account, { items: [{ price: tea }] })
    const { id: subscription } = await subscribe(account)
    const item = { customer, subscription, price_data }
    const deleted = await stripe.invoiceItems.create(item)
    await stripe.invoiceItems.del(deleted.id)
    const { id } = await stripe.invoiceItems.create({ ...item, quantity: 2, metadata: { click: 'a' } })
    const preview = await stripe.invoices.createPreview({ subscription })
    expect(preview.lines.data).toMatchObject([{ amount: 600, metadata: { click: 'a' } }, { amount: 1000 }])
    await account.standIn.advanceTo(after(60))
    expect((await readInvoices(account, subscription)).slice(1)).toEqual([
      ['subscription_cycle', 'paid', 600, 1000],
      ['subscription_cycle', 'paid', 1000],
    ])
    expect((await readInvoices(account, other)).flat()).not.toContain(600)
    await expect(stripe.invoiceItems.del(id)).rejects.toMatchObject({ code: 'invoice_not_editable' })
    // The price created for the invoice item is inactive, so it is not listed.
    expect((await stripe.prices.list({ active: true })).data).toHaveLength(2)
  })
})

test('a failed payment returns 501 without error_if_incomplete, and rolls back the change (quirk 6)', async () => {
  const account = await openAccount()
  const { stripe, customer } = account
  const { id } = await subscribe(account)
  const card = await stripe.paymentMethods.attach('pm_card_chargeCustomerFail', { customer })
  await stripe.customers.update(customer, { invoice_settings: { default_payment_method: card.id } })
  const before = await stripe.subscriptions.retrieve(id)
  await expect(stripe.subscriptions.update(id, now)).rejects.toMatchObject({ statusCode: 501 })
  expect({ ...(await stripe.subscriptions.retrieve(id)) }).toEqual({ ...before })
})

test('a preview shows the next renewal, and returns 404 for a subscription that ends (quirk 14)', async () => {
  const account = await openAccount()
  const { stripe } = account
  const { id: subscription } = await subscribe(account)
  const preview = () => stripe.invoices.createPreview({ subscription })
  const none = { statusCode: 404, code: 'invoice_upcoming_none' }
  expect(await preview()).toMatchObject({ amount_due: 1000, created: february })
  await stripe.subscriptions.update(subscription, { cancel_at_period_end: true })
  await expect(preview()).rejects.toMatchObject(none)
  const price_data = { product: 'tea', currency: 'eur', unit_amount: 5 }
  await stripe.invoiceItems.create({ customer: account.customer, subscription, price_data })
  expect(await preview()).toMatchObject({ amount_due: 5 })
  await stripe.subscriptions.cancel(subscription)
  await expect(preview()).rejects.toMatchObject(none)
})

describe('discounts', () => {
  test('are kept for an empty list, and reject an inactive code (quirk 12)', async () => {
    const account = await openAccount()
    const { coupons, promotionCodes, subscriptions } = account.stripe
    await coupons.create({ id: 'ONE', amount_off: 100, currency: 'eur', duration: 'forever' })
    const { id } = await subscribe(account, { discounts: [{ coupon: 'ONE' }] })
    expect((await subscriptions.update(id, { discounts: [] })).discounts).toHaveLength(1)
    const promotion = { type: 'coupon', coupon: 'ONE' } as const
    const { id: promotion_code } = await promotionCodes.create({ code: 'Save', promotion })
    await promotionCodes.update(promotion_code, { active: false })
    const late = subscriptions.update(id, { discounts: [{ promotion_code }] })
    await expect(late).rejects.toMatchObject({ statusCode: 400, param: 'discounts[0][promotion_code]' })
  })

  test('on lines apply before subscription discounts, and `once` coupons apply only once (quirk 13)', async () => {
    const { stripe, customer, monthly, tea, coffee } = await openAccount()
    const half = await stripe.coupons.create({ percent_off: 50, duration: 'once' })
    const three = await stripe.coupons.create({ amount_off: 300, currency: 'eur', duration: 'forever' })
    const { id } = await stripe.subscriptions.create({
      customer,
      items: [{ price: monthly, discounts: [{ coupon: half.id }] }, { price: tea }],
      discounts: [{ coupon: three.id }],
      trial_end: 1_773_000_000,
    })
    await stripe.invoiceItems.create({
      customer,
      subscription: id,
      price_data: { currency: 'eur', product: coffee, unit_amount: 400 },
      discounts: [{ coupon: half.id }],
    })
    const next = async () => {
      const preview = await stripe.invoices.createPreview({ subscription: id })
      return [preview.subtotal, (preview.total_discount_amounts ?? []).map(({ amount }) => amount)]
    }
    expect(await next()).toEqual([1900, [200, 500, 300]])
    await stripe.subscriptions.update(id, { trial_end: 'now', ...unprorated })
    expect(await next()).toEqual([1500, [300]])
  })
})
