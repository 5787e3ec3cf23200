import {
  type AddProductInput,
  type CurrentSubscription,
  type CustomerInput,
  type DelaySubscriptionInput,
  type ErrorCode,
  minorUnitDigits,
  type Product,
  type ReactivateSubscriptionInput,
  StoreError,
  type SwapProductInput,
  type UndoAddProductInput,
} from '@storeport/core'
import {
  type ActiveSubscription,
  addProduct,
  type CatalogueProduct,
  codeKey,
  type CustomerAccount,
  delaySubscription,
  type DiscountTerms,
  fromProduct,
  type Item,
  reactivateSubscription,
  readShopOptions,
  sendNow,
  type Shop,
  soonest,
  swapProduct,
  toMinor,
  undoAddProduct,
  wireItemId,
} from '@storeport/rules'
import type { View } from '../engine/changes.ts'
import type { Profile } from '../profile/profile.ts'

/** A change of one customer. */
export type Change =
  | { readonly name: 'addProduct'; readonly input: AddProductInput & { quantity: number; one_time: boolean } }
  // The visible id of the replaced item is not always its id in the model.
  | { readonly name: 'swapProduct'; readonly input: SwapProductInput; readonly replaced: Item }
  | { readonly name: 'undoAddProduct'; readonly input: UndoAddProductInput }
  | { readonly name: 'delaySubscription'; readonly input: DelaySubscriptionInput }
  | { readonly name: 'sendNow'; readonly input: CustomerInput }
  | { readonly name: 'reactivateSubscription'; readonly input: ReactivateSubscriptionInput }

/** A date after every real date, for a subscription whose next billing date is unknown. */
export const unknownDate = '9999-12-31'

/** A customer of a sequence. */
export interface Customer {
  readonly email: string
  expected: Expected
  seen: View
  /** Accepted swaps that were not reversed, oldest first. */
  swaps: { readonly from: string; readonly to: string }[]
  /** Whether the exploration delayed the customer. The run cannot reverse a delay. */
  isDelayed?: boolean
  /** Whether the exploration reactivated a subscription, which the run cannot reverse. */
  isReactivated?: boolean
}

/** Expected state of one customer. Immutable, so that a prediction can be compared before it is accepted. */
export interface Expected {
  readonly account: CustomerAccount
  /** Number of changes with a percentage code, by subscription. Some shops round the discount of each change. */
  readonly coded: ReadonlyMap<string, number>
  /** Discount and total of the items at the first observation of each subscription, in minor units. */
  readonly bases: ReadonlyMap<string, Base>
  /**
   * Subscriptions whose discount is learned from the next observation: subscriptions that were not current, and
   * subscriptions whose order was sent. An order can also use up discounts that the customer had before the
   * exploration.
   */
  readonly unseen: ReadonlySet<string>
  /** Subscriptions with a swap of an item to which a percentage applied. */
  readonly swapped: ReadonlySet<string>
  /** Whether the discounts can contain codes of earlier sequences, and are therefore not compared. */
  readonly hasEarlierCodes: boolean
  /** First observed tax rate, shipping cost and images of each subscription, as JSON. */
  readonly facts: ReadonlyMap<string, string>
}

/** Discount and total of a subscription's items, in minor units. */
export interface Base {
  readonly discount: number
  readonly total: number
}

/** The shop's data, as the API and the profile show it. */
export interface ModelShop {
  readonly shop: Shop
  /** Products that can be ordered, from the general list. */
  readonly products: readonly Product[]
  readonly digits: number
  /** Makes products of items known that the general list does not contain. */
  know(product: CatalogueProduct): void
}

/** Creates the shop of the model from the product list and the codes of the profile. */
export function createModelShop(products: readonly Product[], profile: Profile, today: string): ModelShop {
  const { currency, maxQuantity, discounts } = profile
  const digits = minorUnitDigits(currency)
  const known = new Map(products.map((one) => [one.id, toCatalogue(one, digits)]))
  const terms = [discounts.percentage, discounts.fixed].flatMap((worth) =>
    worth === undefined ? [] : [toTerms(worth.code, worth.discount, digits)],
  )
  const shop = readShopOptions({ today, currency, maxQuantity }).createShop({
    product: (id) => known.get(id),
    offered: () => [...known.values()],
    discount: (code) => terms.find((one) => codeKey(one.code) === codeKey(code)),
  })
  return { shop, products, digits, know: (product) => void known.set(product.id, product) }
}

