import { addDays, addMonths, type CurrentSubscription } from '@storeport/core'
import { type ActiveSubscription, soonest, toMinor } from '@storeport/rules'
import type { View } from '../engine/changes.ts'
import { isSameList } from '../engine/compare-views.ts'
import { discountOf, type Expected, type Fact, factsOf, type ModelShop, reveal, totalOf, unknownDate } from './model.ts'

/** Behavior that the specification leaves open. */
interface Way {
  /** Rounding of half a cent of a percentage: up, or to an even number. */
  readonly rounding: 'up' | 'even'
  /** Kind of the discount that an order had before the exploration. */
  readonly base: 'fixed' | 'share'
}

/** The behavior that the observations have not excluded. Later observations must agree with earlier observations. */
export interface Learned {
  /** The possible behavior. */
  ways: readonly Way[]
}

/** Returns what is known before the first observation: nothing. */
export function learnNothing(): Learned {
  const roundings = ['up', 'even'] as const
  return { ways: (['fixed', 'share'] as const).flatMap((base) => roundings.map((rounding) => ({ rounding, base }))) }
}

/** A difference between the expected and the visible data of a customer. */
export interface Difference {
  readonly part: 'subscription' | 'lines' | 'date' | 'discount' | 'cancelled' | Fact['part']
  readonly expected: unknown
  readonly received: unknown
}

/** Result of a comparison: the state with what the observation shows, or the first difference. */
export type Comparison = { readonly state: Expected } | { readonly difference: Difference }

/** Possible new facts in an observation. */
export interface Openness {
  /** The billing date before the change, if a subscription that was never current may have become current. */
  readonly revealedFrom?: string | undefined
  /** Whether the change can give a discount from before the exploration another amount, such as a swap of its item. */
  readonly mayVary?: boolean
}

/**
 * Compares the visible data with the expected state. Records open behavior, unknown dates and subscriptions that were
 * not visible before. Changes `learned` only if the data can be explained.
 */
export function compare(
  expected: Expected,
  { current, cancelled }: View,
  model: ModelShop,
  learned: Learned,
  openness: Openness = {},
): Comparison {
  const ids = expected.account.subscriptions.flatMap(({ id, status }) => (status === 'cancelled' ? [id] : []))
  const received = cancelled.map(({ subscription_id }) => subscription_id)
  if (ids.join() !== received.join()) return { difference: { part: 'cancelled', expected: ids, received } }

  const predicted = soonest(expected.account.subscriptions)
  if (current === null || predicted === undefined) {
    if (current === null && predicted === undefined) return { state: expected }
    return { difference: { part: 'subscription', expected: predicted && linesOf(predicted, model), received: current } }
  }
  const found = explain(expected, current, model, openness)
  if ('difference' in found) return found
  const facts = compareFacts(found.state, found.id, current)
  const mayBeHidden = openness.revealedFrom !== undefined
  const result =
    'difference' in facts
      ? facts
      : compareDiscount(facts.state, found.id, discountOf(current, model), model, learned, openness)
  // A subscription that was never current can have the same items and the same date.
  const isHidden = mayBeHidden && (result !== facts || activeOf(found.state).length < 2)
  return 'difference' in result && isHidden ? { state: reveal(expected, current, model) } : result
}

/** Finds the expected subscription that is current, and records its date. */
function explain(
  expected: Expected,
  current: CurrentSubscription,
  model: ModelShop,
  { revealedFrom }: Openness,
): { readonly state: Expected; readonly id: string } | { readonly difference: Difference } {
  const { account } = expected
  const active = activeOf(expected)
  const predicted = soonest(active)
  const seen = seenLines(current, model)
  // The specification leaves the sequence of the lines open.
  const hasSeenLines = (one: ActiveSubscription) => isSameList(linesOf(one, model), seen)
  const date = current.next_billing_date
  if (predicted?.next_billing_date === date && hasSeenLines(predicted)) return { state: expected, id: predicted.id }

  const isFirst = active.every((one) => one.next_billing_date >= date)
  const sent = active.find((one) => one.next_billing_date === unknownDate && hasSeenLines(one))
  if (sent !== undefined && isFirst && date > model.shop.today) {
    const wanted = dateOfTitle(sent.title, model.shop.today)
    if (wanted !== undefined && wanted !== date)
      return { difference: { part: 'date', expected: wanted, received: date } }
    const subscriptions = account.subscriptions.map((one) =>
      one.id === sent.id && one.status === 'active' ? { ...one, next_billing_date: date } : one,
    )
    return { state: { ...expected, account: { ...account, subscriptions } }, id: sent.id }
  }
  // A third subscription with the same items and the same date as a delayed subscription is not plausible.
  const isUnmoved = active.length >= 2 && date === revealedFrom && active.some(hasSeenLines)
  const isNew = revealedFrom !== undefined && date >= revealedFrom && isFirst && !isUnmoved
  if (isNew && !active.some((one) => one.next_billing_date === date && hasSeenLines(one))) {
    const state = reveal(expected, current, model)
    return { state, id: state.account.subscriptions.at(-1)?.id ?? '' }
  }
  if (predicted === undefined || !hasSeenLines(predicted))
    return {
      difference: { part: 'lines', expected: predicted && linesOf(predicted, model), received: seen },
    }
  return { difference: { part: 'date', expected: predicted.next_billing_date, received: date } }
}

/** Returns the billing date after an order today for a title such as `Every 6 weeks`; `undefined` for other titles. */
function dateOfTitle(title: string, today: string): string | undefined {
  const [, count = '1', unit] = /^every (?:(\d{1,2}) )?(week|month)s?$/i.exec(title.trim()) ?? []
  if (unit === undefined) return undefined
  return unit.toLowerCase() === 'week' ? addDays(today, 7 * Number(count)) : addMonths(today, Number(count))
}

