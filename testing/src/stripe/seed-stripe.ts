import { type CompleteShopData, type Interval, seed, type SubscriptionData } from '@storeport/rules'
import type { Stripe } from 'stripe'

/** Options of `seedStripe`. */
export interface StripeSeedOptions {
  /** Current date in the shop (`YYYY-MM-DD`), to which the seed's dates are relative; default today in UTC. */
  readonly today?: string
  /** Changes fields of an object, because Stripe sets cancellation times itself; default no change. */
  change?(id: string, fields: object): void
}

/** Id of the product that represents shipping. */
export const shippingProduct = 'shipping'

const intervals: readonly Interval[] = [
  { unit: 'month', count: 1 },
  { unit: 'week', count: 6 },
]

/** Creates the seed's coffee shop in a Stripe account. Returns the Stripe ids of the subscriptions by seed id. */
export async function seedStripe(stripe: Stripe, options: StripeSeedOptions = {}) {
  const { today = new Date().toISOString().slice(0, 10), change } = options
  const data = seed(today)
  const prices = await createProducts(stripe, data)
  await createCodes(stripe, data)
  const customers = await createCustomers(stripe, data)
  const ids: Record<string, string> = {}
  for (const { email, subscriptions = [] } of data.customers) {
    for (const subscription of subscriptions) {
      const { cancelled_on } = subscription
      if (cancelled_on === undefined && subscription.next_billing_date === undefined) continue
      const { id } = await createSubscription(stripe, customers.get(email) ?? '', subscription, { prices, today })
      ids[subscription.id] = id
      if (cancelled_on === undefined) continue
      await stripe.subscriptions.cancel(id)
      const at = Date.parse(cancelled_on) / 1000
      change?.(id, { canceled_at: at, ended_at: at })
    }
  }
  return { subscriptions: ids }
}

/** Price ids by `priceKey`. */
type Prices = ReadonlyMap<string, string>

async function createProducts(stripe: Stripe, { products }: CompleteShopData): Promise<Prices> {
  const prices = new Map<string, string>()
  const addPrices = async (product: string, amount: number) => {
    for (const interval of intervals) {
      const recurring = { interval: interval.unit, interval_count: interval.count }
      const price = await stripe.prices.create({ product, currency: 'usd', unit_amount: toMinor(amount), recurring })
      prices.set(priceKey(product, interval), price.id)
    }
  }
  for (const { id, title, description = '', price, compare_at_price, available = true } of products) {
    const metadata = compare_at_price === undefined ? {} : { storeport_compare_at: toMinor(compare_at_price) }
    await stripe.products.create({ id, name: title, description, metadata })
    await addPrices(id, price)
    if (!available) await stripe.products.update(id, { active: false })
  }
  await stripe.products.create({ id: shippingProduct, name: 'Shipping' })
  await addPrices(shippingProduct, 5.99)
  return prices
}

async function createCodes(stripe: Stripe, { discounts }: CompleteShopData): Promise<void> {
  for (const discount of discounts) {
    const coupon = await stripe.coupons.create({
      duration: 'once',
      name: discount.code,
      ...(discount.discount_type === 'percentage'
        ? { percent_off: discount.discount_percentage }
        : { amount_off: toMinor(discount.discount_amount), currency: 'usd' }),
    })
    const promotion = { type: 'coupon', coupon: coupon.id } as const
    const { id } = await stripe.promotionCodes.create({ code: discount.code, promotion })
    // Deactivates an expired code, because Stripe does not create codes that have already expired.
    if (discount.expires_on !== undefined) await stripe.promotionCodes.update(id, { active: false })
  }
}

async function createCustomers(stripe: Stripe, { customers }: CompleteShopData): Promise<ReadonlyMap<string, string>> {
  const ids = new Map<string, string>()
  for (const { email, recommended = [] } of customers) {
    const { id } = await stripe.customers.create({
      email,
      metadata: { storeport_recommended: recommended.join(',') },
      payment_method: 'pm_card_visa',
      invoice_settings: { default_payment_method: 'pm_card_visa' },
    })
    ids.set(email, id)
  }
  return ids
}

/** Creates a subscription with a trial until its first billing date, so that nothing is charged today. */
async function createSubscription(
  stripe: Stripe,
  customer: string,
  { id, interval = { unit: 'month', count: 1 }, items = [], ...terms }: SubscriptionData,
  { prices, today }: { readonly prices: Prices; readonly today: string },
): Promise<Stripe.Subscription> {
  const priceOf = (product: string) => prices.get(priceKey(product, interval)) ?? ''
  const shipping = terms.shipping_total_cost === undefined ? [] : [{ price: priceOf(shippingProduct) }]
  const { order_discount_total: off } = terms
  const coupon =
    off && (await stripe.coupons.create({ duration: 'forever', amount_off: toMinor(off), currency: 'usd' }))
  return stripe.subscriptions.create({
    customer,
    items: [...items.map(({ product_id, quantity = 1 }) => ({ price: priceOf(product_id), quantity })), ...shipping],
    // The trial ends at noon, or on the next day for a subscription that is cancelled before the end of its trial.
    trial_end:
      Date.parse(terms.next_billing_date ?? today) / 1000 + (terms.next_billing_date === undefined ? 36 : 12) * 3600,
    metadata: { seeded_as: id },
    ...(coupon && { discounts: [{ coupon: coupon.id }] }),
  })
}

const priceKey = (product: string, { unit, count }: Interval) => `${product} every ${count} ${unit}`
const toMinor = (amount: number) => Math.round(amount * 100)
