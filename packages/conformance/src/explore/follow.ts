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
import type { CheckContext, FailureDetails } from '../engine/check.ts'
import { CheckSkip } from '../engine/check-end.ts'
import { errorCodeOf } from '../engine/expectations.ts'
import type { Reply } from '../http/reply.ts'
import { isSameList, keepsSequence } from '../engine/compare-views.ts'
import { readProducts, titlesOf } from '../shop/customers.ts'
import { named } from '../shop/repeats.ts'
import { compare, type Difference, learnNothing, type Openness } from './compare.ts'
import {
  type Change,
  codeOf,
  createModelShop,
  type Expected,
  expectFrom,
  keepsProduct,
  type ModelShop,
  predict,
  type Seen,
} from './model.ts'
import { type Named, ofAcceptance, ofCode, ofEffect, ofRejection } from './requirement-of.ts'
import { lineOf, resolve } from './choose.ts'
import type { Step } from './steps.ts'

/** A customer of a sequence. */
interface Customer {
  readonly email: string
  expected: Expected
  seen: Seen
  /** Accepted swaps that were not reversed, oldest first. */
  swaps: { readonly from: string; readonly to: string }[]
}

/** Maximum number of changes after an order that a finding contains. */
const maxEarlier = 2

/** Maximum number of changes that bring back the state after a sequence. */
const maxRestores = 40

