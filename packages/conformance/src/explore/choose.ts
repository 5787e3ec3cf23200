import { addDays } from '@storeport/core'
import { codeKey, type Item, soonest, wireItemId } from '@storeport/rules'
import type { View } from '../engine/changes.ts'
import type { CheckContext } from '../engine/check.ts'
import type { Change, Customer, ModelShop } from './model.ts'
import { codes, type Step } from './steps.ts'

/** Data that a step can use. */
export interface Choices {
  readonly t: Pick<CheckContext, 'profile' | 'farDates' | 'offered'>
  readonly model: ModelShop
  /** Products and codes that the shop has rejected. Their limits are unknown. */
  readonly limited: ReadonlySet<string>
}

/** Chooses the request of a step for a customer; `undefined` if the step does not apply. */
export function resolve(step: Step, customer: Customer, choices: Choices): Change | undefined {
  const change = chooseChange(step, customer, choices)
  return change !== undefined && choices.t.offered.includes(change.name) ? change : undefined
}

function chooseChange(
  { kind, at, more, once, code: place }: Step,
  { email, expected, seen, swaps, isDelayed = false, isReactivated = false }: Customer,
  { t: { farDates, profile }, model, limited }: Choices,
): Change | undefined {
  // Only a change of the current subscription can be reversed.
  if (!farDates && swaps.length > 0 && ['send', 'delay', 'reactivate'].includes(kind)) return undefined
  const { subscriptions, adds } = expected.account
  const subscription = soonest(subscriptions)
  const items = subscription?.items ?? []
  const products = model.products.filter(({ id }) => !limited.has(id))
  const itemsOf = (id: string) => items.filter(({ product_id }) => product_id === id)
  const hasListPrice = ({ product_id, price_minor }: Item) =>
    model.products.some(({ id }) => id === product_id) && model.shop.product(product_id)?.price_minor === price_minor
  const code = codeOf(place, profile, limited)
  const isInvalid = code !== undefined && model.shop.discount(code) === undefined
  const withCode = <Input extends object>(input: Input, isAllowed: boolean) =>
    code !== undefined && (isAllowed || isInvalid) ? { ...input, discount_code: code } : input
  switch (kind) {
    case 'reactivate': {
      const cancelled = pick(
        subscriptions.filter(({ status }) => status === 'cancelled'),
        at,
      )
      if (cancelled === undefined || (!farDates && !isInvalid && isReactivated)) return undefined
      return { name: 'reactivateSubscription', input: withCode({ email, subscription_id: cancelled.id }, true) }
    }
    case 'add': {
      const product = pick(
        products.filter(({ id }) => isClear(id, items, seen, model)),
        at,
      )
      if (product === undefined) return undefined
      const input = { email, product_id: product.id, quantity: 1 + more, one_time: once }
      // The percentage of an item with a special price is not specified.
      return { name: 'addProduct', input: withCode(input, itemsOf(product.id).every(hasListPrice)) }
    }
    case 'undo':
    case 'notAdded': {
      const added = [...new Set(adds.map(({ product_id }) => product_id))]
      const others = model.products.map(({ id }) => id).filter((id) => !added.includes(id))
      const product_id = pick(kind === 'undo' ? added : others, at)
      return product_id === undefined ? undefined : { name: 'undoAddProduct', input: { email, product_id } }
    }
    case 'swap': {
      // Only a swap of an unchanged item to a new product can be reversed. The reverse swap may keep the discount of a code.
      const isOpen = (item: Item) => adds.some(({ item_id }) => item_id === item.id)
      const replaced = pick(
        items.filter((item) => hasListPrice(item) && (farDates || !isOpen(item))),
        at,
      )
      const mayShare = (item: Item) => farDates && item !== replaced && hasListPrice(item)
      const target = pick(
        products.filter(({ id }) => itemsOf(id).every(mayShare) && isClear(id, items, seen, model)),
        more,
      )
      const line = replaced && lineOf(replaced, seen, model)
      if (replaced === undefined || line === undefined || target === undefined) return undefined
      const input = { email, current_item_id: line, new_product_id: target.id }
      return { name: 'swapProduct', input: withCode(input, farDates), replaced }
    }
    case 'send': {
      const isKept = adds.some((add) => !items.some((item) => item.id === add.item_id && item.one_time))
      // An addition cannot be undone after its order.
      return subscription === undefined || (!farDates && isKept) ? undefined : { name: 'sendNow', input: { email } }
    }
    case 'delay': {
      if (subscription === undefined || (!farDates && isDelayed)) return undefined
      const new_date = addDays(subscription.next_billing_date, farDates ? (more + 1) * (at + 1) : 1)
      return { name: 'delaySubscription', input: { email, new_date } }
    }
  }
}

/** Returns the code at a place of `codes`; `undefined` if the profile has no such code, or if the shop limits its use. */
function codeOf(
  place: number,
  { discounts }: CheckContext['profile'],
  limited: ReadonlySet<string>,
): string | undefined {
  const kind = codes[place]
  if (kind === undefined) return undefined
  const found = discounts[kind]
  const text = typeof found === 'object' ? found.code : found
  if (text === undefined || limited.has(codeKey(text))) return undefined
  return typeof found === 'object' && place === codes.lastIndexOf(kind) ? text.toLowerCase() : text
}

/**
 * Returns whether all items with the title of a product are clearly this product. Another item could be recurring or
 * one-time, so a change could merge with it.
 */
export function isClear(id: string, items: readonly Item[], { current }: View, { shop, products }: ModelShop): boolean {
  const titleOf = (product: string) => shop.product(product)?.title
  const seen = current?.items.filter(({ title }) => title === titleOf(id)) ?? []
  const clear = items.filter(
    ({ product_id }) => titleOf(product_id) === titleOf(id) && products.some((one) => one.id === product_id),
  )
  return seen.length === clear.length
}

/** Returns the visible id of an item; `undefined` if several visible items could be the item. */
export function lineOf(item: Item, { current }: View, { shop }: ModelShop): string | undefined {
  const title = shop.product(item.product_id)?.title
  const lines = current?.items.filter((line) => line.title === title) ?? []
  return lines.find(({ id }) => id === wireItemId(item))?.id ?? (lines.length === 1 ? lines[0]?.id : undefined)
}

function pick<One>(all: readonly One[], at: number): One | undefined {
  return all[at % Math.max(1, all.length)]
}
