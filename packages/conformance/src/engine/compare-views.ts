import type { CurrentSubscription, EndpointName, SubscriptionItem } from '@storeport/core'
import { isDeepStrictEqual } from 'node:util'
import { haveSameLines, type View } from './changes.ts'
import type { FailureDetails, NamedCall } from './check.ts'
import { formatValue } from './expectations.ts'

/** A change that an operation must not make. */
export type Violation = Pick<FailureDetails, 'requirement' | 'expected' | 'received' | 'reply'>

/** A change of one customer. */
interface Operation extends NamedCall {
  /** Whether the shop accepted the change. An accepted repeat may have no effect. */
  readonly isAccepted: boolean
  /** Whether the run used a discount code of this customer, which an undo may release. */
  readonly hasCode: boolean
}

/**
 * Compares a customer's data before and after an operation. Returns the first difference that the operation must not
 * cause.
 *
 * Accepts every effect that the operation may have, since other checks verify the effect itself.
 */
export function compareViews(operation: Operation, before: View, after: View): Violation | undefined {
  const { name, input, isAccepted } = operation
  if (!isAccepted) return differ('STATE-2', `a rejected ${name} to change nothing`, after, before)
  if (name === 'runCustomAction') return differ('FRAME-3', 'the custom action to change no subscription', after, before)

  const [remaining, listed] = [after, before].map(({ cancelled }) =>
    cancelled.filter((one) => name !== 'reactivateSubscription' || one.subscription_id !== input['subscription_id']),
  )
  const requirement = isSameList(remaining, listed) ? 'CANCELLED-3' : 'FRAME-1'
  const inList = differ(requirement, `${name} to keep the other cancelled subscriptions`, remaining, listed)
  if (inList !== undefined) return inList
  if (before.current !== null && after.current !== null)
    return (
      findInLines(operation, before.current, after.current) ?? findInOrder(operation, before.current, after.current)
    )
  if (before.current !== null)
    return { requirement: 'FRAME-1', expected: `${name} to keep the subscription active`, received: 'none' }
  if (after.current === null || name === 'reactivateSubscription') return undefined
  return { requirement: 'FRAME-1', expected: `${name} to start no subscription`, received: formatValue(after.current) }
}

type Find = (operation: Operation, before: CurrentSubscription, after: CurrentSubscription) => Violation | undefined

/** Compares the lines and returns a difference that the operation must not cause. */
const findInLines: Find = ({ name, input }, before, after) => {
  const gone = missingIn(before.items, after.items)
  const added = missingIn(after.items, before.items)
  const rule = lineRules[name]
  const holds = rule === undefined || gone.length + added.length === 0 || rule.holds(gone, added, input)
  if (rule === undefined || (holds && keepsSequence(name, before, after))) return undefined
  return {
    requirement: !holds ? 'FRAME-1' : name === 'swapProduct' ? 'SWAP-2' : 'ITEM-4',
    expected: holds ? `${name} to keep the sequence of the lines` : `${name} to change ${rule.effect}`,
    received: `${formatValue(after.items)} instead of ${formatValue(before.items)}`,
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

/** Allowed changes of lines. Another operation can make a different subscription current. */
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
      lines.length === 0 &&
      gone.length <= 2 &&
      gone.reduce((units, { quantity }) => units + quantity, 0) === line?.quantity,
  },
}

/** Returns a difference in the date, shipping, discount or tax of a subscription that is still current. */
const findInOrder: Find = ({ name, input, hasCode }, before, after) => {
  const hasRule = lineRules[name] !== undefined
  const isMoved = name === 'delaySubscription' && after.next_billing_date === input['new_date']
  if (!hasRule && !(isMoved && haveSameLines(before, after))) return undefined
  const keeps = (what: string) => `${name} to keep ${what} of the next order`
  const [now, then] = [after.order_discount_total ?? 0, before.order_discount_total ?? 0]
  const mayGrow = input['discount_code'] !== undefined && input['discount_code'] !== null
  const mayFall = name === 'undoAddProduct' ? hasCode : name === 'swapProduct'
  // A general percentage grows with the order. The code of a swapped item can apply to the higher price.
  const isFollowed =
    Math.abs(now / (totalOf(after) || 1) - then / (totalOf(before) || 1)) < 0.002 ||
    (name === 'swapProduct' && then > 0 && now - then <= totalOf(after) - totalOf(before))
  return (
    (hasRule
      ? differ('FRAME-1', `${name} to keep the date`, after.next_billing_date, before.next_billing_date)
      : undefined) ??
    differ('FRAME-2', keeps('the tax rate'), after.customer_tax_rate, before.customer_tax_rate) ??
    (haveSameLines(before, after)
      ? differ('FRAME-2', keeps('the shipping cost'), after.shipping_total_cost, before.shipping_total_cost)
      : undefined) ??
    ((now > then && mayGrow) || (now < then && mayFall) || isFollowed
      ? undefined
      : differ('FRAME-2', keeps('the discount'), now, then))
  )
}

/** Returns the total price of the items. */
function totalOf({ items }: CurrentSubscription): number {
  return items.reduce((sum, { price, quantity }) => sum + price * quantity, 0)
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

/** Returns the lines of `items` that `others` does not contain. Does not compare ids, since other checks verify them. */
export function missingIn(
  items: readonly SubscriptionItem[],
  others: readonly SubscriptionItem[],
  contentOf = keyOf,
): readonly SubscriptionItem[] {
  const had = others.map(contentOf)
  return items.filter((item) => {
    const place = had.indexOf(contentOf(item))
    if (place !== -1) had.splice(place, 1)
    return place === -1
  })
}

function keyOf({ title, price, quantity, images }: SubscriptionItem): string {
  return JSON.stringify([title, price, quantity, images])
}

function differ(
  requirement: Violation['requirement'],
  expected: string,
  received: unknown,
  before: unknown,
): Violation | undefined {
  if (isDeepStrictEqual(received, before)) return undefined
  return { requirement, expected: `${expected}: ${formatValue(before)}`, received: formatValue(received) }
}
