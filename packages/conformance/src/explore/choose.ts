import { addDays, type CurrentSubscription, isDate } from '@storeport/core'
import { type ActiveSubscription, codeKey, type Item, soonest, wireItemId } from '@storeport/rules'
import type { CheckContext } from '../engine/check.ts'
import type { Profile } from '../profile/profile.ts'
import type { Change, Expected, ModelShop } from './model.ts'
import { codes, type Step } from './steps.ts'

/** Data that a step can use. */
export interface Choices {
  readonly t: CheckContext
  readonly model: ModelShop
  /** Products and codes that the shop has rejected. Their limits are unknown. */
  readonly limited: ReadonlySet<string>
  /** Customers that were already delayed or reactivated. */
  readonly moved: ReadonlySet<string>
  /** Whether a delay may exceed the limit of days. The run cannot reverse a delay. */
  readonly isFree: boolean
  /** Whether the current subscription has swaps. The run can reverse them only while the subscription is current. */
  readonly hasSwaps: boolean
}

/** Chooses the request of a step for a customer; `undefined` if the step does not apply. */
export function resolve(
  step: Step,
  email: string,
  expected: Expected,
  current: CurrentSubscription | null,
  choices: Choices,
): Change | undefined {
  const { t } = choices
  const subscription = soonest(expected.account.subscriptions)
  const change = chooseChange(step, email, expected, subscription, current, choices)
  return change !== undefined && t.offered.includes(change.name) ? change : undefined
}

function chooseChange(
  step: Step,
  email: string,
  { account }: Expected,
  subscription: ActiveSubscription | undefined,
  current: CurrentSubscription | null,
  { t, model, limited, moved, isFree, hasSwaps }: Choices,
): Change | undefined {
  const { profile, today, farDates } = t
  const { kind, at, more } = step
  const code = codeOf(step, profile, limited)
  const terms = code === undefined ? undefined : model.shop.discount(code)
  const isInvalid = code !== undefined && terms === undefined
  // Only a change of the current subscription can be reversed.
  if (!farDates && hasSwaps && ['send', 'delay', 'reactivate'].includes(kind)) return undefined
  if (kind === 'reactivate') {
    const one = pick(
      account.subscriptions.filter(({ status }) => status === 'cancelled'),
      at,
    )
    if (one === undefined || (!farDates && !isInvalid && moved.has(`${email} reactivated`))) return undefined
    const input = { email, subscription_id: one.id }
    return { name: 'reactivateSubscription', input: withCode(input, code) }
  }
  const items = subscription?.items ?? []
  const itemsOf = (id: string) => items.filter(({ product_id }) => product_id === id)
  switch (kind) {
    case 'add': {
      const product = pick(
        model.products.filter(({ id }) => !limited.has(id) && !isUnclear(id, items, current?.items ?? [], model)),
        at,
      )
      if (product === undefined) return undefined
      const price = model.shop.product(product.id)?.price_minor
      // The percentage of an item with a special price is not specified.
      const hasListPrice = itemsOf(product.id).every(({ price_minor }) => price_minor === price)
      const input = { email, product_id: product.id, quantity: 1 + more, one_time: step.once }
      return { name: 'addProduct', input: withCode(input, hasListPrice || isInvalid ? code : undefined) }
    }
    case 'undo': {
      const product_id = pick([...new Set(account.adds.map((add) => add.product_id))], at)
      return product_id === undefined ? undefined : { name: 'undoAddProduct', input: { email, product_id } }
    }
    case 'notAdded': {
      const isAdded = (id: string) => account.adds.some(({ product_id }) => product_id === id)
      const product_id = pick(
        model.products.filter(({ id }) => !isAdded(id)),
        at,
      )?.id
      return product_id === undefined ? undefined : { name: 'undoAddProduct', input: { email, product_id } }
    }
  }
  if (subscription === undefined || current === null) return undefined
  const { next_billing_date } = subscription
  const hasListPrice = ({ product_id, price_minor }: Item) =>
    model.products.some(({ id }) => id === product_id) && model.shop.product(product_id)?.price_minor === price_minor
  switch (kind) {
    case 'sameProduct': {
      const item = pick(items.filter(hasListPrice), at)
      const line = item && lineOf(item, current, model)
      if (item === undefined || line === undefined) return undefined
      const input = { email, current_item_id: line, new_product_id: item.product_id }
      return { name: 'swapProduct', input: withCode(input, code), replaced: item }
    }
    case 'merge': {
      // A merge cannot be reversed.
      if (!farDates) return undefined
      const item = pick(items.filter(hasListPrice), at)
      const line = item && lineOf(item, current, model)
      const others = items.filter(
        (one) => one !== item && one.one_time === item?.one_time && hasListPrice(one) && !limited.has(one.product_id),
      )
      const other = pick(others, more)
      if (item === undefined || line === undefined || other === undefined) return undefined
      const input = { email, current_item_id: line, new_product_id: other.product_id }
      return { name: 'swapProduct', input, replaced: item }
    }
    case 'swap': {
      const isOpen = (item: Item) => account.adds.some(({ item_id }) => item_id === item.id)
      // Only a swap of an unchanged item to a new product can be reversed.
      const item = pick(
        items.filter((one) => hasListPrice(one) && (farDates || !isOpen(one))),
        at,
      )
      const target = pick(
        model.products.filter(
          ({ id }) => !limited.has(id) && itemsOf(id).length === 0 && !isUnclear(id, items, current.items, model),
        ),
        more,
      )
      const line = item && lineOf(item, current, model)
      if (item === undefined || line === undefined || target === undefined) return undefined
      // The reverse swap may keep the discount of the code.
      return {
        name: 'swapProduct',
        input: withCode(
          { email, current_item_id: line, new_product_id: target.id },
          farDates || isInvalid ? code : undefined,
        ),
        replaced: item,
      }
    }
    case 'send': {
      const isKept = account.adds.some((add) => !items.some((item) => item.id === add.item_id && item.one_time))
      // An addition cannot be undone after its order.
      return !farDates && isKept ? undefined : { name: 'sendNow', input: { email } }
    }
    case 'delay': {
      if (!farDates && moved.has(`${email} delayed`)) return undefined
      const days = farDates ? (more + 1) * (at + 1) : 1
      return { name: 'delaySubscription', input: { email, new_date: addDays(next_billing_date, days) } }
    }
    case 'farDate': {
      if (!isFree || hasSwaps) return undefined
      const known = account.subscriptions.map((one) => one.next_billing_date)
      const dates = specialDates(next_billing_date, addDays(today, 3 * 366)).filter((date) => !known.includes(date))
      const new_date = pick(dates.slice(0, 6), at)
      return new_date === undefined ? undefined : { name: 'delaySubscription', input: { email, new_date } }
    }
  }
}

