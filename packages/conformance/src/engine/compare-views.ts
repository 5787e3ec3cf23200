import type { CancelledSubscription, CurrentSubscription, EndpointName, SubscriptionItem } from '@storeport/core'
import { isDeepStrictEqual } from 'node:util'
import { haveSameLines } from './changes.ts'
import type { FailureDetails } from './check.ts'

/** The visible data of one customer. */
export interface View {
  /** The current subscription; `null` if the customer has none. */
  readonly current: CurrentSubscription | null
  /** The cancelled subscriptions that can be reactivated; empty if the shop does not offer the list. */
  readonly cancelled: readonly CancelledSubscription[]
  /**
   * Last state of the customer's other active subscriptions that were current earlier in the run. `undefined` if two
   * subscriptions have the same lines, so that they cannot be distinguished.
   */
  readonly others: readonly CurrentSubscription[] | undefined
}

/** Returns the part of a view that a report shows. */
export function shownOf({ current, cancelled }: View) {
  return { current, cancelled }
}

/** A change that an operation must not make. */
export type Violation = Pick<FailureDetails, 'requirement' | 'expected' | 'received' | 'reply'>

/** A change of one customer. */
interface Operation {
  readonly name: EndpointName
  readonly input: Readonly<Record<string, unknown>>
  /** Whether the shop accepted the change. An accepted repeat may have no effect. */
  readonly isAccepted: boolean
  /** Whether the run used a discount code of this customer, which an undo may release. */
  readonly hasCode: boolean
}

/** A customer's current subscription before and after a change. */
interface Step {
  readonly operation: Operation
  readonly before: CurrentSubscription
  readonly after: CurrentSubscription
  /** The customer's other known subscriptions before the change. */
  readonly others: View['others']
}

/**
 * Compares a customer's data before and after an operation. Returns the customer's other known subscriptions, and the
 * first difference that the operation must not cause.
 *
 * Accepts every effect that the operation may have, since other checks verify the effect itself.
 */
export function compareViews(operation: Operation, before: View, after: View) {
  const { others: known } = before
  const step = before.current &&
    after.current && { operation, before: before.current, after: after.current, others: known }
  const others = step === null ? known && [] : knownOthers(step)
  return { others, violation: findViolation(operation, before, after, step) }
}

function findViolation(operation: Operation, before: View, after: View, step: Step | null): Violation | undefined {
  const { name, input, isAccepted } = operation
  if (!isAccepted) return differ('STATE-2', `a rejected ${name} to change nothing`, shownOf(after), shownOf(before))
  if (name === 'runCustomAction')
    return differ('FRAME-3', 'the custom action to change no subscription', shownOf(after), shownOf(before))

  const isOther = ({ subscription_id }: View['cancelled'][number]) =>
    name !== 'reactivateSubscription' || subscription_id !== input['subscription_id']
  const list = `${name} to keep the other cancelled subscriptions`
  const [remaining, listed] = [after.cancelled.filter(isOther), before.cancelled.filter(isOther)]
  const inList = differ(isSameList(remaining, listed) ? 'CANCELLED-3' : 'FRAME-1', list, remaining, listed)
  if (inList !== undefined) return inList
  if (before.current === null && after.current !== null && name !== 'reactivateSubscription')
    return { requirement: 'FRAME-1', expected: `${name} to start no subscription`, received: format(after.current) }
  if (before.current !== null && after.current === null)
    return { requirement: 'FRAME-1', expected: `${name} to keep the subscription active`, received: 'none' }
  return step === null ? undefined : (findInLines(step) ?? findInDate(step) ?? findInOther(step))
}

/** Compares the lines and returns a difference that the operation must not cause. */
function findInLines({ operation, before, after }: Step): Violation | undefined {
  const { name, input } = operation
  const gone = missingIn(before.items, after.items)
  const added = missingIn(after.items, before.items)
  const rule = lineRules[name]
  const holds = rule === undefined || gone.length + added.length === 0 || rule.holds(gone, added, input)
  if (rule === undefined || (holds && keepsSequence(name, before, after))) return undefined
  return {
    requirement: !holds ? 'FRAME-1' : name === 'swapProduct' ? 'SWAP-2' : 'ITEM-4',
    expected: holds ? `${name} to keep the sequence of the lines` : `${name} to change ${rule.effect}`,
    received: `${format(after.items)} instead of ${format(before.items)}`,
  }
}

