import {
  addDays,
  addMonths,
  CancelledSubscriptionList,
  CurrentSubscription,
  isErrorCode,
  ProductList,
} from '@storeport/core'
import { isDeepStrictEqual } from 'node:util'
import { codeKey, soonest } from '@storeport/rules'
import type { View } from '../engine/changes.ts'
import type { CheckContext, FailureDetails } from '../engine/check.ts'
import { CheckSkip } from '../engine/check-end.ts'
import { isSameList, keepsSequence } from '../engine/compare-views.ts'
import { errorCodeOf } from '../engine/expectations.ts'
import type { Reply } from '../http/reply.ts'
import { readProducts, titlesOf } from '../shop/customers.ts'
import { named } from '../shop/repeats.ts'
import { isClear, lineOf, resolve } from './choose.ts'
import { compare, type Difference, learnNothing, type Openness } from './compare.ts'
import { type Change, codeOf, createModelShop, type Customer, expectFrom, type ModelShop, predict } from './model.ts'
import { type Named, ofAcceptance, ofEffect, ofRejection } from './requirement-of.ts'
import type { Step } from './steps.ts'

/** A customer with what the exploration knows from earlier sequences. */
interface KnownCustomer extends Customer {
  /** Whether `expected` is the state after the last sequence. */
  isKnown: boolean
  /**
   * The request for the order of today, and the accepted changes after it; `undefined` without an order of today. The
   * request was rejected if the exploration did not send the order.
   */
  sinceOrder: Reply[] | undefined
  /** Whether a change with a code was accepted. */
  hasCode: boolean
  /** The last accepted change as a string. A shop may treat an equal request as a repeat. */
  last: string
  /** Products whose undo the shop has rejected, so that no earlier addition is left. */
  readonly closed: Set<string>
}

/** Maximum number of changes after an order that a finding contains. */
const maxEarlier = 2

/** Maximum number of changes that bring back the state of a customer after a sequence. */
const maxRestores = 40

