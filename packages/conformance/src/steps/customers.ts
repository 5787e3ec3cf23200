import {
  type CancelledSubscription,
  CancelledSubscriptionList,
  CurrentSubscription,
  Discount,
  type EndpointName,
  minorUnitDigits,
  type Product,
  ProductList,
  type SubscriptionItem,
} from '@storeport/core'
import { contentOf } from '../engine/changes.ts'
import type { CheckContext } from '../engine/check.ts'
import type { RequirementId } from '../engine/requirement.ts'
import type { Reply } from '../http/reply.ts'
import type { ProfileCustomers } from '../profile/profile.ts'

/** The general list of products, or the personal one of a customer. */
export async function readProducts(t: CheckContext, email?: string): Promise<readonly Product[]> {
  const reply = await t.call('listProducts', email === undefined ? {} : { email })
  return t.data(reply, ProductList, 'PRODUCTS-1', 'PRODUCTS-2').products
}

/** The current subscription of a customer who has one. */
export async function readSubscription(t: CheckContext, email: string): Promise<CurrentSubscription> {
  return t.data(await t.call('getSubscription', { email }), CurrentSubscription, 'SUBSCRIPTION-1')
}

/** The current subscription of a customer, if there is one. */
export async function findSubscription(t: CheckContext, email: string): Promise<CurrentSubscription | undefined> {
  const reply = await t.call('getSubscription', { email })
  return reply.status === 404 ? undefined : t.data(reply, CurrentSubscription, 'SUBSCRIPTION-1')
}

/** The cancelled subscriptions of a customer that can be reactivated. */
export async function readCancelled(t: CheckContext, email: string): Promise<readonly CancelledSubscription[]> {
  const reply = await t.call('listCancelledSubscriptions', { email })
  return t.data(reply, CancelledSubscriptionList, 'CANCELLED-1').subscriptions
}

/** What a discount code is worth. */
export async function readDiscount(t: CheckContext, code: string): Promise<Discount> {
  return t.data(await t.call('getDiscount', { discount_code: code }), Discount, 'DISCOUNT-1')
}

/** The titles of products or lines, in their order. */
export function titlesOf(named: readonly { readonly title: string }[]): readonly string[] {
  return named.map(({ title }) => title)
}

/** How many units the next order holds in all. */
export function unitsOf(subscription: CurrentSubscription): number {
  return subscription.items.reduce((units, item) => units + item.quantity, 0)
}

/** Everything that the API tells about a customer, for comparing before and after. */
export async function snapshot(t: CheckContext, email: string): Promise<Readonly<Record<string, unknown>>> {
  const reads = ['getSubscription', 'listCancelledSubscriptions', 'listProducts'] as const
  const told: Record<string, unknown> = {}
  for (const name of reads) {
    if (t.offered.includes(name)) told[name] = (await t.call(name, { email })).json
  }
  return told
}

/** The address of a test customer; skips the check when the profile names none. */
export function customerOf(t: CheckContext, name: keyof ProfileCustomers): string {
  return t.need(t.profile.customers[name], `customers.${name}`)
}

/** Makes a call that must be accepted. */
export async function perform(t: CheckContext, name: EndpointName, input: Input, requirement?: RequirementId) {
  t.accepted(await t.call(name, input), requirement)
}

/** Takes an add back. */
export async function undoAdd(t: CheckContext, email: string, product_id: string): Promise<void> {
  await perform(t, 'undoAddProduct', { email, product_id }, 'UNDO-1')
}

type Input = Readonly<Record<string, unknown>>

/** Expects the answer of an action that was done: `{"success": true}` and nothing else. */
export function expectDone(t: CheckContext, reply: Reply, requirement?: RequirementId): void {
  t.accepted(reply, requirement)
  t.equal(reply.json, { success: true }, 'the body', reply, 'JSON-2')
}

/** The share of an amount in major units that a percentage takes, in major units; not rounded. */
export function shareOf(discount: Discount, amount: number): number {
  return discount.discount_type === 'percentage' ? (amount * discount.discount_percentage) / 100 : 0
}

/** A code that takes a fixed amount off, and that amount in major units; skips the check when the profile names none. */
export function fixedCode(t: CheckContext): { readonly code: string; readonly amount: number } {
  const { code, discount } = t.need(t.profile.discounts.fixed, 'discounts.fixed')
  if (discount.discount_type === 'fixed_amount') return { code, amount: discount.discount_amount }
  return t.skip('the fixed code of the profile takes no fixed amount off')
}