type Worth = NonNullable<Profile['discounts']['fixed']>['discount']

function toTerms(code: string, discount: Worth, digits: number): DiscountTerms {
  const limits = { code, expires_on: null, max_uses: null, uses: 0 }
  return discount.discount_type === 'percentage'
    ? { ...limits, kind: 'percentage', percentage: discount.discount_percentage }
    : { ...limits, kind: 'fixed_amount', amount_minor: toMinor(discount.discount_amount, digits) }
}

/** Returns a product that can be ordered. The prediction does not use its images or its description. */
function toCatalogue({ id, title, price }: Pick<Product, 'id' | 'title' | 'price'>, digits: number): CatalogueProduct {
  return { ...fromProduct({ id, title, price, images: [] }, digits), available: true }
}

/** Creates the expected state of a customer from the visible data. */
export function expectFrom(email: string, seen: View, model: ModelShop, wasSentToday: boolean): Expected {
  const account: CustomerAccount = {
    email,
    subscriptions: seen.cancelled.map((one) => ({
      ...emptyTerms(one.subscription_id),
      title: one.title,
      status: 'cancelled',
      next_billing_date: null,
      cancelled_on: model.shop.today,
      items: toItems(one.subscription_id, one.products, model),
    })),
    adds: [],
    discount_uses: [],
    orders: [],
    last_sent_on: wasSentToday ? model.shop.today : null,
    last_sent_at: null,
    recommended: [],
  }
  const unseen = new Set(seen.cancelled.map(({ subscription_id }) => subscription_id))
  const empty = { coded: new Map(), bases: new Map(), swapped: new Set<string>(), facts: new Map<string, string>() }
  const none: Expected = { account, ...empty, unseen, hasEarlierCodes: false }
  return seen.current === null ? none : reveal(none, seen.current, model)
}

function emptyTerms(id: string) {
  return {
    id,
    title: '',
    interval: { unit: 'day', count: 1 },
    anchor_day: null,
    skipped: [],
    shipping_minor: 0,
    order_discount_minor: 0,
    tax_rate: 0,
  } as const
}

/** Adds the current subscription to the expected state. The subscription was not visible before. */
export function reveal(expected: Expected, current: CurrentSubscription, model: ModelShop): Expected {
  const { account, bases, unseen } = expected
  const id = `known_${account.subscriptions.length}`
  const items = toItems(id, current.items, model)
  const active: ActiveSubscription = {
    ...emptyTerms(id),
    status: 'active',
    next_billing_date: current.next_billing_date,
    cancelled_on: null,
    items,
  }
  const base = { discount: discountOf(current, model), total: totalOf(items) }
  const facts = new Map(expected.facts)
  for (const { key, value } of factsOf(id, current)) facts.set(key, value)
  const known = { ...expected, facts, account: { ...account, subscriptions: [...account.subscriptions, active] } }
  // The shop may have limited the discount to the total.
  return base.discount > 0 && base.discount >= base.total
    ? { ...known, unseen: new Set(unseen).add(id) }
    : { ...known, bases: new Map(bases).set(id, base) }
}

/** Data of an order that only its lines can change. */
export interface Fact {
  readonly part: 'tax' | 'shipping' | 'images'
  /** The subscription, and the lines or the product, on which the value depends. */
  readonly key: string
  /** The value as JSON. */
  readonly value: string
}

/** Returns the tax rate, the shipping cost and the images of a visible subscription. */
export function factsOf(
  id: string,
  { customer_tax_rate, shipping_total_cost, order_discount_total, items }: CurrentSubscription,
): readonly Fact[] {
  const lines = items.map(({ title, price, quantity }) => [title, price, quantity])
  const facts: readonly (readonly [Fact['part'], unknown, unknown])[] = [
    ['tax', '', customer_tax_rate ?? 0],
    ['shipping', [...lines, order_discount_total ?? 0], shipping_total_cost ?? 0],
    ...items.map(({ title, images }) => ['images', title, images ?? []] as const),
  ]
  return facts.map(([part, of, value]) => ({
    part,
    key: JSON.stringify([id, part, of]),
    value: JSON.stringify(value),
  }))
}