/** Returns a function that sends a sequence of steps to the shop, and compares the shop with the model after each step. */
export async function createFollower(t: CheckContext) {
  const products = await readProducts(t)
  const model = createModelShop(products, t.profile, t.today)
  const learned = learnNothing()
  /** Products and codes that the shop has rejected. */
  const limited = new Set<string>()
  const known = new Map<string, KnownCustomer>()
  let hasFound = false

  async function readSeen(email: string, before?: View): Promise<readonly [View, Reply]> {
    const reply = await t.call('getSubscription', { email })
    const current = reply.status === 404 ? null : t.data(reply, CurrentSubscription, 'SUBSCRIPTION-1')
    if (before !== undefined) return [{ current, cancelled: before.cancelled }, reply]
    if (!t.offered.includes('listCancelledSubscriptions')) return [{ current, cancelled: [] }, reply]
    const list = await t.call('listCancelledSubscriptions', { email })
    const cancelled = list.status === 404 ? [] : t.data(list, CancelledSubscriptionList, 'CANCELLED-1').subscriptions
    return [{ current, cancelled }, reply]
  }

  async function start(email: string): Promise<KnownCustomer> {
    const [seen] = await readSeen(email)
    const before = known.get(email)
    const compared = before?.isKnown === true && !hasFound && compare(before.expected, seen, model, { ...learned })
    const first = expectFrom(email, seen, model, before?.sinceOrder !== undefined)
    const hasEarlierCodes = !hasFound && before?.hasCode === true
    const expected = compared && 'state' in compared ? compared.state : { ...first, hasEarlierCodes }
    const unknown = { isKnown: false, sinceOrder: undefined, hasCode: false, last: '' }
    const customer = { closed: new Set<string>(), ...unknown, ...before, email, seen, expected, swaps: [] }
    known.set(email, customer)
    return customer
  }

  /** Sends a change. Returns the response; `undefined` if a limit of the run or of the profile forbids the change. */
  async function send({ name, input }: Change): Promise<Reply | undefined> {
    try {
      return await t.call(name, input, named())
    } catch (error) {
      if (error instanceof CheckSkip && error.skipCause.kind === 'other') return undefined
      throw error
    }
  }

  /** Returns whether the visible data proves that the customer has no order of today. */
  function isUnsent({ email, seen }: Customer): boolean {
    const { interval, customers } = t.profile
    const date = seen.current?.next_billing_date
    if (email !== customers.otherCustomer || seen.cancelled.length === 0) return false
    if (interval === undefined || date === undefined) return false
    const { months = 0, weeks = 0 } = interval
    return date < addDays(addMonths(t.today, months), 7 * weeks)
  }

  /** Returns the request for an order of today of another customer, if the exploration sent it. */
  function orderOfOther(customer: Customer): Reply | undefined {
    const orders = [...known.values()].flatMap((one) => (one === customer ? [] : (one.sinceOrder?.[0] ?? [])))
    return orders.find(({ status }) => status === 200)
  }

  /**
   * Records a limit that the API does not show: the stock of a product, a code that cannot be used again, or an order
   * of today. Returns whether the rejection can have such a reason.
   */
  function learnLimit(change: Change, reply: Reply, customer: KnownCustomer): boolean {
    const { name, input } = change
    const code = errorCodeOf(reply)
    if (reply.status < 400 || reply.status >= 500 || code === undefined) return false
    if (['payment_failed', 'order_not_processable', 'action_not_allowed'].includes(code)) return true
    const isOwn = !isErrorCode(code)
    const discountCode = codeOf(change)
    if (discountCode !== undefined && (isOwn || code === 'invalid_discount_code')) {
      limited.add(codeKey(discountCode))
      if (!isOwn) return true
    }
    if (name === 'sendNow' && (isOwn || code === 'order_already_processing')) {
      if (isUnsent(customer) && orderOfOther(customer) !== undefined) return false
      customer.sinceOrder = [reply]
      const account = { ...customer.expected.account, last_sent_on: t.today }
      customer.expected = { ...customer.expected, account }
      return true
    }
    const mayLackStock = isOwn || code === 'product_unavailable' || code === 'invalid_request'
    if (name === 'addProduct' && mayLackStock) limited.add(input.product_id)
    else if (name === 'swapProduct' && mayLackStock) limited.add(input.new_product_id)
    else return isOwn
    return true
  }

  /** Sends a change and compares the customers. Returns a difference, or `end` if the next state is not predictable. */
  async function perform(
    change: Change,
    customer: KnownCustomer,
    others: readonly Customer[],
    steps: Reply[],
  ): Promise<FailureDetails | 'end' | undefined> {
    const { name } = change
    const reply = await send(change)
    if (reply === undefined) return 'end'
    const { isAccepted, code, after } = predict(customer.expected, change, model)
    const wasAccepted = reply.status === 200
    steps.push(reply)
    const fail = (of: Named, expected: string, received: string, all: readonly Reply[] = steps): FailureDetails => {
      return { ...of, expected, received, steps: [...all] }
    }
    const response = `${reply.status} ${reply.text}`

    if (name === 'undoAddProduct') {
      const { product_id } = change.input
      if (!wasAccepted) customer.closed.add(product_id)
      // The customer may have an addition from before the exploration.
      else if (!isAccepted && !customer.closed.has(product_id)) return 'end'
    }
    if (wasAccepted && !isAccepted) {
      const [order, ...later] = name === 'sendNow' ? (customer.sinceOrder ?? []) : []
      const all = order === undefined ? steps : [order, ...later.slice(-maxEarlier), reply]
      return fail(ofAcceptance(change, code), `${name} to be rejected after these requests`, response, all)
    }
    if (!wasAccepted && (reply.status >= 500 || (isAccepted && !learnLimit(change, reply, customer)))) {
      const order = name === 'sendNow' ? orderOfOther(customer) : undefined
      const all = order === undefined ? steps : [order, reply]
      return fail(ofRejection(name), `${name} to succeed after these requests`, response, all)
    }

    const state = wasAccepted ? after : customer.expected
    customer.expected = state
    const isTied = hasTie(state)
    if (wasAccepted) record(change, customer, reply)
    if (isTied) return 'end'
    const before = customer.seen
    const [now, read] = await readSeen(customer.email, name === 'reactivateSubscription' ? undefined : before)
    const result = compare(state, now, model, learned, wasAccepted ? opennessOf(change, customer, model) : {})
    if ('difference' in result) {
      const of = ofEffect(change, wasAccepted, result.difference, model)
      return fail(of, ...describe(result.difference, name), [...steps, read])
    }
    if (before.current !== null && now.current !== null && !keepsSequence(name, before.current, now.current)) {
      const [was = '', is = ''] = [before.current, now.current].map(({ items }) => JSON.stringify(titlesOf(items)))
      const of: Named = { requirement: name === 'swapProduct' ? 'SWAP-2' : 'ITEM-4' }
      return fail(of, `${name} to keep the sequence of the items: ${was}`, is, [...steps, read])
    }
    customer.expected = result.state
    customer.seen = now
    for (const other of others) {
      const [data, otherRead] = await readSeen(other.email, other.seen)
      const compared = compare(other.expected, data, model, learned)
      if ('state' in compared) continue
      const [expected, received] = describe(compared.difference, name)
      const of = `another customer's data not to change: ${expected}`
      return fail({ requirement: 'CUSTOMER-2' }, of, received, [...steps, otherRead])
    }
    return hasTie(customer.expected) ? 'end' : undefined
  }

  /** Compares the lists of a customer, which a sequence must not change apart from reactivations. */
  async function compareLists({ email, seen }: Customer, steps: readonly Reply[]): Promise<FailureDetails | undefined> {
    const [{ cancelled }, read] = await readSeen(email)
    const list = await t.call('listProducts', { email })
    const personal = list.status === 404 ? [] : t.data(list, ProductList, 'PRODUCTS-1', 'PRODUCTS-2').products
    if (!isDeepStrictEqual(cancelled, seen.cancelled))
      return {
        requirement: isSameList(cancelled, seen.cancelled) ? 'CANCELLED-3' : 'FRAME-1',
        expected: `the list of cancelled subscriptions to stay the same: ${JSON.stringify(seen.cancelled)}`,
        received: JSON.stringify(cancelled),
        steps: [...steps, read],
      }
    for (const product of personal) {
      const general = products.find(({ id, price }) => id === product.id && price === product.price)
      if (general === undefined || isDeepStrictEqual(product, general)) continue
      return {
        requirement: 'PRODUCTS-5',
        expected: `the personal list to have the same data of a product as the general list: ${JSON.stringify(general)}`,
        received: JSON.stringify(product),
        steps: [...steps, list],
      }
    }
    return undefined
  }

  function record(change: Change, customer: KnownCustomer, reply: Reply): void {
    customer.last = wordsOf(change)
    if (codeOf(change) !== undefined) customer.hasCode = true
    if (change.name === 'sendNow') customer.sinceOrder = []
    customer.sinceOrder?.push(reply)
    if (change.name === 'delaySubscription') customer.isDelayed = true
    if (change.name === 'reactivateSubscription') customer.isReactivated = true
    if (change.name !== 'swapProduct') return
    const { swaps } = customer
    const [from, to] = [change.replaced.product_id, change.input.new_product_id]
    const latest = swaps.at(-1)
    if (latest?.to === from && latest.from === to) swaps.pop()
    else swaps.push({ from, to })
  }

  /** Returns the change that brings back a part of the customer's state; `undefined` if nothing is left to bring back. */
  function restoreOf({ email, expected, seen, swaps }: Customer): Change | undefined {
    const add = expected.account.adds.at(-1)
    if (add !== undefined) return { name: 'undoAddProduct', input: { email, product_id: add.product_id } }
    const swap = swaps.at(-1)
    const { items = [] } = soonest(expected.account.subscriptions) ?? {}
    const replaced = items.find(({ product_id }) => product_id === swap?.to)
    const line = replaced && lineOf(replaced, seen, model)
    if (swap === undefined || replaced === undefined || line === undefined) return undefined
    if (!isClear(swap.from, items, seen, model)) return undefined
    const input = { email, current_item_id: line, new_product_id: swap.from }
    return { name: 'swapProduct', input, replaced }
  }

  /** Brings back the state of a customer. Compares the state after each change unless it is unpredictable. */
  async function restore(customer: KnownCustomer, steps: Reply[], isPredictable: boolean) {
    for (let count = 0; count < maxRestores; count++) {
      const change = restoreOf(customer)
      if (change === undefined) return undefined
      const { email, last, swaps } = customer
      const date = customer.seen.current?.next_billing_date
      // Separates two equal requests.
      if (wordsOf(change) === last && date !== undefined && t.offered.includes('delaySubscription'))
        await t.call('delaySubscription', { email, new_date: date })
      if (isPredictable) {
        const result = await perform(change, customer, [], steps)
        if (result !== undefined) return result === 'end' ? undefined : result
        continue
      }
      await send(change)
      customer.expected = predict(customer.expected, change, model).after
      customer.last = wordsOf(change)
      if (change.name === 'swapProduct') swaps.pop()
    }
    return undefined
  }

  /** Sends a sequence for customers. Returns the first difference. */
  return async (sequence: readonly Step[], emails: readonly string[]): Promise<FailureDetails | undefined> => {
    const customers: KnownCustomer[] = []
    for (const email of emails) customers.push(await start(email))
    const steps: Reply[] = []
    let result: FailureDetails | 'end' | undefined
    for (const step of sequence) {
      const customer = customers[step.who % customers.length]
      const change = customer && resolve(step, customer, { t, model, limited })
      if (customer === undefined || change === undefined || wordsOf(change) === customer.last) continue
      const others = customers.filter((one) => one !== customer)
      result = await perform(change, customer, others, steps)
      if (result !== undefined) break
    }
    const isKnown = result === undefined
    let found = typeof result === 'object' ? result : undefined
    for (const customer of isKnown ? customers : []) found ??= await compareLists(customer, steps)
    let isPredictable = isKnown
    for (const customer of customers) {
      const more = await restore(customer, steps, isPredictable)
      if (more === undefined) continue
      found ??= more
      isPredictable = false
      await restore(customer, steps, false)
    }
    hasFound ||= found !== undefined
    for (const customer of customers) {
      customer.isKnown = isKnown
      // An unknown state can have additions that were not undone.
      if (!isKnown) customer.closed.clear()
    }
    return found
  }
}