/** Expects the next order to be lowered by an amount in major units; how half a minor unit is rounded is left to the shop. */
export function expectLowered(
  t: CheckContext,
  after: CurrentSubscription,
  amount: number,
  before?: CurrentSubscription,
): void {
  const expected = toMinor(t, amount)
  const lowered = loweredBy(t, after, before)
  t.that(
    Math.abs(lowered - expected) < 1,
    `order_discount_total to rise by about ${expected.toFixed(1)} minor units of ${t.profile.currency}, not by ${lowered}`,
  )
}

/** By how much more an order is lowered than before, in whole minor units of the shop's currency. */
export function loweredBy(t: CheckContext, after: CurrentSubscription, before?: CurrentSubscription): number {
  const [less = 0, more = 0] = [before, after].map((one) => Math.round(toMinor(t, one?.order_discount_total ?? 0)))
  return more - less
}

/** An amount in major units as minor units of the shop's currency, not rounded: 19.95 is 1995 of USD, 1995 is 1995 of JPY. */
export function toMinor({ profile }: Pick<CheckContext, 'profile'>, amount: number): number {
  return amount * 10 ** minorUnitDigits(profile.currency)
}

/** A customer, what their next order holds, and the products that can be ordered. */
export type Arrangement = ReturnType<typeof arranged>

/** Reads what a customer with an active subscription has; default the customer with several subscriptions. */
export async function arrange(t: CheckContext, email = t.profile.customers.subscribed): Promise<Arrangement> {
  const known = t.need(email, 'customers.subscribed')
  return arranged(t, known, await readSubscription(t, known), await readProducts(t))
}

/** What can be ordered by a customer with that subscription. */
export function arranged(t: CheckContext, email: string, before: CurrentSubscription, products: readonly Product[]) {
  const itemsOf = (product: Product) => before.items.filter(({ title }) => title === product.title)
  return {
    email,
    before,
    products,
    /** A product that can be ordered and is no item of the subscription: items and products are matched by their titles. */
    newProduct(): Product {
      const found = products.find((product) => itemsOf(product).length === 0)
      return found ?? t.spent('every listed product is an item of the current subscription already')
    },
    /** An item, its place and its product, which can be ordered; a product that occurs twice has a one-time line too. */
    ownedProduct() {
      for (const [place, item] of before.items.entries()) {
        const product = products.find(({ title }) => title === item.title)
        if (product !== undefined && itemsOf(product).length === 1) return { item, place, product }
      }
      return t.spent('no item of the current subscription is a listed product')
    },
  }
}

/**
 * The lines of a subscription that it did not have before, a line that has changed being a new one.
 *
 * Lines are compared by their content: other checks judge their ids.
 */
export function newItems(before: CurrentSubscription, after: CurrentSubscription): readonly SubscriptionItem[] {
  const had = before.items.map(contentOf)
  return after.items.filter((item) => {
    const place = had.indexOf(contentOf(item))
    if (place !== -1) had.splice(place, 1)
    return place === -1
  })
}

/** Swaps a line of the current subscription for a product. */
export async function swapLine(t: CheckContext, email: string, line: SubscriptionItem | undefined, product: Product) {
  await perform(t, 'swapProduct', { email, current_item_id: line?.id, new_product_id: product.id }, 'SWAP-1')
}

/**
 * Swaps a line of the current subscription there and back, one of the two times away from a product that somebody else, or
 * another subscription, has too: where items have the ids of their products, that swap names a line that both have.
 */
export async function swapSharedLine(t: CheckContext, email: string, shared: Product): Promise<void> {
  const start = await arrange(t, email)
  const isThere = start.before.items.some(({ title }) => title === shared.title)
  const { item, place, product } = isThere
    ? arranged(t, email, start.before, [shared]).ownedProduct()
    : start.ownedProduct()
  const target = isThere ? start.newProduct() : shared
  await swapLine(t, email, item, target)
  await swapLine(t, email, (await readSubscription(t, email)).items[place], product)
}

/** Products and quantities of lines. */
export function quantitiesOf(items: readonly SubscriptionItem[]): readonly object[] {
  return items.map(({ title, quantity }) => ({ title, quantity }))
}

/** What lines hold but for their ids, which other checks judge. */
export function linesOf(items: readonly SubscriptionItem[]): readonly object[] {
  return items.map(({ title, price, quantity }) => ({ title, price, quantity }))
}
