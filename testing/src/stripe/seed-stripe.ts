import { type CompleteShopData, type Interval, seed, type SubscriptionData } from '@storeport/rules'
import type { Stripe } from 'stripe'

/** How an account is filled. */
export interface StripeSeedOptions {
  /** The shop's date, `YYYY-MM-DD`, around which the dates lie; default the real one in UTC. */
  readonly today?: string
  /** Moves the clock of the account to the start of a day: Stripe says itself when something was cancelled, and says now without it. */
  moveTo?(day: string): Promise<void>
  /** What the addresses of pictures are put behind; without one there are none, since Stripe shows them on its own pages. */
  readonly publicUrl?: string
}

/** What Stripe called the things that it names itself. */
export interface SeededAccount {
  /** Ids of subscriptions by those of the seed: `sub_1001`. */
  readonly subscriptions: Readonly<Record<string, string>>
}

/** The product that stands for the shipping of an order. */
export const shippingProduct = 'shipping'

const intervals: readonly Interval[] = [
  { unit: 'month', count: 1 },
  { unit: 'week', count: 6 },
]

/**
 * Makes the coffee shop of the seed in an account of Stripe, through the same requests that a merchant makes: products and prices,
 * promotion codes, customers with a card, subscriptions.
 */
export async function seedStripe(stripe: Stripe, options: StripeSeedOptions = {}): Promise<SeededAccount> {
  const { today = new Date().toISOString().slice(0, 10), moveTo, publicUrl } = options
  const data = seed(today)
  const cancellations = data.customers
    .flatMap(({ email, subscriptions = [] }) => subscriptions.map((subscription) => ({ email, subscription })))
    .filter(({ subscription }) => subscription.cancelled_on !== undefined)
    .toSorted((one, other) => compare(one.subscription.cancelled_on, other.subscription.cancelled_on))
  let movedTo = ''
  const moveOn = async (day = today) => {
    if (day > movedTo) await moveTo?.(day)
    movedTo = day
  }
  await moveOn(cancellations[0]?.subscription.cancelled_on)

  const prices = await makeProducts(stripe, data, publicUrl)
  await makeCodes(stripe, data)
  const customers = await makeCustomers(stripe, data)
  const subscribe = (email: string, subscription: SubscriptionData) =>
    makeSubscription(stripe, customers.get(email) ?? '', subscription, { prices, today })

  const subscriptions: Record<string, string> = {}
  for (const { email, subscription } of cancellations) {
    await moveOn(subscription.cancelled_on)
    const { id } = await subscribe(email, subscription)
    await stripe.subscriptions.cancel(id)
    subscriptions[subscription.id] = id
  }
  await moveOn()
  for (const { email, subscriptions: held = [] } of data.customers) {
    for (const subscription of held) {
      if (subscription.next_billing_date === undefined) continue
      subscriptions[subscription.id] = (await subscribe(email, subscription)).id
    }
  }
  return { subscriptions }
}

/** Prices by product and interval. */
type Prices = ReadonlyMap<string, string>

async function makeProducts(stripe: Stripe, data: CompleteShopData, publicUrl: string | undefined): Promise<Prices> {
  const prices = new Map<string, string>()
  const addPrices = async (product: string, amount: number) => {
    for (const interval of intervals) {
      const { unit, count } = interval
      const price = await stripe.prices.create({
        product,
        currency: 'usd',
        unit_amount: toMinor(amount),
        recurring: { interval: unit, interval_count: count },
      })
      prices.set(priceKey(product, interval), price.id)
    }
  }
  for (const { id, title, description, price, compare_at_price, images, available = true } of data.products) {
    await stripe.products.create({
      id,
      name: title,
      ...(description !== undefined && { description }),
      ...(publicUrl !== undefined && { images: images.map((image) => publicUrl + image) }),
      ...(compare_at_price !== undefined && { metadata: { storeport_compare_at: toMinor(compare_at_price) } }),
    })
    await addPrices(id, price)
    if (!available) await stripe.products.update(id, { active: false })
  }
  await stripe.products.create({ id: shippingProduct, name: 'Shipping' })
  await addPrices(shippingProduct, 5.99)
  return prices
}

async function makeCodes(stripe: Stripe, { discounts }: CompleteShopData): Promise<void> {
  for (const discount of discounts) {
    const coupon = await stripe.coupons.create({
      duration: 'once',
      name: discount.code,
      ...(discount.discount_type === 'percentage'
        ? { percent_off: discount.discount_percentage }
        : { amount_off: toMinor(discount.discount_amount), currency: 'usd' }),
    })
    const { id } = await stripe.promotionCodes.create({
      code: discount.code,
      promotion: { type: 'coupon', coupon: coupon.id },
    })
    // Stripe makes no code that has expired already.
    if (discount.expires_on !== undefined) await stripe.promotionCodes.update(id, { active: false })
  }
}

async function makeCustomers(stripe: Stripe, { customers }: CompleteShopData): Promise<ReadonlyMap<string, string>> {
  const ids = new Map<string, string>()
  for (const { email, recommended = [] } of customers) {
    const { id } = await stripe.customers.create({
      email,
      ...(recommended.length > 0 && { metadata: { storeport_recommended: recommended.join(',') } }),
    })
    const method = await stripe.paymentMethods.attach('pm_card_visa', { customer: id })
    await stripe.customers.update(id, { invoice_settings: { default_payment_method: method.id } })
    ids.set(email, id)
  }
  return ids
}

/** A subscription that is billed for the first time on a day of the future begins with a trial, and nothing is charged for it today. */
async function makeSubscription(
  stripe: Stripe,
  customer: string,
  { id, interval = { unit: 'month', count: 1 }, items = [], ...terms }: SubscriptionData,
  { prices, today }: { readonly prices: Prices; readonly today: string },
): Promise<Stripe.Subscription> {
  const priceOf = (product: string) => prices.get(priceKey(product, interval)) ?? ''
  const shipping = terms.shipping_total_cost === undefined ? [] : [{ price: priceOf(shippingProduct) }]
  const { order_discount_total: standing } = terms
  const coupon =
    standing === undefined
      ? undefined
      : await stripe.coupons.create({
          duration: 'forever',
          amount_off: toMinor(standing),
          currency: 'usd',
          name: 'Standing',
        })
  const billedOn = terms.next_billing_date ?? terms.cancelled_on ?? today
  return stripe.subscriptions.create({
    customer,
    items: [...items.map(({ product_id, quantity = 1 }) => ({ price: priceOf(product_id), quantity })), ...shipping],
    // Noon, and a day more for one that is cancelled before it.
    trial_end: Date.parse(billedOn) / 1000 + (terms.next_billing_date === undefined ? 36 : 12) * 3600,
    metadata: { seeded_as: id },
    ...(coupon !== undefined && { discounts: [{ coupon: coupon.id }] }),
  })
}

function priceKey(product: string, { unit, count }: Interval): string {
  return `${product} every ${count} ${unit}`
}

function toMinor(amount: number): number {
  return Math.round(amount * 100)
}

function compare(one: string | undefined, other: string | undefined): number {
  return (one ?? '') < (other ?? '') ? -1 : 1
}
