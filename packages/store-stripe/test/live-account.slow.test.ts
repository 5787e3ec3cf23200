import { stripeStore } from '@storeport/store-stripe'
import { click, contextOf, send } from '@storeport/testing/clicks'
import { startStripeStandIn } from '@storeport/testing/stripe/start-stripe-stand-in'
import { Stripe } from 'stripe'
import { describe, expect, it, onTestFinished } from 'vitest'
import { countCharges, email, openStripe, openTestShop, runCommand, useCard } from './open-shop.ts'

it('a price without a fixed amount per unit is not offered, and is reported by ready() (quirk 21)', async () => {
  const { stripe, store } = await openTestShop()
  await stripe.products.create({ id: 'water', name: 'Water' })
  const recurring = { interval: 'month', usage_type: 'metered', meter: 'mtr_1' } as const
  const price = await stripe.prices.create({ product: 'water', currency: 'usd', recurring, unit_amount: 500 })
  const { products } = await store.listProducts({}, contextOf())
  expect(products.map(({ id }) => id)).not.toContain('water')
  const add = click('addProduct', { email, product_id: 'water', quantity: 5, one_time: true })
  const swap = click('swapProduct', { email, current_item_id: 'test_12345', new_product_id: 'water' })
  for (const each of [add, swap]) expect(await send(store, each)).toBe('product_unavailable')
  expect(await store.ready()).toEqual([
    `Prices not supported: 1 because it is not a fixed amount per unit: ${price.id}`,
  ])
})

const hour = 3_600_000
const day = 24 * hour

it('rejects sendNow on a billing day, even if a later delay started a trial (quirk 22)', async () => {
  const { store, pass } = await openTestShop()
  // Stripe bills the customer's only subscription on 17 March at noon.
  await pass(7 * day + 3 * hour)
  await pass(2 * hour)
  const other = { email: 'another@example.com' }
  await store.delaySubscription({ ...other, new_date: '2026-05-01' }, contextOf())
  await expect(store.sendNow(other, contextOf())).rejects.toMatchObject({ code: 'order_already_processing' })
  await pass(day)
  await store.sendNow(other, contextOf())
})

describe('a subscription that Stripe does not bill as usual', () => {
  const other = { email: 'another@example.com' }

  it('rejects sendNow and a delay while an invoice is unpaid (quirk 25)', async () => {
    const shop = await openTestShop()
    const { store, stripe, pass, now } = shop
    await useCard(shop, 'pm_card_chargeCustomerFail', other.email)
    // Stripe tries the payment on 17 March at 13:00.
    for (const ms of [7 * day + 5 * hour, 2 * day]) {
      await pass(ms)
      await expect(store.sendNow(other, contextOf())).rejects.toMatchObject({ code: 'payment_failed' })
    }
    await useCard(shop, 'pm_card_visa', other.email)
    const [unpaid] = (await stripe.subscriptions.list({ status: 'past_due' })).data
    expect(await send(store, click('delaySubscription', { ...other, new_date: '2026-05-01' }))).toBe('payment_failed')
    // A delay in the dashboard changes the status, but not the unpaid invoice.
    const trial_end = now().getTime() / 1000 + 40 * 86_400
    await stripe.subscriptions.update(unpaid?.id ?? '', { trial_end, proration_behavior: 'none' })
    await expect(store.sendNow(other, contextOf())).rejects.toMatchObject({ code: 'payment_failed' })
    expect(await countCharges(shop)).toBe(0)
  })

  it('is current during a fixed term, and cannot be reactivated after the term (quirk 26)', async () => {
    const { store, stripe, subscriptions, pass, now } = await openTestShop()
    const id = subscriptions['sub_3001'] ?? ''
    const cancel_at = Math.floor(now().getTime() / 1000) + 100 * 86_400
    await stripe.subscriptions.update(id, { cancel_at, proration_behavior: 'none' })
    const listed = async () => (await store.listCancelledSubscriptions(other, contextOf())).subscriptions
    const before = await listed()
    expect(before.map(({ subscription_id }) => subscription_id)).not.toContain(id)
    expect(await store.getSubscription(other, contextOf())).toMatchObject({ next_billing_date: '2026-03-17' })
    const reactivate = () => store.reactivateSubscription({ ...other, subscription_id: id }, contextOf())
    await expect(reactivate()).rejects.toMatchObject({ code: 'subscription_not_cancelled' })
    expect(await send(store, click('delaySubscription', { ...other, new_date: '2026-07-30' }))).toBe('invalid_date')
    // The fixed term ends in this period, so there is no next order.
    await pass(99 * day + 4 * hour)
    await expect(store.sendNow(other, contextOf())).rejects.toMatchObject({ code: 'subscription_not_found' })
    await pass(10 * day)
    expect(await stripe.subscriptions.retrieve(id)).toMatchObject({ status: 'canceled', cancel_at })
    expect(await listed()).toEqual(before)
    await expect(reactivate()).rejects.toMatchObject({ code: 'subscription_not_found' })
  })
})