interface LineRule {
  readonly effect: string
  readonly holds: (
    gone: readonly SubscriptionItem[],
    added: readonly SubscriptionItem[],
    input: Operation['input'],
  ) => boolean
}

/**
 * Allowed changes of the current subscription's lines. An operation that is not in the table can make a different
 * subscription current.
 */
const lineRules: Readonly<Partial<Record<EndpointName, LineRule>>> = {
  addProduct: {
    effect: 'one line, by the quantity of the request',
    holds: ([old, ...more], [line, ...lines], { quantity }) =>
      more.length + lines.length === 0 &&
      line !== undefined &&
      (old === undefined || old.title === line.title) &&
      line.quantity - (old?.quantity ?? 0) === (quantity ?? 1),
  },
  undoAddProduct: {
    effect: 'one line',
    holds: ([old, ...more], [line, ...lines]) =>
      more.length + lines.length === 0 &&
      old !== undefined &&
      (line === undefined || (line.title === old.title && line.quantity < old.quantity)),
  },
  swapProduct: {
    effect: 'one line, or to merge two lines',
    holds: (gone, [line, ...lines]) =>
      lines.length === 0 && line !== undefined && gone.length <= 2 && unitsOf(gone) === line.quantity,
  },
}

/** Returns a difference in the date, shipping, discount or tax of a subscription that is still current. */
function findInDate(step: Step): Violation | undefined {
  const { operation, before, after } = step
  const { name, input, hasCode } = operation
  if (!isSameSubscription(step)) return undefined
  if (lineRules[name] !== undefined) {
    const date = differ('FRAME-1', `${name} to keep the date`, after.next_billing_date, before.next_billing_date)
    if (date !== undefined) return date
  }
  const keeps = (what: string) => `${name} to keep ${what} of the next order`
  if (name === 'reactivateSubscription') return undefined
  const tax = differ('FRAME-2', keeps('the tax rate'), after.customer_tax_rate, before.customer_tax_rate)
  if (tax !== undefined) return tax
  if (haveSameLines(before, after)) {
    const [now, then] = [after.shipping_total_cost, before.shipping_total_cost]
    const shipping = differ('FRAME-2', keeps('the shipping cost'), now, then)
    if (shipping !== undefined) return shipping
  }
  const [now, then] = [after.order_discount_total ?? 0, before.order_discount_total ?? 0]
  const mayGrow = input['discount_code'] !== undefined && input['discount_code'] !== null
  const mayFall = name === 'undoAddProduct' ? hasCode : name === 'swapProduct' || name === 'sendNow'
  if (now === then || (now > then && mayGrow) || (now < then && mayFall) || isProportional(before, after))
    return undefined
  // The code of a swapped item can apply to the higher price.
  const isFollowed = name === 'swapProduct' && then > 0 && now - then <= totalOf(after) - totalOf(before)
  if (isFollowed) return undefined
  return { requirement: 'FRAME-2', expected: `${keeps('the discount')} at ${then}`, received: String(now) }
}

/**
 * Returns whether the subscription that is current after the operation was current before. A customer may have a second
 * subscription with the same lines.
 */
function isSameSubscription({ operation, before, after, others }: Step): boolean {
  const { name, input } = operation
  if (lineRules[name] !== undefined) return true
  if (!haveSameLines(before, after) || others === undefined) return false
  return name !== 'delaySubscription' || after.next_billing_date === input['new_date']
}

/** Returns whether a discount grew with the order, as a general percentage does. */
function isProportional(before: CurrentSubscription, after: CurrentSubscription): boolean {
  const share = (order: CurrentSubscription) => (order.order_discount_total ?? 0) / (totalOf(order) || 1)
  return Math.abs(share(before) - share(after)) < 0.002
}

/** Returns the total price of the items. */
function totalOf({ items }: CurrentSubscription): number {
  return items.reduce((sum, { price, quantity }) => sum + price * quantity, 0)
}

