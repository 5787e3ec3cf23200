import { addDays, type CurrentSubscription } from '@storeport/core'
import { type ActiveSubscription, codeKey, type DiscountTerms, type Item, soonest, wireItemId } from '@storeport/rules'
import fc from 'fast-check'
import type { CheckContext } from '../engine/check.ts'
import type { Profile } from '../profile/profile.ts'
import type { Learned } from './compare.ts'
import type { Change, Expected, ModelShop } from './model.ts'

/**
 * A step of a random sequence. It does not name ids or dates, so that it applies to any shop and to any state of the
 * customer. `resolve` chooses them. Zeros are the simplest choice, because shrinking leads to zeros.
 */
export interface Step {
  readonly kind: StepKind
  /** The first or the second customer of the sequence. */
  readonly who: number
  /** Place of the product, the item or the earlier request. */
  readonly at: number
  /** Additional units of an addition, or additional days of a delay. */
  readonly more: number
  /** Place of the code in `codes`. */
  readonly code: number
  /** Whether an addition applies only to the next order. */
  readonly once: boolean
  /** How the request is sent. */
  readonly form: Form
}

/**
 * `once`: with its own `Idempotency-Key`. `again`: then again with the same key. `bare`: twice without a key.
 * `together`: twice at the same time with the same key.
 */
export type Form = 'once' | 'again' | 'bare' | 'together'

const kinds = {
  add: 8,
  undo: 6,
  swap: 4,
  send: 2,
  delay: 2,
  reactivate: 2,
  action: 1,
  keepDate: 1,
  earlier: 1,
  unknownProduct: 1,
} as const

/** Kind of a step. The last two kinds are requests that the shop must reject. */
type StepKind = keyof typeof kinds

/** Codes of additions, swaps and reactivations. Each occurs as often as in this list. */
export const codes = [
  ...Array.from({ length: 5 }, () => undefined),
  ...Array.from({ length: 3 }, () => ['percentage', 'fixed'] as const).flat(),
  'unknown',
  'expired',
] as const

/** Maximum number of steps of a sequence. */
const maxSteps = 12

/** Random sequences for one of several pairs of customers. */
export function anySequence(hasRepeats: boolean) {
  const repeats: fc.Arbitrary<Form> = fc.constantFrom('once', 'again', 'bare', 'together')
  const step: fc.Arbitrary<Step> = fc.record({
    kind: fc
      .oneof(...Object.entries(kinds).map(([kind, weight]) => ({ weight, arbitrary: fc.constant(kind) })))
      .map(toKind),
    who: fc.nat({ max: 1 }),
    at: fc.nat({ max: 5 }),
    more: fc.nat({ max: 2 }),
    code: fc.nat({ max: codes.length - 1 }),
    once: fc.boolean(),
    form: hasRepeats ? repeats : fc.constant('once'),
  })
  const steps = fc.array(step, { minLength: 1, maxLength: maxSteps, size: 'max' })
  return fc.record({ pair: fc.nat({ max: 2 }), steps })
}

function toKind(kind: string): StepKind {
  // oxlint-disable-next-line typescript/consistent-type-assertions -- the kinds are the keys of the table
  return kind as StepKind
}

