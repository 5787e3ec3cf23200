import {
  addDays,
  type CancelledSubscription,
  CancelledSubscriptionList,
  CurrentSubscription,
  type Discount,
  type EndpointName,
  isErrorCode,
  minorUnitDigits,
  type Product,
  ProductList,
  type SubscriptionItem,
} from '@storeport/core'
import { contentOf } from '../engine/changes.ts'
import type { CheckContext, Input } from '../engine/check.ts'
import { missingIn } from '../engine/compare-views.ts'
import { errorCodeOf } from '../engine/expectations.ts'
import type { RequirementId } from '../engine/requirement.ts'
import type { Reply } from '../http/reply.ts'
import { unknownZone } from '../profile/profile.ts'

/** Returns the emails of the profile's customers, without the unknown customer. */
export function emailsOf({ profile }: Pick<CheckContext, 'profile'>): readonly string[] {
  const { unknown: _, ...customers } = profile.customers
  return Object.values(customers)
    .flat()
    .filter((email) => email !== undefined)
}

/** Reads the general product list, or the personal list of a customer. */
export async function readProducts(t: CheckContext, email?: string): Promise<readonly Product[]> {
  const reply = await t.call('listProducts', email === undefined ? {} : { email })
  return t.data(reply, ProductList, 'PRODUCTS-1', 'PRODUCTS-2').products
}

/** Reads the current subscription of a customer. Fails if the customer has no current subscription. */
export async function readSubscription(t: CheckContext, email: string): Promise<CurrentSubscription> {
  return t.data(await t.call('getSubscription', { email }), CurrentSubscription, 'SUBSCRIPTION-1')
}

/** Reads the current subscription of a customer; `undefined` if the customer has no current subscription. */
export async function findSubscription(t: CheckContext, email: string): Promise<CurrentSubscription | undefined> {
  const reply = await t.call('getSubscription', { email })
  return reply.status === 404 ? undefined : t.data(reply, CurrentSubscription, 'SUBSCRIPTION-1')
}

/** Returns whether the shop's date is known. Without a time zone, it may differ from `today` by one day. */
export function knowsToday({ profile }: Pick<CheckContext, 'profile'>): boolean {
  return profile.timeZone !== unknownZone || profile.today !== undefined
}

/** Reason to skip a check if the shop's date is unknown. */
export const offByOneDay = 'the date is off by one day. Set the time zone of the shop (--time-zone)'

/**
 * Expects a billing date, which depends on the date of the request. Skips the check for the billing date of the day before or
 * after, if the time zone of the shop is unknown.
 */
export function expectDay(
  t: CheckContext,
  received: string,
  expectedOn: (today: string) => string,
  requirement: RequirementId,
): void {
  const expected = expectedOn(t.today)
  const isNear = [-1, 1].some((days) => expectedOn(addDays(t.today, days)) === received)
  if (received !== expected && isNear && !knowsToday(t)) t.skip(offByOneDay)
  t.equal(received, expected, 'next_billing_date', requirement)
}

/** Skips the check if every request was rejected, possibly because an order was already sent today. */
export function skipIfSentToday(t: CheckContext, replies: readonly Reply[]): void {
  if (replies.every(mayBeSentToday)) t.skipUsed('an order was already sent today for this customer', 'sendNow')
}

/** Returns whether a request may have been rejected for an order of today. Shops may use their own error code. */
export function mayBeSentToday(reply: Reply): boolean {
  const code = errorCodeOf(reply)
  if (code === undefined || reply.status < 400 || reply.status >= 500) return false
  return code === 'order_already_processing' || !isErrorCode(code)
}

/** Reads a customer's cancelled subscriptions that can be reactivated. */
export async function readCancelled(t: CheckContext, email: string): Promise<readonly CancelledSubscription[]> {
  const reply = await t.call('listCancelledSubscriptions', { email })
  return t.data(reply, CancelledSubscriptionList, 'CANCELLED-1').subscriptions
}

/** Returns the titles of products or lines, in the same sequence. */
export function titlesOf(named: readonly { readonly title: string }[]): readonly string[] {
  return named.map(({ title }) => title)
}

/** Returns the total number of units of a subscription. */
export function unitsOf(subscription: CurrentSubscription): number {
  return subscription.items.reduce((units, item) => units + item.quantity, 0)
}

/** Reads all data of a customer, so that a check can compare the data before and after a request. */
export async function snapshot(t: CheckContext, email: string): Promise<Readonly<Record<string, unknown>>> {
  const reads = ['getSubscription', 'listCancelledSubscriptions', 'listProducts'] as const
  const data: Record<string, unknown> = {}
  for (const name of reads) {
    if (t.offered.includes(name)) data[name] = (await t.call(name, { email })).json
  }
  return data
}

/** Name of a test customer in the profile. */
export type CustomerName = Exclude<keyof CheckContext['profile']['customers'], 'more'>

/** Returns the email address of a test customer. Skips the check if the profile does not contain the customer. */
export function customerOf(t: CheckContext, name: CustomerName): string {
  return t.need(t.profile.customers[name], `customers.${name}`)
}

/** Sends a request that must succeed. */
export async function perform(t: CheckContext, name: EndpointName, input: Input, requirement?: RequirementId) {
  t.accepted(await t.call(name, input), requirement)
}

export async function undoAdd(t: CheckContext, email: string, product_id: string): Promise<void> {
  await perform(t, 'undoAddProduct', { email, product_id }, 'UNDO-1')
}

