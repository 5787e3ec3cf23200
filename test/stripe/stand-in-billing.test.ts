import { findPeriod } from '@storeport/testing/stripe/billing/find-period'
import fc from 'fast-check'
import type { Stripe } from 'stripe'
import { describe, expect, test } from 'vitest'
import { after, type OpenAccount, openAccount, seconds, start } from './open-account.ts'

// Each rule is the vendor's: where it is written stands with its code in testing/src/stripe.

const startSeconds = seconds(start)
/** A month after January 31 ends on the last day of February, and a month later on March 31 again. */
const february = seconds(new Date('2026-02-28T10:20:30Z'))
const march = seconds(new Date('2026-03-31T10:20:30Z'))

function subscribe(
  { stripe, customer, monthly }: OpenAccount,
  params: Stripe.SubscriptionCreateParams = {},
): Promise<Stripe.Subscription> {
  return stripe.subscriptions.create({ customer, items: [{ price: monthly }], ...params })
}

/** What each invoice billed, oldest first: reason, status and amounts of its lines. */
async function readInvoices({ stripe }: OpenAccount, subscription: string) {
  const { data } = await stripe.invoices.list({ subscription })
  return data
    .toReversed()
    .map(({ billing_reason, status, lines }) => [billing_reason, status, ...lines.data.map(({ amount }) => amount)])
}

const periodsOf = ({ items }: Stripe.Subscription) =>
  items.data.map((item) => [item.current_period_start, item.current_period_end])

/** A customer whose payments fail. */
async function addDecliningCustomer({ stripe }: OpenAccount): Promise<string> {
  const { id } = await stripe.customers.create({ email: 'broke@example.com' })
  const card = await stripe.paymentMethods.attach('pm_card_chargeCustomerFail', { customer: id })
  await stripe.customers.update(id, { invoice_settings: { default_payment_method: card.id } })
  return id
}