describe('taxes (quirk 27)', () => {
  const taxed = { email: 'taxed@example.com' }

  /** Creates a customer with a subscription whose two items have the given rates, and with a default rate of 5%. */
  async function openTaxed(rates: readonly number[]) {
    const shop = await openTestShop()
    const { stripe } = shop
    const ids = new Map<number, string>()
    const rateOf = async (percentage: number) => {
      const known = ids.get(percentage)
      if (known !== undefined) return known
      const { id } = await stripe.taxRates.create({ display_name: 'Tax', inclusive: false, percentage })
      ids.set(percentage, id)
      return id
    }
    const { id: customer } = await stripe.customers.create({
      ...{ ...taxed, payment_method: 'pm_card_visa' },
      invoice_settings: { default_payment_method: 'pm_card_visa' },
    })
    const prices = ['test_12345', 'test_67890'].map((product) =>
      stripe.prices.create({
        ...{ product, currency: 'usd', unit_amount: 1000, tax_behavior: 'exclusive' },
        recurring: { interval: 'month' },
      }),
    )
    const items = []
    for (const [at, price] of (await Promise.all(prices)).entries()) {
      const percentage = rates[at] ?? 0
      items.push({ price: price.id, ...(percentage > 0 && { tax_rates: [await rateOf(percentage)] }) })
    }
    const subscription = await stripe.subscriptions.create({
      ...{ customer, items, default_tax_rates: [await rateOf(5)] },
      trial_end: shop.now().getTime() / 1000 + 86_400,
    })
    return { ...shop, subscription, ids }
  }

  it.each([
    [0, 0, 0.05],
    [8, 8, 0.08],
    [8, 0, undefined],
  ])('determine customer_tax_rate only if both items have the same rate: %d and %d', async (item, other, expected) => {
    const { store } = await openTaxed([item, other])
    expect((await store.getSubscription(taxed, contextOf()))?.customer_tax_rate).toBe(expected)
  })

  it('are copied to a recreated subscription', async () => {
    const { store, stripe, subscription } = await openTaxed([8, 0])
    await stripe.subscriptions.cancel(subscription.id)
    await store.reactivateSubscription({ ...taxed, subscription_id: subscription.id }, contextOf())
    const [made] = (await stripe.subscriptions.list({ limit: 1 })).data
    expect(made?.items.data.map(({ tax_rates }) => (tax_rates ?? []).map(({ percentage }) => percentage))).toEqual([
      [8],
      [],
    ])
  })

  const adds = [false, true].map((one_time) => ({ ...taxed, product_id: 'test_54321', quantity: 1, one_time }))

  it('are copied to an added line if all items share them', async () => {
    const { store, standIn, stripe, ids } = await openTaxed([8, 8])
    await stripe.prices.list({ product: 'test_54321', limit: 1 })
    for (const add of adds) await store.addProduct(add, contextOf())
    const sent = standIn.requests.filter(({ method, params }) => method === 'POST' && 'metadata' in params).slice(-2)
    expect(sent[0]?.params['items']).toMatchObject([{ tax_rates: [ids.get(8)] }])
    expect(sent[1]?.params).toMatchObject({ tax_rates: [ids.get(8)] })
    expect(sent[1]?.params['price_data']).not.toHaveProperty('tax_behavior')
  })

  it('reject an add if they differ, and are reported once and by inspect', async () => {
    const { store, standIn, subscription } = await openTaxed([8, 0])
    const warnings: string[] = []
    const listen = ({ message }: Error) => void warnings.push(message)
    process.on('warning', listen)
    onTestFinished(() => void process.off('warning', listen))
    for (const add of adds)
      await expect(store.addProduct(add, contextOf())).rejects.toMatchObject({ code: 'product_unavailable' })
    expect((await runCommand('inspect', standIn)).out).toContain(
      `1 because its items have different tax rates, so nothing can be added: ${subscription.id}`,
    )
    const text = `${subscription.id}: nothing can be added, because its items have different tax rates.`
    expect(warnings).toEqual([text])
  })
})