/** Expects the response of a successful action: `{"success": true}` and nothing else. */
export function expectDone(t: CheckContext, reply: Reply, requirement?: RequirementId): void {
  t.accepted(reply, requirement)
  t.equal(reply.json, { success: true }, 'the body', reply, 'JSON-2')
}

/** Returns the unrounded reduction of an amount by a percentage code, in major units; 0 for a fixed-amount code. */
export function shareOf(discount: Discount, amount: number): number {
  return discount.discount_type === 'percentage' ? (amount * discount.discount_percentage) / 100 : 0
}

/** Returns a fixed-amount code and its amount in major units. Skips the check if the profile has no such code. */
export function fixedCode(t: CheckContext): { readonly code: string; readonly amount: number } {
  const { code, discount } = t.need(t.profile.discounts.fixed, 'discounts.fixed')
  if (discount.discount_type === 'fixed_amount') return { code, amount: discount.discount_amount }
  return t.skip('discounts.fixed in the profile is not a fixed amount')
}

/** Expects the discount of the next order to increase by an amount in major units, rounded up or down. */
export function expectReduced(
  t: CheckContext,
  after: CurrentSubscription,
  amount: number,
  before?: CurrentSubscription,
): void {
  const expected = toMinor(t, amount)
  const reduction = reductionOf(t, after, before)
  const isRounded = Math.abs(reduction - expected) < 1
  t.equal(
    reduction,
    isRounded ? reduction : expected,
    `increase of order_discount_total in minor units of ${t.profile.currency}, rounded up or down`,
  )
}

/** Returns the increase of an order's discount, in whole minor units of the shop's currency. */
export function reductionOf(t: CheckContext, after: CurrentSubscription, before?: CurrentSubscription): number {
  const [less = 0, more = 0] = [before, after].map((one) => Math.round(toMinor(t, one?.order_discount_total ?? 0)))
  return more - less
}

/** Converts an amount to minor units of the shop's currency without rounding: 1995 for 19.95 USD or 1995 JPY. */
export function toMinor({ profile }: Pick<CheckContext, 'profile'>, amount: number): number {
  return amount * 10 ** minorUnitDigits(profile.currency)
}

/** A customer, the customer's current subscription, and the listed products. */
export type Arrangement = ReturnType<typeof arranged>

/** Reads the subscription and the products of a customer; defaults to `customers.subscribed`. */
export async function arrange(t: CheckContext, email = t.profile.customers.subscribed): Promise<Arrangement> {
  const known = t.need(email, 'customers.subscribed')
  return arranged(t, known, await readSubscription(t, known), await readProducts(t))
}

/** Creates an Arrangement from a subscription and a product list. */
export function arranged(t: CheckContext, email: string, before: CurrentSubscription, products: readonly Product[]) {
  const itemsOf = (product: Product) => before.items.filter(({ title }) => title === product.title)
  return {
    email,
    before,
    products,
    /** Expects a number of units more than before. `when` completes the name of the value. */
    async expectUnits(more: number, requirement?: RequirementId, when = '', reply?: Reply): Promise<void> {
      const units = unitsOf(await readSubscription(t, email))
      t.equal(units, unitsOf(before) + more, `total units${when}`, requirement, reply)
    },
    /** Returns a product that is not an item. Compares titles, since an item id is not always a product id. */
    newProduct(): Product {
      const found = products.find((product) => itemsOf(product).length === 0)
      return found ?? t.skipUsed('every listed product is already an item of the current subscription')
    },
    /** Returns an item with its position and its listed product, of which the subscription has no other line. */
    ownedProduct() {
      for (const [place, item] of before.items.entries()) {
        const product = products.find(({ title }) => title === item.title)
        if (product !== undefined && itemsOf(product).length === 1) return { item, place, product }
      }
      return t.skipUsed('no item of the current subscription is a listed product')
    },
  }
}

/** Returns the new and the changed lines of a subscription. Other checks verify the ids and images. */
export function newItems(before: CurrentSubscription, after: CurrentSubscription): readonly SubscriptionItem[] {
  return missingIn(after.items, before.items, contentOf)
}

export async function swapLine(t: CheckContext, email: string, line: SubscriptionItem | undefined, product: Product) {
  await perform(t, 'swapProduct', { email, current_item_id: line?.id, new_product_id: product.id }, 'SWAP-1')
}

/**
 * Swaps a line of the current subscription, and then reverses the swap. One of the two swaps replaces the product
 * `shared`, which another customer or subscription also has, possibly with the same item id.
 */
export async function swapSharedLine(t: CheckContext, email: string, shared: Product): Promise<void> {
  const start = await arrange(t, email)
  const hasShared = start.before.items.some(({ title }) => title === shared.title)
  const { item, place, product } = hasShared
    ? arranged(t, email, start.before, [shared]).ownedProduct()
    : start.ownedProduct()
  const target = hasShared ? start.newProduct() : shared
  await swapLine(t, email, item, target)
  await swapLine(t, email, (await readSubscription(t, email)).items[place], product)
}

/** Returns the titles and quantities of lines. */
export function quantitiesOf(items: readonly SubscriptionItem[]): readonly object[] {
  return items.map(({ title, quantity }) => ({ title, quantity }))
}

/** Returns lines without their ids, since other checks verify the ids. */
export function linesOf(items: readonly SubscriptionItem[]): readonly object[] {
  return items.map(({ title, price, quantity }) => ({ title, price, quantity }))
}