function activeOf({ account }: Expected): readonly ActiveSubscription[] {
  return account.subscriptions.filter((one): one is ActiveSubscription => one.status === 'active')
}

/** Compares the tax rate, the shipping cost of the same order, and the images of the same products. */
function compareFacts(state: Expected, id: string, current: CurrentSubscription): Comparison {
  const facts = new Map(state.facts)
  for (const { part, key, value } of factsOf(id, current)) {
    const known = facts.get(key)
    if (known !== undefined && known !== value) return { difference: { part, expected: known, received: value } }
    facts.set(key, value)
  }
  return { state: { ...state, facts } }
}

/** Compares the discount of an order, in minor units. */
function compareDiscount(
  state: Expected,
  id: string,
  received: number,
  { digits }: ModelShop,
  learned: Learned,
  { mayVary = false }: Openness,
): Comparison {
  const { account, unseen } = state
  const subscription = activeOf(state).find((one) => one.id === id)
  if (subscription === undefined || state.hasEarlierCodes) return { state }
  const base = state.bases.get(id)
  const bases = new Map([...state.bases].filter(([one]) => one !== id))
  const total = totalOf(subscription.items)
  const differ = (amount: number): Comparison => ({
    difference: { part: 'discount', expected: amount / 10 ** digits, received: received / 10 ** digits },
  })
  if (unseen.has(id)) {
    // The discount may be limited to the total.
    if (received >= total) return { state }
    const ranges = learned.ways.map((way) => discountsOf({ ...state, bases }, subscription, way, true))
    const [least, most] = [Math.min(...ranges.map((one) => one.least)), Math.max(...ranges.map((one) => one.most))]
    if (base === undefined && received < least) return differ(least)
    if (base !== undefined && received - most > base.discount) return differ(base.discount + most)
    // The order may have had the same fixed code before the exploration, and an undo can remove the code.
    const hasFixed = account.discount_uses.some((use) => use.subscription_id === id && use.kind === 'fixed_amount')
    if (hasFixed || least < most) return { state }
    const others = new Set([...unseen].filter((one) => one !== id))
    return { state: { ...state, unseen: others, bases: bases.set(id, { discount: received - least, total }) } }
  }
  const isOpen = mayVary && base !== undefined && base.discount > 0
  const ranges = learned.ways.map((way) => ({ way, ...discountsOf(state, subscription, way) }))
  const fitting = ranges.flatMap(({ way, least, most }) => (received >= least && received <= most ? [way] : []))
  // After a swap, a fixed discount that was lost can look like a share of the order.
  if (fitting.some((way) => !isOpen || way.base === 'fixed')) {
    if (!isOpen) learned.ways = fitting
    return { state }
  }
  // A shop may limit the discount to the total of the items. The later discounts of such an order are unknown.
  return isOpen || ranges.some(({ least, most }) => (state.swapped.has(id) ? least : most) >= total)
    ? { state: { ...state, bases, unseen: new Set(unseen).add(id) } }
    : differ(ranges[0]?.least ?? 0)
}

/**
 * Returns the smallest and the largest possible discount of an order, in minor units. `hasFirst` is whether the order can
 * have an unknown discount from before the exploration.
 */
function discountsOf(
  { account, bases, coded, swapped }: Expected,
  { id, items }: ActiveSubscription,
  { rounding, base }: Way,
  hasFirst = false,
): { readonly least: number; readonly most: number } {
  const total = totalOf(items)
  const start = bases.get(id) ?? { discount: 0, total }
  const share = base === 'fixed' || start.total === 0 ? start.discount : (start.discount / start.total) * total
  let [least, most] = [Math.floor(share), Math.ceil(share)]
  for (const use of account.discount_uses.filter(({ subscription_id }) => subscription_id === id)) {
    if (use.kind === 'fixed_amount') {
      least += use.amount_minor
      most += use.amount_minor
      continue
    }
    const units = new Map(use.items.map(({ item_id, quantity }) => [item_id, quantity]))
    const price = totalOf(items.map((item) => ({ ...item, quantity: units.get(item.id) ?? 0 })))
    const exact = (price * use.percentage) / 100
    const rounded = round(exact, rounding)
    // The first discount can have an invisible fraction. Some shops round the discount of each change.
    const hasFraction = (hasFirst || start.discount > 0) && Math.abs(exact - rounded) > tiny
    const mayDiffer = Math.max(0, (coded.get(id) ?? 0) - 1) + (hasFraction ? 1 : 0)
    // After a swap of its item, a percentage can apply to the new price, to the old price, or to nothing.
    const isUnknown = swapped.has(id)
    least += isUnknown ? 0 : rounded - mayDiffer
    most += isUnknown ? total : rounded + mayDiffer
  }
  return { least, most }
}

function round(amount: number, rounding: Way['rounding']): number {
  const isHalf = Math.abs((amount % 1) - 0.5) < tiny
  return isHalf && rounding === 'even' ? 2 * Math.round(amount / 2) : Math.floor(amount + 0.5 + tiny)
}

/** Compensates for the error of floating-point numbers. */
const tiny = 1e-6

function linesOf({ items }: Pick<ActiveSubscription, 'items'>, { shop, digits }: ModelShop) {
  return items.map(({ product_id, price_minor, quantity }) => ({
    title: shop.product(product_id)?.title ?? product_id,
    price: price_minor / 10 ** digits,
    quantity,
  }))
}

function seenLines({ items }: CurrentSubscription, { digits }: ModelShop) {
  return items.map(({ title, price, quantity }) => ({
    title,
    price: toMinor(price, digits) / 10 ** digits,
    quantity,
  }))
}