/** Data that a step can use. */
export interface Choices {
  readonly t: CheckContext
  readonly model: ModelShop
  /** Products and codes that the shop has rejected. Their limits are unknown. */
  readonly limited: ReadonlySet<string>
  /** Customers that were already delayed or reactivated, or had a code on a swap. */
  readonly moved: ReadonlySet<string>
  readonly learned: Learned
  /** Whether a swap of the customer must be reversed before another subscription becomes current. */
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
  { t, model, limited, moved, learned, hasSwaps }: Choices,
): Change | undefined {
  const { profile, today, farDates } = t
  const { kind, at, more } = step
  const code = codeOf(step, profile, limited)
  const terms = code === undefined ? undefined : model.shop.discount(code)
  const isInvalid = code !== undefined && terms === undefined
  // Only a change of the current subscription can be reversed.
  if (!farDates && hasSwaps && ['send', 'delay', 'reactivate'].includes(kind)) return undefined
  if (kind === 'action') {
    const action_id = profile.actions.known
    return action_id === undefined ? undefined : { name: 'runCustomAction', input: { email, action_id } }
  }
  if (kind === 'reactivate') {
    const one = pick(
      account.subscriptions.filter(({ status }) => status === 'cancelled'),
      at,
    )
    if (one === undefined || (!farDates && !isInvalid && moved.has(`${email} reactivated`))) return undefined
    const input = { email, subscription_id: one.id }
    return { name: 'reactivateSubscription', input: withCode(input, code) }
  }
  if (subscription === undefined || current === null) return undefined
  const { next_billing_date, items } = subscription
  const itemsOf = (id: string) => items.filter(({ product_id }) => product_id === id)
  switch (kind) {
    case 'add': {
      const product = pick(
        model.products.filter(({ id, title }) => !limited.has(id) && !isUnclear(title, items, current, model)),
        at,
      )
      if (product === undefined) return undefined
      const price = model.shop.product(product.id)?.price_minor
      // The percentage of an item with a special price is not specified.
      const hasListPrice = itemsOf(product.id).every(({ price_minor }) => price_minor === price)
      const input = { email, product_id: product.id, quantity: 1 + more, one_time: step.once }
      return { name: 'addProduct', input: withCode(input, hasListPrice || isInvalid ? code : undefined) }
    }
    case 'unknownProduct':
      return {
        name: 'addProduct',
        input: { email, product_id: profile.products.unknown, quantity: 1, one_time: false },
      }
    case 'undo': {
      const product_id = pick([...new Set(account.adds.map((add) => add.product_id))], at)
      return product_id === undefined ? undefined : { name: 'undoAddProduct', input: { email, product_id } }
    }
    case 'swap': {
      const isOpen = (item: Item) => account.adds.some(({ item_id }) => item_id === item.id)
      const hasListPrice = ({ product_id, price_minor }: Item) =>
        model.products.some(({ id }) => id === product_id) &&
        model.shop.product(product_id)?.price_minor === price_minor
      // Only a swap of an unchanged item to a new product can be reversed.
      const item = pick(
        items.filter((one) => hasListPrice(one) && !isOpen(one)),
        at,
      )
      const target = pick(
        model.products.filter(({ id }) => !limited.has(id) && itemsOf(id).length === 0),
        more,
      )
      const line = item && lineOf(item, current, model)
      if (item === undefined || line === undefined || target === undefined) return undefined
      const isReversible = terms !== undefined && isRemovedBySwap(terms.kind, `${email} discounted`, moved, learned)
      return {
        name: 'swapProduct',
        input: withCode(
          { email, current_item_id: line, new_product_id: target.id },
          farDates || isInvalid || isReversible ? code : undefined,
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
    case 'keepDate':
      return { name: 'delaySubscription', input: { email, new_date: next_billing_date } }
    case 'earlier': {
      const new_date = addDays(next_billing_date, -1)
      return new_date <= today ? undefined : { name: 'delaySubscription', input: { email, new_date } }
    }
  }
}

/** Returns the code of a step; `undefined` if the profile has no such code, or if the shop limits its use. */
function codeOf({ code }: Step, { discounts }: Profile, limited: ReadonlySet<string>): string | undefined {
  const kind = codes[code]
  if (kind === undefined) return undefined
  const found = discounts[kind]
  const text = typeof found === 'object' ? found.code : found
  return text === undefined || limited.has(codeKey(text)) ? undefined : text
}

function withCode<Input extends object>(input: Input, discount_code: string | undefined) {
  return discount_code === undefined ? input : { ...input, discount_code }
}

/**
 * Returns whether the reverse swap removes the discount of a code on a swap. Before the first swap with a percentage,
 * this is unknown and therefore assumed.
 */
function isRemovedBySwap(
  kind: DiscountTerms['kind'],
  customer: string,
  moved: ReadonlySet<string>,
  { ways }: Learned,
): boolean {
  if (kind === 'fixed_amount') return ways.every(({ removes }) => removes === 'all')
  return !moved.has(customer) || ways.every(({ removes }) => removes !== 'none')
}

/**
 * Returns whether the items with a title are not clearly the product with this title. Such an item could be recurring
 * or one-time.
 */
function isUnclear(
  title: string,
  items: readonly Item[],
  current: CurrentSubscription,
  { shop, products }: ModelShop,
): boolean {
  const seen = current.items.filter((item) => item.title === title)
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
