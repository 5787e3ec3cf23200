import type { CurrentSubscription } from '@storeport/core'
import { type ActiveSubscription, codeKey, soonest, toMinor } from '@storeport/rules'
import {
  type Base,
  discountOf,
  type Expected,
  type ModelShop,
  reveal,
  type Seen,
  totalOf,
  unknownDate,
} from './model.ts'

/**
 * Behavior that the specification leaves open. The first observation decides it, and later observations must be the
 * same.
 */
export interface Learned {
  /** Possible ways to round the percentages of an order. */
  roundings: readonly Rounding[]
  /** Possible kinds of the discount that an order had before the exploration. */
  bases: readonly ('fixed' | 'share')[]
}

/** Half up or half to even for each use of a code, or half up for the sum of all uses. */
type Rounding = 'up' | 'even' | 'sum'

/** Returns what is known about the open behavior before the first observation: nothing. */
export function learnNothing(): Learned {
  return { roundings: ['up', 'even', 'sum'], bases: ['fixed', 'share'] }
}

/** A difference between the expected and the visible data of a customer. */
export interface Difference {
  readonly part: 'subscription' | 'lines' | 'date' | 'discount' | 'cancelled'
  readonly expected: unknown
  readonly received: unknown
}

/** Result of a comparison: the state with what the observation shows, or the first difference. */
export type Comparison = { readonly state: Expected } | { readonly difference: Difference }

/** Possible new facts in an observation. */
export interface Openness {
  /** The billing date before the change, if a subscription that was never current may have become current. */
  readonly revealedFrom?: string | undefined
  /** Code of the addition, if the order may already contain its fixed amount. */
  readonly fixedCode?: string | undefined
  /** Whether the change can remove an earlier discount of the customer. */
  readonly mayFall?: boolean
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
  if (ids.toSorted().join() !== received.toSorted().join())
    return { difference: { part: 'cancelled', expected: ids, received } }

