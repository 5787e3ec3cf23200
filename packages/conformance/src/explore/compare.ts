import type { CurrentSubscription } from '@storeport/core'
import { type ActiveSubscription, type DiscountWorth, type Item, soonest, toMinor } from '@storeport/rules'
import {
  type Base,
  discountOf,
  type Expected,
  type Fact,
  factsOf,
  type ModelShop,
  reveal,
  type Seen,
  totalOf,
  unknownDate,
} from './model.ts'

/** Behavior that the specification leaves open. */
interface Way {
  /** Half up or half to even for each use of a code, or half up for the sum of all uses. */
  readonly rounding: 'up' | 'even' | 'sum'
  /** Kind of the discount that an order had before the exploration. */
  readonly base: 'fixed' | 'share'
  /**
   * Whether codes follow the units that they apply to, as in the rules, or apply to the lines at the time of the change,
   * for percentages until a swap of their item or for all until the order.
   */
  readonly codes: 'units' | 'until swap' | 'until order'
}

/** The behavior that the observations have not excluded. Later observations must agree with earlier observations. */
export interface Learned {
  /** The possible behavior. */
  ways: readonly Way[]
}

/** Returns what is known before the first observation: nothing. */
export function learnNothing(): Learned {
  const ways = (['up', 'even', 'sum'] as const).flatMap((rounding) =>
    (['fixed', 'share'] as const).flatMap((base) =>
      (['units', 'until swap', 'until order'] as const).map((codes): Way => ({ rounding, base, codes })),
    ),
  )
  return { ways }
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
  { current, cancelled }: Seen,
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
  const isHidden = openness.revealedFrom !== undefined && activeOf(found.state).length < 2
  if ('difference' in facts) return isHidden ? { state: reveal(expected, current, model) } : facts
  const result = compareDiscount(facts.state, found.id, current, model, learned, openness)
  // A subscription that was never current can have the same items and the same date.
  if ('difference' in result && openness.revealedFrom !== undefined) return { state: reveal(expected, current, model) }
  return result
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
  const hasSeenLines = (one: ActiveSubscription) => sameLines(linesOf(one, model), seen)
  const date = current.next_billing_date
  if (predicted?.next_billing_date === date && hasSeenLines(predicted)) return { state: expected, id: predicted.id }

  const isFirst = active.every((one) => one.next_billing_date >= date)
  const sent = active.find((one) => one.next_billing_date === unknownDate && hasSeenLines(one))
  if (sent !== undefined && isFirst && date > model.shop.today) {
    const wanted = expected.intervals.get(sent.id)
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

function compareDiscount(
  state: Expected,
  id: string,
  current: CurrentSubscription,
  model: ModelShop,
  learned: Learned,
  { mayVary = false }: Openness,
): Comparison {
  const received = discountOf(current, model)
  const subscription = state.account.subscriptions.find((one) => one.id === id)
  if (subscription?.status !== 'active' || state.hasEarlierCodes) return { state }
  if (state.unseen.has(id)) return learnBase(state, subscription, received, model, learned)
  const isOpen = mayVary && (state.bases.get(id)?.discount ?? 0) > 0
  const total = totalOf(subscription.items)
  let isLimited = false
  const fitting = learned.ways.filter((way) => {
    const { least, most } = discountsOf(state, subscription, way)
    isLimited ||= most >= total
    return received >= least && received <= most
  })
  // After a swap, a fixed discount that was lost can look like a share of the order.
  if (fitting.some(({ base }) => !isOpen || base === 'fixed')) {
    if (!isOpen) learned.ways = fitting
    return { state }
  }
  // A shop may limit the discount to the total of the items. The later discounts of such an order are unknown.
  if (isOpen || isLimited) {
    const bases = new Map([...state.bases].filter(([one]) => one !== id))
    return { state: { ...state, bases, unseen: new Set(state.unseen).add(id) } }
  }
  const [{ least } = { least: 0 }] = learned.ways.map((way) =>
    discountsOf(state, subscription, { ...way, base: 'fixed' }),
  )
  return differ(least, received, model)
}

/** Determines the discount that a subscription has without the codes of the exploration. */
function learnBase(
  state: Expected,
  subscription: ActiveSubscription,
  received: number,
  model: ModelShop,
  { ways }: Learned,
): Comparison {
  const { id, items } = subscription
  const total = totalOf(items)
  // The discount may be limited to the total.
  if (received >= total) return { state }
  const withoutFirst = { ...state, bases: new Map<string, Base>() }
  const known = new Set(ways.flatMap((way) => Object.values(discountsOf(withoutFirst, subscription, way, true))))
  const [least, most] = [Math.min(...known), Math.max(...known)]
  const first = state.bases.get(id)?.discount
  if (received < least && first === undefined) return differ(least, received, model)
  if (first !== undefined && received - most > first) return differ(first + most, received, model)
  // The subscription may have had a fixed code before the exploration, and an undo can remove the code.
  const hasFixed = state.coded.some(
    ({ subscription_id, item_id, terms }) =>
      subscription_id === id && item_id !== null && terms.kind === 'fixed_amount',
  )
  if (known.size > 1 || hasFixed) return { state }
  const unseen = new Set([...state.unseen].filter((one) => one !== id))
  return { state: { ...state, unseen, bases: new Map(state.bases).set(id, { discount: received - least, total }) } }
}

function differ(expected: number, received: number, { digits }: ModelShop): Comparison {
  const [wanted, found] = [expected, received].map((amount) => amount / 10 ** digits)
  return { difference: { part: 'discount', expected: wanted, received: found } }
}

/**
 * Returns the smallest and the largest possible discount of an order, in minor units. `hasFirst` is whether the order can
 * have an unknown discount from before the exploration.
 */
function discountsOf(
  state: Expected,
  { id, items }: ActiveSubscription,
  way: Way,
  hasFirst = false,
): { readonly least: number; readonly most: number } {
  const total = totalOf(items)
  const start = state.bases.get(id) ?? { discount: 0, total }
  const parts = way.codes === 'units' ? unitsOf(state, id, items) : changesOf(state, id, way)
  const exact = parts.flatMap(({ terms, amount }) =>
    terms.kind === 'percentage' ? [(amount * terms.percentage) / 100] : [],
  )
  const fixed = new Map(
    parts.flatMap(({ terms }) => (terms.kind === 'fixed_amount' ? [[terms.code, terms.amount_minor]] : [])),
  )
  const others = sumOf([...fixed.values()])
  // If all uses of a code are rounded once, the first discount can have an invisible fraction.
  const hasFraction = way.rounding === 'sum' && (hasFirst || start.discount > 0)
  const [sum, rounded] = [sumOf(exact), roundAll(exact, way.rounding)]
  const [least, most] = hasFraction ? [Math.floor(sum + tiny), Math.ceil(sum - tiny)] : [rounded, rounded]
  const share = way.base === 'fixed' || start.total === 0 ? start.discount : (start.discount / start.total) * total
  return { least: Math.floor(share) + others + least, most: Math.ceil(share) + others + most }
}

/** A discount of an order: a code, and the total of the goods that it applies to. */
interface Part {
  readonly terms: DiscountWorth & { readonly code: string }
  readonly amount: number
}

/** Returns the discounts of an order whose codes follow their units. */
function unitsOf({ account }: Expected, id: string, items: readonly Item[]): readonly Part[] {
  const uses = account.discount_uses.filter((use) => use.subscription_id === id)
  return uses.map((use) => {
    const units = new Map(use.items.map(({ item_id, quantity }) => [item_id, quantity]))
    return { terms: use, amount: totalOf(items.map((item) => ({ ...item, quantity: units.get(item.id) ?? 0 }))) }
  })
}

/** Returns the discounts of an order whose codes apply to the goods of each change. */
function changesOf({ coded }: Expected, id: string, { codes }: Way): readonly Part[] {
  return coded.filter(
    ({ subscription_id, isReplaced, terms }) =>
      subscription_id === id && !(isReplaced && codes === 'until swap' && terms.kind === 'percentage'),
  )
}

function roundAll(amounts: readonly number[], rounding: Way['rounding']): number {
  if (rounding === 'sum') return roundHalfUp(sumOf(amounts))
  return sumOf(amounts.map((amount) => (rounding === 'up' ? roundHalfUp(amount) : roundHalfToEven(amount))))
}

function roundHalfUp(amount: number): number {
  return Math.floor(amount + 0.5 + tiny)
}

/** Compensates for the error of floating-point numbers. */
const tiny = 1e-6

function roundHalfToEven(amount: number): number {
  const floor = Math.floor(amount + tiny)
  const isHalf = Math.abs(amount - floor - 0.5) < tiny
  return isHalf ? floor + (floor % 2) : roundHalfUp(amount)
}

function sumOf(amounts: readonly number[]): number {
  return amounts.reduce((sum, amount) => sum + amount, 0)
}

interface Line {
  readonly title: string
  readonly price: number
  readonly quantity: number
}

function linesOf({ items }: Pick<ActiveSubscription, 'items'>, { shop, digits }: ModelShop): readonly Line[] {
  return items.map(({ product_id, price_minor, quantity }) => ({
    title: shop.product(product_id)?.title ?? product_id,
    price: price_minor / 10 ** digits,
    quantity,
  }))
}

function seenLines({ items }: CurrentSubscription, { digits }: ModelShop): readonly Line[] {
  return items.map(({ title, price, quantity }) => ({
    title,
    price: toMinor(price, digits) / 10 ** digits,
    quantity,
  }))
}

/** Compares lines without their sequence, which the specification leaves open. */
function sameLines(one: readonly Line[], other: readonly Line[]): boolean {
  const sorted = (lines: readonly Line[]) =>
    lines
      .map((line) => JSON.stringify(line))
      .toSorted()
      .join()
  return sorted(one) === sorted(other)
}