/** Returns a difference in a subscription that became current, or that no longer exists. */
function findInOther(step: Step): Violation | undefined {
  const { operation, before, after, others } = step
  const { name } = operation
  if (lineRules[name] !== undefined || others === undefined) return undefined
  const known = haveSameLines(before, after) ? undefined : others.find((other) => haveSameLines(other, after))
  if (known !== undefined && !isDeepStrictEqual(known, after))
    return differ('FRAME-1', `${name} to keep the customer's other subscription`, after, known)
  const { next_billing_date: date } = after
  const ofDay = others.filter((other) => other.next_billing_date === date)
  const isReplaced = ofDay.length > 0 && !isSameSubscription(step) && known === undefined
  const lost = others.find((other) => other.next_billing_date < date) ?? (isReplaced ? ofDay[0] : undefined)
  if (lost === undefined) return undefined
  return {
    requirement: 'FRAME-1',
    expected: `${name} to keep the customer's other subscription, which is billed first: ${format(lost)}`,
    received: format(after),
  }
}

/** Returns whether two lists have the same elements, in any sequence. */
export function isSameList(one: unknown, other: unknown): boolean {
  const [first, second] = [one, other].map((list) =>
    Array.isArray(list) ? list.map((element) => JSON.stringify(element)).toSorted() : list,
  )
  return isDeepStrictEqual(first, second)
}

/**
 * Returns whether a change of lines leaves the other lines in sequence, and a swap its line in position.
 * Returns true if two lines are equal, since they cannot be distinguished, and for a change that can make a different
 * subscription current.
 */
export function keepsSequence(
  name: EndpointName,
  { items: before }: CurrentSubscription,
  { items: after }: CurrentSubscription,
): boolean {
  const hasEqualLines = [before, after].some((items) => new Set(items.map(keyOf)).size < items.length)
  if (lineRules[name] === undefined || hasEqualLines) return true
  const [gone, added] = [missingIn(before, after), missingIn(after, before)]
  const isSwapped = name === 'swapProduct' && gone.length === 1 && added.length === 1
  const kept = (items: readonly SubscriptionItem[], changed: readonly SubscriptionItem[]) =>
    items.flatMap((item) => (changed.includes(item) ? (isSwapped ? 'swapped' : []) : keyOf(item)))
  return isDeepStrictEqual(kept(before, gone), kept(after, added))
}

/** Returns the last known state of the customer's subscriptions that are not current after the operation. */
function knownOthers(step: Step): View['others'] {
  const { operation, before, after, others } = step
  const { name, input, isAccepted } = operation
  const isUnchanged = haveSameLines(before, after)
  // An undo may change a subscription that is no longer current.
  if (name === 'undoAddProduct' && isUnchanged) return others && []
  if (!isAccepted || isSameSubscription(step) || others === undefined) return others
  const left = others.filter((other) => !haveSameLines(other, after))
  const new_date = input['new_date']
  if (isUnchanged || left.some((other) => haveSameLines(other, before))) return undefined
  if (name === 'delaySubscription' && typeof new_date === 'string')
    return [...left, { ...before, next_billing_date: new_date }]
  return name === 'reactivateSubscription' ? [...left, before] : left
}

/** Returns the lines of `items` that `others` does not contain. Does not compare ids, since other checks verify them. */
function missingIn(items: readonly SubscriptionItem[], others: readonly SubscriptionItem[]) {
  const had = others.map(keyOf)
  return items.filter((item) => {
    const place = had.indexOf(keyOf(item))
    if (place !== -1) had.splice(place, 1)
    return place === -1
  })
}

function keyOf({ title, price, quantity, images }: SubscriptionItem): string {
  return JSON.stringify([title, price, quantity, images])
}

function unitsOf(items: readonly SubscriptionItem[]): number {
  return items.reduce((units, { quantity }) => units + quantity, 0)
}

function differ(
  requirement: Violation['requirement'],
  expected: string,
  received: unknown,
  before: unknown,
): Violation | undefined {
  if (isDeepStrictEqual(received, before)) return undefined
  return { requirement, expected: `${expected}: ${format(before)}`, received: format(received) }
}

function format(value: unknown): string {
  return JSON.stringify(value) ?? 'nothing'
}
