import { addDays, type CurrentSubscription, type Product, type SubscriptionItem } from '@storeport/core'
import type { CheckContext } from '../engine/check-context.ts'
import { delayTo } from './click-between.ts'
import { readProducts, readSubscription } from './read.ts'
import { customerOf } from './customer-of.ts'

/** A customer, what their next order holds, and the products that can be ordered. */
export interface Arrangement {
  /** The customer. */
  readonly email: string
  /** Their current subscription. */
  readonly before: CurrentSubscription
  /** The general list of products. */
  readonly products: readonly Product[]
}

/** Reads what a customer with an active subscription has; default the customer with several subscriptions. */
export async function arrange(t: CheckContext, email = t.profile.customers.subscribed): Promise<Arrangement> {
  const known = t.need(email, 'customers.subscribed')
  return { email: known, before: await readSubscription(t, known), products: await readProducts(t) }
}

/** A product that can be ordered and is no item of the subscription: items and products are told by their titles. */
export function newProduct(t: CheckContext, { before, products }: Arrangement): Product {
  const found = products.find(({ title }) => !before.items.some((item) => item.title === title))
  return found ?? t.spent('every listed product is an item of the current subscription already')
}

/** An item of the subscription and its product, which can be ordered; a product that stands there twice has a one-time line too. */
export function ownedProduct(t: CheckContext, { before, products }: Arrangement): OwnedProduct {
  for (const [place, item] of before.items.entries()) {
    if (before.items.some((other) => other !== item && other.title === item.title)) continue
    const product = products.find(({ title }) => title === item.title)
    if (product !== undefined) return { item, place, product }
  }
  return t.spent('no item of the current subscription is a listed product')
}

/** An item of a subscription, where it stands, and its product. */
export interface OwnedProduct {
  /** The item. */
  readonly item: SubscriptionItem
  /** Its place among the items, counted from 0. */
  readonly place: number
  /** Its product. */
  readonly product: Product
}

/** The items of a subscription that it did not have before. */
export function newItems(before: CurrentSubscription, after: CurrentSubscription): readonly SubscriptionItem[] {
  return after.items.filter(({ id }) => !before.items.some((item) => item.id === id))
}

/** A customer with two subscriptions, the second one being current now. */
export interface TwoSubscriptions {
  /** The customer. */
  readonly email: string
  /** The subscription that was current; it now comes second, by a few days. */
  readonly delayed: CurrentSubscription
  /** The subscription that is current now. */
  readonly current: CurrentSubscription
}

/** Delays the current subscription of the customer with several, until another one is current. */
export async function passTheFirst(t: CheckContext): Promise<TwoSubscriptions> {
  const email = customerOf(t, 'subscribed')
  let delayed = await readSubscription(t, email)
  const own = idsOf(delayed)
  for (let steps = 0; steps < mostSteps; steps++) {
    const new_date = addDays(delayed.next_billing_date, daysOfStep(steps))
    await delayTo(t, email, new_date)
    const current = await readSubscription(t, email)
    if (idsOf(current) !== own) return { email, delayed: { ...delayed, next_billing_date: new_date }, current }
    t.equal(current.next_billing_date, new_date, 'next_billing_date', undefined, 'DELAY-1')
    delayed = current
  }
  return t.spent('the second subscription of the customer is too far away')
}

/** Brings the subscription with these items back to the front, by delaying what comes before it. */
export async function bringBack(
  t: CheckContext,
  email: string,
  items: CurrentSubscription['items'],
): Promise<CurrentSubscription> {
  for (let steps = 0; steps < mostSteps; steps++) {
    const current = await readSubscription(t, email)
    if (current.items.some(({ id }) => items.some((item) => item.id === id))) return current
    await delayTo(t, email, addDays(current.next_billing_date, daysOfStep(steps)))
  }
  return t.spent('the subscription is too far away')
}

/** After so many delays the other subscription is taken to be too far away: by then that is more than ten years. */
const mostSteps = 65

/**
 * How many days a subscription is delayed at a time: less than any interval, later a tenth more each time.
 *
 * Nothing brings a date back but sending the order, so a leap far beyond the other one would make the way longer for every later run.
 */
function daysOfStep(steps: number): number {
  return Math.round(steps < 14 ? 5 : 5 * 1.1 ** (steps - 13))
}

function idsOf({ items }: CurrentSubscription): string {
  return items.map(({ id }) => id).join('\n')
}