/**
 * Returns the dates between two dates on which shops make mistakes: summer and winter time, the days on which the
 * calendar year differs from the year of the ISO week, and ends of months.
 */
function specialDates(after: string, until: string): readonly string[] {
  const first = Number(after.slice(0, 4))
  return Array.from({ length: 4 }, (_, more) => first + more)
    .flatMap((year) => days.map((day) => `${year}-${day}`))
    .filter((date) => date > after && date <= until && isDate(date))
}

const days = ['01-01', '02-28', '02-29', '03-31', '04-15', '06-30', '10-31', '11-15', '12-30', '12-31']

/** Returns the code of a step; `undefined` if the profile has no such code, or if the shop limits its use. */
function codeOf({ code }: Step, { discounts }: Profile, limited: ReadonlySet<string>): string | undefined {
  const kind = codes[code]
  if (kind === undefined) return undefined
  const found = discounts[kind]
  const text = typeof found === 'object' ? found.code : found
  if (text === undefined || limited.has(codeKey(text))) return undefined
  return typeof found === 'object' && code === codes.lastIndexOf(kind) ? text.toLowerCase() : text
}

function withCode<Input extends object>(input: Input, discount_code: string | undefined) {
  return discount_code === undefined ? input : { ...input, discount_code }
}

/**
 * Returns whether the items with the title of a product are not clearly this product. Such an item could be recurring
 * or one-time.
 */
export function isUnclear(
  product: string,
  items: readonly Item[],
  visible: CurrentSubscription['items'],
  { shop, products }: ModelShop,
): boolean {
  const title = shop.product(product)?.title
  const seen = visible.filter((item) => item.title === title)
  const clear = items.filter(
    ({ product_id }) => shop.product(product_id)?.title === title && products.some(({ id }) => id === product_id),
  )
  return seen.length !== clear.length
}

/** Returns the visible id of an item; `undefined` if several visible items could be the item. */
export function lineOf(item: Item, current: CurrentSubscription, { shop }: ModelShop): string | undefined {
  const title = shop.product(item.product_id)?.title
  const lines = current.items.filter((line) => line.title === title)
  return lines.find(({ id }) => id === wireItemId(item))?.id ?? (lines.length === 1 ? lines[0]?.id : undefined)
}

function pick<One>(all: readonly One[], at: number): One | undefined {
  return all[at % Math.max(1, all.length)]
}