function wordsOf({ name, input }: Change): string {
  return JSON.stringify([name, input])
}

/** Returns what may be new in the observation after a change. */
function opennessOf(change: Change, { seen }: Customer, { shop }: ModelShop): Openness {
  switch (change.name) {
    case 'delaySubscription':
    case 'sendNow':
      return { revealedFrom: seen.current?.next_billing_date }
    case 'addProduct':
      return { mayVary: shop.discount(change.input.discount_code ?? '')?.kind === 'fixed_amount' }
    default:
      return { mayVary: change.name === 'swapProduct' }
  }
}

/** Returns the expected and the received value of a difference after a request. */
function describe(
  { part, expected, received }: Difference,
  name: string,
): readonly [expected: string, received: string] {
  const what = {
    subscription: 'the current subscription',
    lines: 'the items',
    date: 'next_billing_date',
    discount: 'order_discount_total',
    cancelled: 'the cancelled subscriptions',
    tax: 'customer_tax_rate',
    shipping: 'shipping_total_cost of the same items',
    images: 'the images of the same product',
  }[part]
  return [`${what} after ${name}: ${JSON.stringify(expected ?? null)}`, JSON.stringify(received)]
}

/** Returns whether two subscriptions are billed first on the same day, so that the next current subscription is unknown. */
function hasTie({ account }: Customer['expected']): boolean {
  const first = soonest(account.subscriptions)
  return account.subscriptions.some(
    (one) => one !== first && one.status === 'active' && one.next_billing_date === first?.next_billing_date,
  )
}