  const predicted = soonest(expected.account.subscriptions)
  if (current === null || predicted === undefined) {
    if (current === null && predicted === undefined) return { state: expected }
    return { difference: { part: 'subscription', expected: predicted && linesOf(predicted, model), received: current } }
  }
  const found = explain(expected, current, model, openness)
  if ('difference' in found) return found
  const result = compareDiscount(found.state, found.id, current, model, learned, openness)
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
  const active = account.subscriptions.filter((one): one is ActiveSubscription => one.status === 'active')
  const predicted = soonest(active)
  const seen = seenLines(current, model)
  const hasSeenLines = (one: ActiveSubscription) => sameLines(linesOf(one, model), seen)
  const date = current.next_billing_date
  const sameDay = active.filter((one) => one.next_billing_date === predicted?.next_billing_date)
  // If two subscriptions have the same date, either can be current.
  const match = sameDay.find((one) => one.next_billing_date === date && hasSeenLines(one))
  if (match !== undefined) return { state: expected, id: match.id }

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
  const isNew = revealedFrom !== undefined && date >= revealedFrom && isFirst
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

function compareDiscount(
  state: Expected,
  id: string,
  current: CurrentSubscription,
  model: ModelShop,
  learned: Learned,
  { fixedCode, mayFall }: Openness,
): Comparison {
  const received = discountOf(current, model)
  const subscription = state.account.subscriptions.find((one) => one.id === id)
  if (subscription === undefined || subscription.status !== 'active') return { state }
  const total = totalOf(subscription.items)
  if (state.unseen.has(id)) {
    const uses = state.account.discount_uses.filter((use) => use.subscription_id === id)
    // The discount may be limited to the total, or include a fixed code from before the exploration.
    if (received >= total || uses.some(({ kind }) => kind === 'fixed_amount')) return { state }
    const known = roundAll(
      uses.map((use) => state.exact.get(use.id) ?? 0),
      learned.roundings[0] ?? 'up',
    )
    const most = state.bases.get(id)?.discount
    if (most !== undefined && received - known > most) return differ(most + known, received, model)
    return { state: withBase(state, id, { discount: received - known, total, codes: [] }) }
  }
  const base = state.bases.get(id)
  const candidates = fixedCode === undefined ? [state] : [state, withFixedBase(state, id, fixedCode)]
  let isLimited = false
  for (const candidate of candidates) {
    const ways = learned.roundings.flatMap((rounding) => learned.bases.map((kind) => ({ rounding, kind })))
    const fitting = ways.filter(({ rounding, kind }) => {
      const { least, most } = discountsOf(candidate, id, total, rounding, kind)
      isLimited ||= most >= total
      return received >= least && received <= most
    })
    if (fitting.length === 0) continue
    // After a swap, a fixed discount that was lost looks like a share of the order.
    if (mayFall === true && !fitting.some(({ kind }) => kind === 'fixed')) continue
    learned.roundings = learned.roundings.filter((one) => fitting.some(({ rounding }) => rounding === one))
    if (mayFall !== true) learned.bases = learned.bases.filter((one) => fitting.some(({ kind }) => kind === one))
    return { state: candidate }
  }
  // A shop may limit the discount to the total of the items. The later discounts of such an order are unknown.
  if (isLimited) return { state: withoutBase(state, id) }
  const first = discountsOf(state, id, total, learned.roundings[0] ?? 'up', 'fixed').least
  const more = received - first
  // A swap can remove a discount that the replaced item had before the exploration.
  if (mayFall === true && base !== undefined && more >= -base.discount && more <= 0)
    return { state: withBase(state, id, { ...base, discount: base.discount + more, total }) }
  return differ(first, received, model)
}

function differ(expected: number, received: number, { digits }: ModelShop): Comparison {
  const [wanted, found] = [expected, received].map((amount) => amount / 10 ** digits)
  return { difference: { part: 'discount', expected: wanted, received: found } }
}

function withBase(state: Expected, id: string, base: Base): Expected {
  const unseen = new Set([...state.unseen].filter((one) => one !== id))
  return { ...state, unseen, bases: new Map(state.bases).set(id, base) }
}

/** Returns a state in which the discount of a subscription is learned again. */
function withoutBase(state: Expected, id: string): Expected {
  const bases = new Map([...state.bases].filter(([one]) => one !== id))
  return { ...state, unseen: new Set(state.unseen).add(id), bases }
}

/** Returns the smallest and the largest possible discount of an order, in minor units. */
function discountsOf(
  { account, exact, bases }: Expected,
  id: string,
  total: number,
  rounding: Rounding,
  base: 'fixed' | 'share',
): { readonly least: number; readonly most: number } {
  const start = bases.get(id) ?? { discount: 0, total, codes: [] }
  const uses = account.discount_uses.filter((use) => use.subscription_id === id)
  const percentages = uses.filter(({ kind }) => kind === 'percentage').map((use) => exact.get(use.id) ?? 0)
  const fixed = new Map(
    uses
      .filter(({ kind, code }) => kind === 'fixed_amount' && !start.codes.includes(codeKey(code)))
      .map(({ code, amount_minor }) => [code, amount_minor]),
  )
  const more = sumOf([...fixed.values()]) + roundAll(percentages, rounding)
  if (base === 'fixed' || start.discount === 0 || start.total === 0) {
    return { least: start.discount + more, most: start.discount + more }
  }
  const share = (start.discount / start.total) * total
  return { least: Math.floor(share) + more, most: Math.ceil(share) + more }
}

function roundAll(amounts: readonly number[], rounding: Rounding): number {
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

/** Returns the state in which the first discount of an order includes a fixed code. */
function withFixedBase(state: Expected, id: string, code: string): Expected {
  const base = state.bases.get(id)
  return base === undefined ? state : withBase(state, id, { ...base, codes: [...base.codes, codeKey(code)] })
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