/** Converts visible items. An item that is not clearly one listed product gets its own product. */
function toItems(subscription: string, items: CurrentSubscription['items'], model: ModelShop): readonly Item[] {
  return items.map(({ id, title, price, quantity }, place) => {
    const product = productOf({ id, title }, items, model.products)
    const one_time = id.endsWith(onceSuffix)
    const product_id = product?.id ?? `${id} at ${place}`
    if (product === undefined) model.know(toCatalogue({ id: product_id, title, price }, model.digits))
    return {
      id: `${subscription} ${place} ${id}`,
      product_id,
      quantity,
      price_minor: toMinor(price, model.digits),
      one_time,
    }
  })
}

/** End of the id of a one-time item. A shop may use other ids. */
const onceSuffix = '~once'

/**
 * Returns the listed product of an item; `undefined` if the item has its own id, since such an item may be recurring or
 * one-time.
 */
function productOf(
  { id, title }: { readonly id: string; readonly title: string },
  items: CurrentSubscription['items'],
  products: readonly Product[],
): Product | undefined {
  const isRepeated = items.filter((item) => item.id === id).length > 1
  return isRepeated
    ? undefined
    : products.find((one) => one.title === title && (one.id === id || one.id + onceSuffix === id))
}

/** Predicts with the rules whether the shop accepts a change, the code of a rejection, and the state after the change. */
export function predict(
  expected: Expected,
  change: Change,
  model: ModelShop,
): { readonly isAccepted: boolean; readonly code?: ErrorCode; readonly after: Expected } {
  try {
    return { isAccepted: true, after: apply(expected, change, model.shop) }
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
    return { isAccepted: false, code: error.code, after: expected }
  }
}

function apply(expected: Expected, change: Change, shop: Shop): Expected {
  const { account, swapped, coded } = expected
  const { name, input } = change
  const current = soonest(account.subscriptions)?.id ?? ''
  const isPercentage = shop.discount(codeOf(change) ?? '')?.kind === 'percentage'
  /** Returns the state after a change that can use a code for the order of a subscription. */
  const withCode = (after: CustomerAccount, id = current): Expected => {
    const more = isPercentage ? 1 : 0
    return { ...expected, account: after, coded: new Map(coded).set(id, (coded.get(id) ?? 0) + more) }
  }
  switch (name) {
    case 'addProduct':
      return withCode(addProduct(account, input, shop))
    case 'undoAddProduct':
      return { ...expected, account: undoAddProduct(account, input, shop) }
    case 'swapProduct': {
      const { replaced } = change
      const after = withCode(swapProduct(account, { ...input, current_item_id: wireItemId(replaced) }, shop))
      const isReduced = account.discount_uses.some(
        ({ kind, items }) => kind === 'percentage' && items.some(({ item_id }) => item_id === replaced.id),
      )
      return isReduced ? { ...after, swapped: new Set(swapped).add(current) } : after
    }
    case 'delaySubscription':
      return { ...expected, account: delaySubscription(account, input, shop) }
    case 'reactivateSubscription':
      return withCode(reactivateSubscription(account, input, shop), input.subscription_id)
    case 'sendNow': {
      const after = sendNow(account, input, shop)
      const subscriptions = after.subscriptions.map((one) =>
        one.id === current && one.status === 'active' ? { ...one, next_billing_date: unknownDate } : one,
      )
      const others = new Set([...swapped].filter((id) => id !== current))
      const unseen = new Set(expected.unseen).add(current)
      const none = new Map(coded).set(current, 0)
      return { ...expected, account: { ...after, subscriptions }, unseen, swapped: others, coded: none }
    }
  }
}

/** Returns the discount code of a change. */
export function codeOf({ input }: Change): string | undefined {
  return 'discount_code' in input ? input.discount_code : undefined
}

/** Returns the discount of an order, in minor units. */
export function discountOf({ order_discount_total = 0 }: CurrentSubscription, { digits }: ModelShop): number {
  return toMinor(order_discount_total, digits)
}

/** Returns the total of items, in minor units. */
export function totalOf(items: readonly Pick<Item, 'quantity' | 'price_minor'>[]): number {
  return items.reduce((sum, { quantity, price_minor }) => sum + quantity * price_minor, 0)
}