/** Returns a function that sends a sequence of steps to the shop, and compares the shop with the model after each step. */
export async function createFollower(t: CheckContext) {
  const products = await readProducts(t)
  const model = createModelShop(products, t.profile, t.today)
  const learned = learnNothing()
  const limited = new Set<string>()
  const moved = new Set<string>()
  /** Customers with an order of today. */
  const sent = new Set<string>()
  /** Customers whose order the exploration sent. */
  const sentHere = new Set<string>()
  /** The request for the order of today, and the customer's accepted changes after it. */
  const sinceOrder = new Map<string, Reply[]>()
  /** States of the customers after the last sequence, if they are known. */
  const states = new Map<string, Expected>()
  /** Customers and products whose undo the shop has rejected, so that no earlier addition is left. */
  const closed = new Set<string>()
  /** The last accepted change of each customer as a string. A shop may treat an equal request as a repeat. */
  const last = new Map<string, string>()
  /** Customers with an accepted change with a code. */
  const coded = new Set<string>()
  let hasFound = false

  async function readSeen(email: string, known?: Seen): Promise<readonly [Seen, Reply]> {
    const reply = await t.call('getSubscription', { email })
    const current = reply.status === 404 ? null : t.data(reply, CurrentSubscription, 'SUBSCRIPTION-1')
    if (known !== undefined) return [{ current, cancelled: known.cancelled }, reply]
    if (!t.offered.includes('listCancelledSubscriptions')) return [{ current, cancelled: [] }, reply]
    const list = await t.call('listCancelledSubscriptions', { email })
    const cancelled = list.status === 404 ? [] : t.data(list, CancelledSubscriptionList, 'CANCELLED-1').subscriptions
    return [{ current, cancelled }, reply]
  }

  async function start(email: string): Promise<Customer> {
    const [seen] = await readSeen(email)
    const state = states.get(email)
    const compared = state && compare(state, seen, model, { ...learned })
    const isSame = !hasFound && compared !== undefined && 'state' in compared
    const first = expectFrom(email, seen, model, sent.has(email))
    const expected = isSame ? compared.state : { ...first, hasEarlierCodes: !hasFound && coded.has(email) }
    return { email, seen, expected, swaps: [] }
  }

  /** Sends a change. Returns the response; `undefined` if a limit of the run or of the profile forbids the change. */
  async function send({ name, input }: Change): Promise<Reply | undefined> {
    try {
      return await t.call(name, input, named())
    } catch (error) {
      if (error instanceof CheckSkip && error.name === 'CheckSkip' && !error.spent) return undefined
      throw error
    }
  }

  /**
   * Returns whether the dates of a customer may be far in the future. An active subscription of `customers.cancelled` was
   * reactivated by a run.
   */
  const isFree = (email: string) => t.farDates || email === t.profile.customers.cancelled

  /** Returns whether the visible data proves that the customer has no order of today. */
  function isUnsent({ email, seen }: Customer): boolean {
    const { interval, customers } = t.profile
    const date = seen.current?.next_billing_date
    if (email !== customers.otherCustomer || seen.cancelled.length === 0) return false
    if (interval === undefined || date === undefined) return false
    const { months = 0, weeks = 0 } = interval
    return date < addDays(addMonths(t.today, months), 7 * weeks)
  }

  /**
   * Records a limit that the API does not show: the stock of a product, a code that cannot be used again, or an order
   * of today. Returns whether the rejection can have such a reason.
   */
  function learnLimit(change: Change, reply: Reply, customer: Customer): boolean {
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
      if (isUnsent(customer) && [...sentHere].some((email) => email !== customer.email)) return false
      sent.add(customer.email)
      sinceOrder.set(customer.email, [reply])
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
    customer: Customer,
    others: readonly Customer[],
    steps: Reply[],
  ): Promise<FailureDetails | 'end' | undefined> {
    const { name } = change
    const reply = await send(change)
    if (reply === undefined) return 'end'
    const { isAccepted, code, after } = predict(customer.expected, change, model)
    const wasAccepted = reply.status === 200
    steps.push(reply)
    const fail = (of: Named, expected: string, received = `${reply.status} ${reply.text}`): FailureDetails => {
      return { ...of, expected, received, steps: [...steps] }
    }

    const added = name === 'undoAddProduct' ? `${customer.email} ${change.input.product_id}` : ''
    if (name === 'undoAddProduct' && !wasAccepted) closed.add(added)
    // The customer may have an addition from before the exploration.
    if (name === 'undoAddProduct' && wasAccepted && !isAccepted && !closed.has(added)) return 'end'
    if (wasAccepted && !isAccepted) {
      const earlier = name === 'sendNow' ? (sinceOrder.get(customer.email) ?? []).slice(-maxEarlier) : []
      const [order] = sinceOrder.get(customer.email) ?? []
      const all = name === 'sendNow' && order !== undefined ? [...new Set([order, ...earlier, reply])] : steps
      return {
        ...fail(ofAcceptance(change, code), `${name} to be rejected after these requests`),
        steps: all,
      }
    }
    if (!wasAccepted && (reply.status >= 500 || (isAccepted && !learnLimit(change, reply, customer))))
      return fail(ofRejection(name), `${name} to succeed after these requests`)

    if (wasAccepted && hasTie(after)) {
      customer.expected = after
      record(change, customer, reply)
      return 'end'
    }
    const [now, read] = await readSeen(customer.email, name === 'reactivateSubscription' ? undefined : customer.seen)
    const state = wasAccepted ? after : customer.expected
    const openness = wasAccepted ? opennessOf(change, customer, model) : {}
    const result = compare(state, now, model, learned, openness)
    if ('difference' in result) {
      customer.expected = state
      steps.push(read)
      return fail(nameOf(change, wasAccepted, result.difference, model), ...describe(result.difference, name))
    }
    const sequences = findMoved(name, customer.seen, now)
    if (sequences !== undefined) {
      steps.push(read)
      return fail({ requirement: name === 'swapProduct' ? 'SWAP-2' : 'ITEM-4' }, ...sequences)
    }
    customer.expected = result.state
    customer.seen = now
    if (wasAccepted) record(change, customer, reply)

    for (const other of others) {
      const [data, otherRead] = await readSeen(other.email, other.seen)
      const compared = compare(other.expected, data, model, learned)
      if ('state' in compared) continue
      steps.push(otherRead)
      const [expected, received] = describe(compared.difference, name)
      return fail({ requirement: 'CUSTOMER-2' }, `another customer's data not to change: ${expected}`, received)
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

  function record(change: Change, customer: Customer, reply: Reply): void {
    const { email, swaps } = customer
    last.set(email, wordsOf(change))
    if (codeOf(change) !== undefined) coded.add(email)
    if (change.name === 'sendNow') {
      sent.add(email)
      sentHere.add(email)
      sinceOrder.set(email, [])
    }
    sinceOrder.get(email)?.push(reply)
    if (change.name === 'delaySubscription') moved.add(`${email} delayed`)
    if (change.name === 'reactivateSubscription') moved.add(`${email} reactivated`)
    if (change.name !== 'swapProduct' || keepsProduct(change)) return
    const { replaced, input } = change
    const latest = swaps.at(-1)
    if (latest?.to === replaced.product_id && latest.from === input.new_product_id) swaps.pop()
    else swaps.push({ from: replaced.product_id, to: input.new_product_id })
  }

  /** Returns the change that brings back a part of the customer's state; `undefined` if nothing is left to bring back. */
  function restoreOf({ email, expected, seen, swaps }: Customer): Change | undefined {
    const add = expected.account.adds.at(-1)
    if (add !== undefined) return { name: 'undoAddProduct', input: { email, product_id: add.product_id } }
    const swap = swaps.at(-1)
    const { items = [] } = soonest(expected.account.subscriptions) ?? {}
    const item = items.find(({ product_id }) => product_id === swap?.to)
    const line = item && seen.current && lineOf(item, seen.current, model)
    if (swap === undefined || !line || isUnclear(swap.from, items, seen.current?.items ?? [], model)) return undefined
    const input = { email, current_item_id: line, new_product_id: swap.from }
    return { name: 'swapProduct', input, replaced: item }
  }

  /** Brings back the state of the customers. Compares the state after each change unless it is unpredictable. */
  async function restore(
    customers: readonly Customer[],
    steps: Reply[],
    isUnpredictable: boolean,
  ): Promise<FailureDetails | undefined> {
    for (const customer of customers) {
      for (let count = 0; count < maxRestores; count++) {
        const change = restoreOf(customer)
        if (change === undefined) break
        // Separates two equal requests.
        const date = customer.seen.current?.next_billing_date
        if (
          wordsOf(change) === last.get(customer.email) &&
          date !== undefined &&
          t.offered.includes('delaySubscription')
        )
          await t.call('delaySubscription', { email: customer.email, new_date: date })
        if (isUnpredictable) {
          await send(change)
          customer.expected = predict(customer.expected, change, model).after
          last.set(customer.email, wordsOf(change))
          if (change.name === 'swapProduct') customer.swaps.pop()
          continue
        }
        const result = await perform(change, customer, [], steps)
        if (typeof result === 'object') return result
        if (result === 'end') break
      }
    }
    return undefined
  }

  /** Sends a sequence for customers. Returns the first difference. */
  return async (sequence: readonly Step[], emails: readonly string[]): Promise<FailureDetails | undefined> => {
    const customers: Customer[] = []
    for (const email of emails) customers.push(await start(email))
    const steps: Reply[] = []
    let found: FailureDetails | undefined
    let isKnown = true
    for (const step of sequence) {
      const customer = customers[step.who % customers.length]
      if (customer === undefined) break
      const { email, expected, seen, swaps } = customer
      const choices = { t, model, limited, moved, isFree: isFree(email), hasSwaps: swaps.length > 0 }
      const change = resolve(step, email, expected, seen.current, choices)
      if (change === undefined || wordsOf(change) === last.get(email)) continue
      const others = customers.filter((one) => one !== customer)
      const result = await perform(change, customer, others, steps)
      if (typeof result === 'object') found = result
      isKnown = result === undefined
      if (!isKnown) break
    }
    if (isKnown) {
      for (const customer of customers) found ??= await compareLists(customer, steps)
    }
    const more = await restore(customers, steps, !isKnown)
    if (found === undefined && more !== undefined) await restore(customers, steps, true)
    hasFound ||= found !== undefined || more !== undefined
    for (const { email, expected } of customers) {
      if (isKnown) {
        states.set(email, expected)
        continue
      }
      // An unknown state can have additions that were not undone.
      states.delete(email)
      for (const added of closed) if (added.startsWith(`${email} `)) closed.delete(added)
    }
    return found ?? more
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
    case 'swapProduct':
      return { mayVary: !keepsProduct(change) }
    default:
      return {}
  }
}

/** Returns the expected and the received titles if a change moved an item that it does not name. */
function findMoved(
  name: Change['name'],
  { current: before }: Seen,
  { current: after }: Seen,
): readonly [expected: string, received: string] | undefined {
  if (before === null || after === null || keepsSequence(name, before, after)) return undefined
  const [was, is] = [before, after].map(({ items }) => JSON.stringify(titlesOf(items)))
  return [`${name} to keep the sequence of the items: ${was}`, `${is}`]
}

/** Returns the requirement and the likely cause of a difference. */
function nameOf(change: Change, wasAccepted: boolean, difference: Difference, model: ModelShop): Named {
  const terms = model.shop.discount(codeOf(change) ?? '')
  if (wasAccepted && difference.part === 'discount' && !keepsProduct(change) && terms !== undefined)
    return ofCode(change.name, terms.kind)
  return ofEffect(change, wasAccepted, difference)
}

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
function hasTie({ account }: Expected): boolean {
  const first = soonest(account.subscriptions)
  return account.subscriptions.some(
    (one) => one !== first && one.status === 'active' && one.next_billing_date === first?.next_billing_date,
  )
}
