import {
  type CancelledSubscription,
  CancelledSubscriptionList,
  CurrentSubscription,
  Discount,
  minorUnitDigits,
  type Product,
  ProductList,
} from '@storeport/core'
import type { CheckContext } from '../engine/check-context.ts'
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

/** Expects the answer of an action that was done: `{"success": true}` and nothing else. */
export function expectDone(t: CheckContext, reply: Reply, requirement?: RequirementId): void {
  t.accepted(reply, requirement)
  t.equal(reply.json, { success: true }, 'the body', reply, 'JSON-2')
}

/** The share of an amount in major units that a percentage takes, in major units; not rounded. */
export function shareOf(discount: Discount, amount: number): number {
  return discount.discount_type === 'percentage' ? (amount * discount.discount_percentage) / 100 : 0
}

/** Expects the next order to be lowered by an amount in major units; how half a minor unit is rounded is left to the shop. */
export function expectLowered(
  t: CheckContext,
  before: CurrentSubscription | undefined,
  after: CurrentSubscription,
  amount: number,
): void {
  const expected = toMinor(t, amount)
  const lowered = loweredBy(t, before, after)
  t.that(
    Math.abs(lowered - expected) < 1,
    `order_discount_total to rise by about ${expected.toFixed(1)} minor units of ${t.profile.currency}, not by ${lowered}`,
  )
}

/** By how much more one order is lowered than another, in whole minor units of the shop's currency. */
export function loweredBy(
  t: CheckContext,
  before: CurrentSubscription | undefined,
  after: CurrentSubscription,
): number {
  const [less = 0, more = 0] = [before, after].map((one) => Math.round(toMinor(t, one?.order_discount_total ?? 0)))
  return more - less
}

/** An amount in major units as minor units of the shop's currency, not rounded: 19.95 is 1995 of USD, 1995 is 1995 of JPY. */
export function toMinor({ profile }: Pick<CheckContext, 'profile'>, amount: number): number {
  return amount * 10 ** minorUnitDigits(profile.currency)
}
