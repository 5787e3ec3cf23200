import { addDays, type CurrentSubscription } from '@storeport/core'
import { type ActiveSubscription, codeKey, type Item, soonest, wireItemId } from '@storeport/rules'
import fc from 'fast-check'
import type { CheckContext } from '../engine/check.ts'
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
  /** No code, a percentage or a fixed amount. */
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
  reactivate: 1,
  action: 1,
  keepDate: 1,
  earlier: 1,
  unknownProduct: 1,
  unknownCode: 1,
} as const

/** Kind of a step. The last three kinds are requests that the shop must reject. */
type StepKind = keyof typeof kinds

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
    code: fc.nat({ max: 2 }),
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
  /** Customers that were already delayed or reactivated. */
  readonly moved: ReadonlySet<string>
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
  { t, model, limited, moved, hasSwaps }: Choices,
): Change | undefined {
  const { profile, today, farDates } = t
  const { kind, at, more } = step
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
    if (one === undefined || (!farDates && moved.has(`${email} reactivated`))) return undefined
    return { name: 'reactivateSubscription', input: { email, subscription_id: one.id } }
  }
  if (subscription === undefined || current === null) return undefined
  const { next_billing_date, items } = subscription
  const itemsOf = (id: string) => items.filter(({ product_id }) => product_id === id)
  switch (kind) {
    case 'add':
    case 'unknownCode': {
      const product = pick(
        model.products.filter(({ id, title }) => !limited.has(id) && !isUnclear(title, items, current, model)),
        at,
      )
      if (product === undefined) return undefined
      const price = model.shop.product(product.id)?.price_minor
      // The percentage of an item with a special price is not specified.
      const hasListPrice = itemsOf(product.id).every(({ price_minor }) => price_minor === price)
      const { percentage, fixed, unknown } = profile.discounts
      const code = kind === 'unknownCode' ? unknown : [undefined, percentage?.code, fixed?.code][step.code]
      const isUsable = code !== undefined && !limited.has(codeKey(code)) && hasListPrice
      const input = { email, product_id: product.id, quantity: 1 + more, one_time: step.once }
      return { name: 'addProduct', input: isUsable ? { ...input, discount_code: code } : input }
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
      return {
        name: 'swapProduct',
        input: { email, current_item_id: line, new_product_id: target.id },
        replaced: item.product_id,
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