describe('a subscription', () => {
  test('is billed at once, and its period is on the item', async () => {
    const account = await openAccount()
    const subscription = await subscribe(account)
    expect(subscription).toMatchObject({ status: 'active', billing_cycle_anchor: startSeconds })
    expect(subscription).not.toHaveProperty('current_period_end')
    expect(periodsOf(subscription)).toEqual([[startSeconds, february]])
    expect(await readInvoices(account, subscription.id)).toEqual([['subscription_create', 'paid', 1000]])
  })

  test('renews by its anchor; the invoice is a draft for an hour', async () => {
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

  test('is final when it is cancelled', async () => {
    const account = await openAccount()
    const { stripe } = account
    const { id, items } = await subscribe(account)
    const item = items.data[0]?.id ?? ''
    expect(await stripe.subscriptions.cancel(id)).toMatchObject({ status: 'canceled', ended_at: startSeconds })
    const resumed = stripe.subscriptions.update(id, { cancel_at_period_end: false })
    await expect(resumed).rejects.toMatchObject({
      statusCode: 400,
      message: expect.stringContaining('only update its'),
    })
    await expect(stripe.subscriptions.cancel(id)).rejects.toMatchObject({ statusCode: 404, code: 'resource_missing' })
    await expect(stripe.subscriptionItems.update(item, { quantity: 2 })).rejects.toMatchObject({
      code: 'resource_missing',
    })
    await expect(stripe.subscriptions.update(id, { metadata: { hidden: 'yes' } })).resolves.toMatchObject({
      metadata: { hidden: 'yes' },
    })
    await account.standIn.advanceTo(after(90))
    expect(await readInvoices(account, id)).toHaveLength(1)
  })

  test('can end with its period, and until then go on after all', async () => {
    const account = await openAccount()
    const { id } = await subscribe(account)
    const { subscriptions } = account.stripe
    const ending = await subscriptions.update(id, { cancel_at_period_end: true })
    expect(ending).toMatchObject({ status: 'active', cancel_at: february })
    const resumed = await subscriptions.update(id, { cancel_at_period_end: false })
    expect(resumed).toMatchObject({ cancel_at: null })
    await subscriptions.update(id, { cancel_at_period_end: true })
    await account.standIn.advanceTo(after(40))
    expect(await subscriptions.retrieve(id)).toMatchObject({
      status: 'canceled',
      ended_at: february,
    })
  })

  test('that is paused makes invoices that nobody pays', async () => {
    const account = await openAccount()
    const { id } = await subscribe(account)
    await account.stripe.subscriptions.update(id, { pause_collection: { behavior: 'void', resumes_at: march } })
    await account.standIn.advanceTo(after(40))
    expect((await readInvoices(account, id)).at(-1)).toEqual(['subscription_cycle', 'void', 1000])
    await account.standIn.advanceTo(after(70))
    expect(await account.stripe.subscriptions.retrieve(id)).toMatchObject({ pause_collection: null, status: 'active' })
    await account.stripe.subscriptions.update(id, { pause_collection: '' })
  })
})

describe('items', () => {
  test('are added, changed and deleted by id; the others stay', async () => {
    const account = await openAccount()
    const { stripe, monthly, tea } = account
    const { id, items } = await subscribe(account)
    const first = items.data[0]?.id ?? ''
    const added = await stripe.subscriptions.update(id, {
      items: [{ price: tea, quantity: 2 }],
      proration_behavior: 'none',
    })
    expect(added.items.data).toMatchObject([{ price: { id: monthly } }, { price: { id: tea }, quantity: 2 }])
    const changed = await stripe.subscriptions.update(id, {
      items: [{ id: first, deleted: true }],
      proration_behavior: 'none',
    })
    expect(changed.items.data).toMatchObject([{ price: { id: tea } }])
    expect((await stripe.invoiceItems.list({ pending: true })).data).toEqual([])
    await stripe.subscriptionItems.update(changed.items.data[0]?.id ?? '', { quantity: 3, proration_behavior: 'none' })
    expect((await stripe.subscriptionItems.list({ subscription: id })).data).toMatchObject([{ quantity: 3 }])
  })

  test('have no price twice, and one is left', async () => {
    const account = await openAccount()
    const { stripe, monthly, tea } = account
    const { id, items } = await subscribe(account)
    const twice = { statusCode: 400, message: expect.stringContaining('same plan') }
    await expect(stripe.subscriptionItems.create({ subscription: id, price: monthly })).rejects.toMatchObject(twice)
    const other = await stripe.subscriptionItems.create({ subscription: id, price: tea })
    await expect(stripe.subscriptionItems.update(other.id, { price: monthly })).rejects.toMatchObject(twice)
    await stripe.subscriptionItems.del(other.id)
    await expect(stripe.subscriptionItems.del(items.data[0]?.id ?? '')).rejects.toThrow('at least one')
  })

  test('are prorated to the second, with the next invoice', async () => {
    const account = await openAccount()
    const { id } = await subscribe(account)
    // Half of the 28 days.
    await account.standIn.advanceTo(after(14))
    await account.stripe.subscriptionItems.create({ subscription: id, price: account.tea })
    expect(await readInvoices(account, id)).toHaveLength(1)
    await account.standIn.advanceTo(after(29))
    expect((await readInvoices(account, id)).at(-1)).toEqual(['subscription_cycle', 'paid', 250, 1000, 500])
  })

  test('are invoiced at once when that is asked for', async () => {
    const account = await openAccount()
    const { id, items } = await subscribe(account)
    await account.standIn.advanceTo(after(14))
    const item = { id: items.data[0]?.id ?? '', price: account.tea }
    await account.stripe.subscriptions.update(id, { items: [item], proration_behavior: 'always_invoice' })
    expect((await readInvoices(account, id)).at(-1)).toEqual(['subscription_update', 'paid', -500, 250])
    // What the credit leaves is the customer's.
    expect(await account.stripe.customers.retrieve(account.customer)).toMatchObject({ balance: -250 })
  })

  test('of another interval begin a new period', async () => {
    const account = await openAccount()
    const { id, items } = await subscribe(account)
    const recurring = { interval: 'week' as const, interval_count: 2 }
    const price = await account.stripe.prices.create({
      product: 'coffee',
      currency: 'eur',
      unit_amount: 700,
      recurring,
    })
    await account.standIn.advanceTo(after(7))
    const item = { id: items.data[0]?.id ?? '', price: price.id }
    const changed = await account.stripe.subscriptions.update(id, { items: [item], proration_behavior: 'none' })
    expect(periodsOf(changed)).toEqual([[seconds(after(7)), seconds(after(21))]])
    expect((await readInvoices(account, id)).at(-1)).toEqual(['subscription_update', 'paid', 700])
  })

  test.each([
    ['is not active', { active: false }, 'active prices'],
    ['is paid once', { recurring: undefined }, 'type=recurring'],
    ['is in another currency', { currency: 'usd' }, 'same currency'],
  ])('take no price that %s', async (_, change, message) => {
    const account = await openAccount()
    const { id } = await subscribe(account)
    const { recurring, ...rest } = { recurring: { interval: 'month' as const }, ...change }
    const price = await account.stripe.prices.create({
      ...{ product: 'tea', currency: 'eur', unit_amount: 1, ...rest },
      ...(recurring && { recurring }),
    })
    await expect(account.stripe.subscriptionItems.create({ subscription: id, price: price.id })).rejects.toThrow(
      message,
    )
  })
})

describe('when the cycle changes', () => {
  test('trial_end makes a trial, whose end is the new anchor', async () => {
    const account = await openAccount()
    const { id } = await subscribe(account)
    await account.standIn.advanceTo(after(10))
    const trial_end = seconds(after(50))
    const delayed = await account.stripe.subscriptions.update(id, { trial_end, proration_behavior: 'none' })
    expect(delayed).toMatchObject({ status: 'trialing', billing_cycle_anchor: trial_end, trial_end })
    expect(periodsOf(delayed)).toEqual([[seconds(after(10)), trial_end]])
    expect((await readInvoices(account, id)).at(-1)).toEqual(['subscription_update', 'paid', 0])
    await account.standIn.advanceTo(after(49.9))
    expect(await readInvoices(account, id)).toHaveLength(2)
    await account.standIn.advanceTo(after(51))
    expect((await readInvoices(account, id)).at(-1)).toEqual(['subscription_cycle', 'paid', 1000])
    expect(await account.stripe.subscriptions.retrieve(id)).toMatchObject({ status: 'active' })
  })

  test.each([
    ['in the past', -1, 'in the future'],
    ['more than two years away', 731, 'two years'],
  ])('trial_end is not %s', async (_, days, message) => {
    const account = await openAccount()
    const { id } = await subscribe(account)
    await expect(account.stripe.subscriptions.update(id, { trial_end: seconds(after(days)) })).rejects.toThrow(message)
  })

  test('trial_end=now bills at once', async () => {
    const account = await openAccount()
    const { id } = await subscribe(account, { trial_end: seconds(after(20)) })
    expect(await readInvoices(account, id)).toEqual([['subscription_create', 'paid', 0]])
    await account.standIn.advanceTo(after(5))
    expect(await account.stripe.subscriptions.update(id, { trial_end: 'now' })).toMatchObject({ status: 'active' })
    expect((await readInvoices(account, id)).at(-1)).toEqual(['subscription_update', 'paid', 1000])
  })

  test('billing_cycle_anchor now bills a whole period at once, and credits the old one unless told not to', async () => {
    const account = await openAccount()
    const { id } = await subscribe(account)
    await account.standIn.advanceTo(after(14))
    const now = { billing_cycle_anchor: { type: 'now' as const } }
    const sent = await account.stripe.subscriptions.update(id, { ...now, proration_behavior: 'none' })
    expect(periodsOf(sent)).toEqual([[seconds(after(14)), seconds(new Date('2026-03-14T10:20:30Z'))]])
    expect((await readInvoices(account, id)).at(-1)).toEqual(['subscription_update', 'paid', 1000])
    await account.standIn.advanceTo(after(28))
    await account.stripe.subscriptions.update(id, now)
    expect((await readInvoices(account, id)).at(-1)).toEqual(['subscription_update', 'paid', -500, 1000])
    // What comes with it is billed for the whole period, and for nothing of the old one.
    await account.stripe.subscriptions.update(id, { ...now, items: [{ price: account.tea }] })
    expect((await readInvoices(account, id)).at(-1)).toEqual(['subscription_update', 'paid', -1000, 1000, 500])
  })
})

describe('a period', () => {
  const intervals = ['day', 'week', 'month', 'year'] as const

  test('holds its time, and is an interval of the anchor long', () => {
    const days = fc.integer({ min: 0, max: 20_000 })
    fc.assert(
      fc.property(
        days,
        days,
        fc.constantFrom(...intervals),
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
})

describe('an invoice item', () => {
  test('is billed once, with the next invoice of its subscription', async () => {
    const account = await openAccount()
    const { stripe, customer } = account
    const { id: other } = await subscribe(account, { items: [{ price: account.tea }] })
    const { id } = await subscribe(account)
    const price_data = { product: 'tea', currency: 'eur', unit_amount: 300 }
    await stripe.invoiceItems.create({ customer, subscription: id, price_data, quantity: 2, metadata: { click: 'a' } })
    const preview = await stripe.invoices.createPreview({ subscription: id })
    expect(preview.lines.data).toMatchObject([{ amount: 600, metadata: { click: 'a' } }, { amount: 1000 }])
    await account.standIn.advanceTo(after(60))
    expect((await readInvoices(account, id)).slice(1)).toEqual([
      ['subscription_cycle', 'paid', 600, 1000],
      ['subscription_cycle', 'paid', 1000],
    ])
    expect((await readInvoices(account, other)).flat()).not.toContain(600)
    // A price that was made on the way is in no list of active ones.
    expect((await stripe.prices.list({ active: true })).data).toHaveLength(2)
  })

  test('can be deleted until it is billed', async () => {
    const account = await openAccount()
    const { stripe, customer } = account
    const { id } = await subscribe(account)
    const make = () => stripe.invoiceItems.create({ customer, subscription: id, amount: 5, currency: 'eur' })
    const [first, second] = [await make(), await make()]
    await stripe.invoiceItems.del(first.id)
    await account.standIn.advanceTo(after(30))
    await expect(stripe.invoiceItems.del(second.id)).rejects.toMatchObject({ code: 'invoice_not_editable' })
    expect((await readInvoices(account, id)).at(-1)).toEqual(['subscription_cycle', 'paid', 5, 1000])
  })

  test('is in the currency of its subscription', async () => {
    const account = await openAccount()
    const { id } = await subscribe(account)
    const { customer } = account
    const item = account.stripe.invoiceItems.create({ customer, subscription: id, amount: 5, currency: 'usd' })
    await expect(item).rejects.toMatchObject({ param: 'currency' })
  })
})

describe('who cannot pay', () => {
  test('a card that is declined at once cannot be attached', async () => {
    const { stripe, customer } = await openAccount()
    const attached = stripe.paymentMethods.attach('pm_card_visa_chargeDeclined', { customer })
    await expect(attached).rejects.toMatchObject({ statusCode: 402, code: 'card_declined' })
  })

  test('a new subscription is incomplete, or with error_if_incomplete none', async () => {
    const account = await openAccount()
    const customer = await addDecliningCustomer(account)
    const refused = subscribe(account, { customer, payment_behavior: 'error_if_incomplete' })
    await expect(refused).rejects.toMatchObject({ statusCode: 402, code: 'card_declined' })
    expect((await account.stripe.subscriptions.list({ status: 'all' })).data).toEqual([])
    const { id, status } = await subscribe(account, { customer })
    expect(status).toBe('incomplete')
    await account.standIn.advanceTo(after(1))
    expect(await account.stripe.subscriptions.retrieve(id)).toMatchObject({ status: 'incomplete_expired' })
  })

  test('a renewal that is declined leaves it past due until somebody pays', async () => {
    const account = await openAccount()
    const { stripe } = account
    const customer = await addDecliningCustomer(account)
    const { id } = await subscribe(account, { customer, trial_end: seconds(after(5)) })
    await account.standIn.advanceTo(after(6))
    const failed = await stripe.subscriptions.retrieve(id, { expand: ['latest_invoice'] })
    expect(failed).toMatchObject({ status: 'past_due', latest_invoice: { status: 'open', attempt_count: 1 } })
    const invoice = (await stripe.invoices.list({ subscription: id })).data[0]?.id ?? ''
    await expect(stripe.invoices.pay(invoice)).rejects.toMatchObject({ statusCode: 402, code: 'card_declined' })
    const card = await stripe.paymentMethods.attach('pm_card_visa', { customer })
    expect(await stripe.invoices.pay(invoice, { payment_method: card.id })).toMatchObject({ status: 'paid' })
    expect(await stripe.subscriptions.retrieve(id)).toMatchObject({ status: 'active' })
  })

  test('a change that cannot be paid changes nothing with error_if_incomplete', async () => {
    const account = await openAccount()
    const { stripe, customer } = account
    const { id } = await subscribe(account)
    const card = await stripe.paymentMethods.attach('pm_card_chargeCustomerFail', { customer })
    await stripe.customers.update(customer, { invoice_settings: { default_payment_method: card.id } })
    await account.standIn.advanceTo(after(3))
    const before = await stripe.subscriptions.retrieve(id)
    const now = { billing_cycle_anchor: { type: 'now' as const }, metadata: { click: 'a' } }
    const change = stripe.subscriptions.update(id, { ...now, payment_behavior: 'error_if_incomplete' })
    await expect(change).rejects.toMatchObject({ statusCode: 402 })
    expect({ ...(await stripe.subscriptions.retrieve(id)) }).toEqual({ ...before })
    expect(await stripe.subscriptions.update(id, now)).toMatchObject({ status: 'past_due' })
  })

  test('without a payment method nothing is made', async () => {
    const account = await openAccount()
    const { id: customer } = await account.stripe.customers.create({ email: 'new@example.com' })
    await expect(subscribe(account, { customer })).rejects.toMatchObject({ statusCode: 400, code: 'resource_missing' })
    expect((await account.stripe.subscriptions.list({ customer, status: 'all' })).data).toEqual([])
  })
})

describe('discounts', () => {
  test('lower the invoices that they are for', async () => {
    const account = await openAccount()
    const { stripe } = account
    const coupon = await stripe.coupons.create({ id: 'SAVE20', percent_off: 20, duration: 'once' })
    await stripe.coupons.create({ id: 'ONE', amount_off: 100, currency: 'eur', duration: 'forever' })
    const promotion = { type: 'coupon' as const, coupon: coupon.id }
    const { id: promotion_code } = await stripe.promotionCodes.create({ code: 'Save', promotion })
    expect((await stripe.promotionCodes.list({ code: 'SAVE' })).data).toMatchObject([{ id: promotion_code }])
    const { id } = await subscribe(account)
    const discounts = [{ promotion_code }, { coupon: 'ONE' }]
    const discounted = await stripe.subscriptions.update(id, { discounts, expand: ['discounts.source.coupon'] })
    expect(discounted.discounts).toMatchObject([{ source: { coupon: { percent_off: 20 } } }, { promotion_code: null }])
    await account.standIn.advanceTo(after(60))
    const { data } = await stripe.invoices.list({ subscription: id })
    expect(data.toReversed().map(({ total }) => total)).toEqual([1000, 700, 900])
    expect((await stripe.subscriptions.retrieve(id)).discounts).toHaveLength(1)
    const kept = await stripe.subscriptions.update(id, { discounts: [] })
    expect(kept.discounts).toHaveLength(1)
    expect((await stripe.subscriptions.update(id, { discounts: '' })).discounts).toEqual([])
    await stripe.promotionCodes.update(promotion_code, { active: false })
    const late = stripe.subscriptions.update(id, { discounts: [{ promotion_code }] })
    await expect(late).rejects.toMatchObject({ statusCode: 400, param: 'discounts[0][promotion_code]' })
  })
})

test('a preview is of the next renewal, and there is none of what ends', async () => {
  const account = await openAccount()
  const { stripe } = account
  const { id } = await subscribe(account)
  expect(await stripe.invoices.createPreview({ subscription: id })).toMatchObject({
    amount_due: 1000,
    created: february,
  })
  await stripe.subscriptions.update(id, { cancel_at_period_end: true })
  const none = stripe.invoices.createPreview({ subscription: id })
  await expect(none).rejects.toMatchObject({ statusCode: 404, code: 'invoice_upcoming_none' })
  const { customer } = account
  await stripe.invoiceItems.create({ customer, subscription: id, amount: 5, currency: 'eur' })
  expect(await stripe.invoices.createPreview({ subscription: id })).toMatchObject({ amount_due: 5 })
  await stripe.subscriptions.cancel(id)
  const ended = stripe.invoices.createPreview({ subscription: id })
  await expect(ended).rejects.toMatchObject({ code: 'invoice_upcoming_none' })
})

describe('discounts of lines', () => {
  test('lower their line before the discounts of the subscription lower the rest, and once where the coupon says so', async () => {
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
    await stripe.subscriptions.update(id, { trial_end: 'now', proration_behavior: 'none' })
    expect(await next()).toEqual([1500, [300]])
  })

  test('are kept, replaced and cleared as they are sent, and follow an invoice item that is given another price', async () => {
    const { stripe, customer, coffee } = await openAccount()
    const half = await stripe.coupons.create({ percent_off: 50 })
    const product = await stripe.products.create({ name: 'Filter' })
    const expand = ['discounts']
    const { id } = await stripe.invoiceItems.create({
      customer,
      price_data: { currency: 'eur', product: coffee, unit_amount: 400 },
      discounts: [{ coupon: half.id }],
    })
    const kept = await stripe.invoiceItems.update(id, {
      quantity: 3,
      price_data: { currency: 'eur', product: product.id, unit_amount: 100 },
      expand,
    })
    expect(kept).toMatchObject({
      amount: 300,
      pricing: { price_details: { product: product.id } },
      discounts: [{ source: { coupon: half.id } }],
    })
    expect(await stripe.invoiceItems.update(id, { discounts: '' })).toMatchObject({ amount: 300, discounts: [] })
  })
})