it('rejects discount codes whose conditions the store cannot check, and reads amounts in the store currency (quirk 29)', async () => {
  const { store, stripe, standIn, another } = await openTestShop()
  const read = async (code: string, from = store) =>
    from.getDiscount({ discount_code: code }, contextOf()).catch((error: unknown) => Object(error).code)
  const createCode = async (
    code: string,
    terms: Stripe.CouponCreateParams,
    restrictions: Stripe.PromotionCodeCreateParams.Restrictions = {},
  ) => {
    const { id: coupon } = await stripe.coupons.create({ duration: 'once', ...terms })
    await stripe.promotionCodes.create({ code, promotion: { type: 'coupon', coupon }, restrictions })
  }
  await createCode('PLAIN', { percent_off: 10 })
  await createCode('TEA', { percent_off: 10, applies_to: { products: ['test_12345'] } })
  await createCode('FIRST', { percent_off: 10 }, { first_time_transaction: true })
  await createCode('MUCH', { percent_off: 10 }, { minimum_amount: 5000, minimum_amount_currency: 'usd' })
  await createCode('EURO', { amount_off: 500, currency: 'usd', currency_options: { eur: { amount_off: 400 } } })
  await createCode('OWN', { percent_off: 10 })
  const [own] = (await stripe.promotionCodes.list({ code: 'OWN' })).data
  standIn.change(own?.id ?? '', { customer_account: 'acct_1' })
  expect(await read('PLAIN')).toMatchObject({ discount_percentage: 10 })
  for (const code of ['TEA', 'FIRST', 'MUCH', 'OWN']) expect(await read(code)).toBe('discount_not_found')
  expect(await read('EURO', another({ currency: 'EUR' }))).toMatchObject({ discount_amount: 4 })
})

describe('a free trial (quirk 30)', () => {
  it('is neither extended nor ended if the option freeTrials is keep', async () => {
    const { another, store } = await openTestShop()
    // The seed subscriptions start with a trial.
    const input = { email, new_date: '2026-03-30' }
    const keep = another({ freeTrials: 'keep' })
    await expect(keep.delaySubscription(input, contextOf())).rejects.toMatchObject({ code: 'invalid_date' })
    await expect(keep.sendNow({ email }, contextOf())).rejects.toMatchObject({ code: 'order_not_processable' })
    await store.delaySubscription(input, contextOf())
  })

  it('does not prevent several delays after its end', async () => {
    const { another, pass } = await openTestShop()
    const keep = another({ freeTrials: 'keep' })
    // Stripe bills the customer's only subscription on 17 March at noon.
    await pass(8 * day)
    for (const new_date of ['2026-04-25', '2026-05-02', '2026-05-09'])
      await keep.delaySubscription({ email: 'another@example.com', new_date }, contextOf())
    await keep.sendNow({ email: 'another@example.com' }, contextOf())
  })
})

describe('a cancellation in the Customer Portal (quirk 34)', () => {
  const other = { email: 'another@example.com' }

  it('is listed and can be reactivated before and after its end, in flexible billing mode', async () => {
    const { store, stripe, subscriptions, pass } = await openTestShop()
    const subscription_id = subscriptions['sub_3001'] ?? ''
    const cancel = () => stripe.subscriptions.update(subscription_id, { cancel_at: 'min_period_end' })
    const listed = async () =>
      (await store.listCancelledSubscriptions(other, contextOf())).subscriptions.map((one) => one.subscription_id)
    expect(await cancel()).toMatchObject({ cancel_at_period_end: false })
    expect(await listed()).toContain(subscription_id)
    await store.reactivateSubscription({ ...other, subscription_id }, contextOf())
    expect(await stripe.subscriptions.retrieve(subscription_id)).toMatchObject({ cancel_at: null, status: 'trialing' })
    expect(await store.getSubscription(other, contextOf())).toMatchObject({ next_billing_date: '2026-03-17' })
    await cancel()
    await pass(8 * day)
    expect(await stripe.subscriptions.retrieve(subscription_id)).toMatchObject({ status: 'canceled' })
    expect(await listed()).toContain(subscription_id)
    await store.reactivateSubscription({ ...other, subscription_id }, contextOf())
    expect(await store.getSubscription(other, contextOf())).toMatchObject({ next_billing_date: '2026-03-19' })
  })
})

describe('ready()', () => {
  const permissions = ['POST customers', 'POST subscriptions', 'POST invoiceitems', 'coupons', 'discounts']
  it.each(permissions)('rejects a key without a permission, also of expanded objects: %s', async (permission) => {
    const { stripe } = await openTestShop()
    const limited = await startStripeStandIn({ restricted: [permission] })
    onTestFinished(() => limited.close())
    await expect(stripeStore(openStripe(limited)).ready()).rejects.toThrow('lacks a permission')
    expect(await stripeStore(stripe).ready()).toEqual([])
  })
})
