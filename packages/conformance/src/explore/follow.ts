import { addDays, addMonths, CancelledSubscriptionList, CurrentSubscription, isErrorCode } from '@storeport/core'
import { type ActiveSubscription, codeKey, soonest } from '@storeport/rules'
import type { CheckContext, FailureDetails } from '../engine/check.ts'
import { CheckSkip } from '../engine/check-end.ts'
import { errorCodeOf } from '../engine/expectations.ts'
import type { Reply } from '../http/reply.ts'
import { readProducts } from '../steps/customers.ts'
import { compare, type Difference, learnNothing, type Openness } from './compare.ts'
import {
  type Change,
  codeOf,
  createModelShop,
  type Expected,
  expectFrom,
  type ModelShop,
  predict,
  type Seen,
  withSecondUse,
} from './model.ts'
import { type Named, ofAcceptance, ofCode, ofEffect, ofRejection, ofRepeat } from './requirement-of.ts'
import { type Form, lineOf, resolve, type Step } from './steps.ts'

/** A customer of a sequence. */
interface Customer {
  readonly email: string
  expected: Expected
  seen: Seen
  /** Accepted swaps that were not reversed, oldest first. */
  swaps: { readonly from: string; readonly to: string }[]
  /** The last accepted change as a string. */
  last: string | undefined
}

/** Maximum age of a request whose repeat without a key is compared, in milliseconds. */
const maxRepeatMs = 3000

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
  /** Accepted changes with a code, by customer. */
  const coded = new Map<string, Set<Change['name']>>()
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
    const known = state && hasTie(state) ? undefined : state
    const compared = known && compare(known, seen, model, { ...learned })
    const isSame = !hasFound && compared !== undefined && 'state' in compared
    const first = expectFrom(email, seen, model, sent.has(email))
    const expected = isSame ? compared.state : { ...first, hasEarlierCodes: !hasFound && mayFollow(email) }
    return { email, seen, expected, swaps: [], last: undefined }
  }

  /** Returns whether the discount of earlier codes can depend on the lines of the order. */
  function mayFollow(email: string): boolean {
    const names = coded.get(email)
    if (names === undefined) return false
    const { ways } = learned
    return (
      ways.every(({ base }) => base === 'share') || ways.some(({ follows }) => follows.some((one) => names.has(one)))
    )
  }

  /** Sends a change. Returns the responses; none if a limit of the run or of the profile forbids the change. */
  async function send({ name, input }: Change, form: Form): Promise<readonly Reply[]> {
    const headers = form === 'bare' ? {} : { 'Idempotency-Key': crypto.randomUUID() }
    try {
      if (form === 'together') return await t.concurrently([0, 1].map(() => ({ name, input, headers })))
      const first = await t.call(name, input, { headers })
      if (form === 'once' || first.status !== 200) return [first]
      return [first, await t.call(name, input, { headers })]
    } catch (error) {
      if (error instanceof CheckSkip && error.name === 'CheckSkip' && !error.spent) return []
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
    form: Form,
    customer: Customer,
    others: readonly Customer[],
    steps: Reply[],
  ): Promise<FailureDetails | 'end' | undefined> {
    const { name } = change
    const started = t.now()
    const replies = await send(change, form)
    const [first, ...repeats] = replies
    if (first === undefined) return 'end'
    const isLate = form === 'bare' && t.now() - started > maxRepeatMs
    const { isAccepted, after } = predict(customer.expected, change, model)
    const reply = replies.find(({ status }) => status === 200) ?? first
    const wasAccepted = reply.status === 200
    steps.push(...replies)
    const fail = (named: Named, expected: string, received = `${reply.status} ${reply.text}`): FailureDetails => {
      return { ...named, expected, received, steps: [...steps] }
    }

    if (wasAccepted && !isAccepted) {
      const earlier = name === 'sendNow' ? (sinceOrder.get(customer.email) ?? []).slice(-maxEarlier) : []
      const [order] = sinceOrder.get(customer.email) ?? []
      const all = name === 'sendNow' && order !== undefined ? [...new Set([order, ...earlier, reply])] : steps
      return {
        ...fail(ofAcceptance(change, hasInvalidCode(change, model)), `${name} to be rejected after these requests`),
        steps: all,
      }
    }
    if (!wasAccepted && (reply.status >= 500 || (isAccepted && !learnLimit(change, reply, customer))))
      return fail(ofRejection(name), `${name} to succeed after these requests`)
    const rejected = repeats.find(({ status }) => status !== 200)
    if (wasAccepted && rejected !== undefined && form !== 'together' && !isLate)
      return fail(ofRepeat(form), 'the repeat to succeed', `${rejected.status} ${rejected.text}`)

    const [now, read] = await readSeen(customer.email, name === 'reactivateSubscription' ? undefined : customer.seen)
    const state = wasAccepted ? after : customer.expected
    const openness = wasAccepted ? opennessOf(change, customer) : {}
    const result = compare(state, now, model, learned, openness)
    if ('difference' in result) {
      if (isLate) return 'end'
      customer.expected = state
      steps.push(read)
      const second = predict(after, change, model)
      const twice = second.isAccepted ? second.after : withSecondUse(after, change)
      const isDoubled =
        repeats.length > 0 &&
        wasAccepted &&
        twice !== undefined &&
        'state' in compare(twice, now, model, { ...learned }, openness)
      const named = isDoubled ? ofRepeat(form) : nameOf(change, wasAccepted, result.difference, model)
      return fail(named, ...describe(result.difference, name))
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

  function record(change: Change, customer: Customer, reply: Reply): void {
    const { email, swaps } = customer
    customer.last = wordsOf(change)
    if (codeOf(change) !== undefined) coded.set(email, (coded.get(email) ?? new Set()).add(change.name))
    if (change.name === 'sendNow') {
      sent.add(email)
      sentHere.add(email)
      sinceOrder.set(email, [])
    }
    sinceOrder.get(email)?.push(reply)
    if (change.name === 'delaySubscription') moved.add(`${email} delayed`)
    if (change.name === 'reactivateSubscription') moved.add(`${email} reactivated`)
    if (change.name !== 'swapProduct') return
    const { replaced, input } = change
    if (input.discount_code !== undefined) moved.add(`${email} discounted`)
    const last = swaps.at(-1)
    if (last?.to === replaced.product_id && last.from === input.new_product_id) swaps.pop()
    else swaps.push({ from: replaced.product_id, to: input.new_product_id })
  }

  /** Returns the change that brings back a part of the customer's state; `undefined` if nothing is left to bring back. */
  function restoreOf({ email, expected, seen, swaps }: Customer): Change | undefined {
    const add = expected.account.adds.at(-1)
    if (add !== undefined) return { name: 'undoAddProduct', input: { email, product_id: add.product_id } }
    const swap = swaps.at(-1)
    const item = soonest(expected.account.subscriptions)?.items.find(({ product_id }) => product_id === swap?.to)
    const line = item && seen.current && lineOf(item, seen.current, model)
    if (swap === undefined || !line) return undefined
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
        if (wordsOf(change) === customer.last && date !== undefined && t.offered.includes('delaySubscription'))
          await t.call('delaySubscription', { email: customer.email, new_date: date })
        if (isUnpredictable) {
          await send(change, 'once')
          customer.expected = predict(customer.expected, change, model).after
          customer.last = wordsOf(change)
          if (change.name === 'swapProduct') customer.swaps.pop()
          continue
        }
        const result = await perform(change, 'once', customer, [], steps)
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
      const { email, expected, seen, swaps, last } = customer
      const choices = { t, model, limited, moved, learned, hasSwaps: swaps.length > 0 }
      const change = resolve(step, email, expected, seen.current, choices)
      // Without a change in between, a shop may treat an equal request as a repeat.
      if (change === undefined || wordsOf(change) === last) continue
      const form = step.form === 'bare' && change.name === 'sendNow' ? 'again' : step.form
      const others = customers.filter((one) => one !== customer)
      const result = await perform(change, form, customer, others, steps)
      if (typeof result === 'object') found = result
      isKnown = result === undefined
      if (!isKnown) break
    }
    const more = await restore(customers, steps, !isKnown)
    if (found === undefined && more !== undefined) await restore(customers, steps, true)
    hasFound ||= found !== undefined || more !== undefined
    for (const { email, expected } of customers) {
      if (isKnown) states.set(email, expected)
      else states.delete(email)
    }
    return found ?? more
  }
}

function wordsOf({ name, input }: Change): string {
  return JSON.stringify([name, input])
}

function hasInvalidCode(change: Change, { shop }: ModelShop): boolean {
  const code = codeOf(change)
  return code !== undefined && shop.discount(code) === undefined
}

/** Returns what may be new in the observation after a change. */
function opennessOf(change: Change, { expected, seen }: Customer): Openness {
  const { account, swapped } = expected
  const current = soonest(account.subscriptions)
  const code = codeOf(change)
  const isUsed = account.discount_uses.some(
    (use) => use.subscription_id === current?.id && codeKey(use.code) === codeKey(code ?? ''),
  )
  const fixedCode = isUsed ? undefined : code
  switch (change.name) {
    case 'delaySubscription':
    case 'sendNow':
      return { revealedFrom: seen.current?.next_billing_date }
    case 'addProduct':
      return { fixedCode }
    case 'swapProduct':
      return { fixedCode, mayFall: !swapped.has(change.replaced.id) }
    default:
      return {}
  }
}

/** Returns the requirement and the likely cause of a difference. */
function nameOf(change: Change, wasAccepted: boolean, difference: Difference, model: ModelShop): Named {
  const terms = model.shop.discount(codeOf(change) ?? '')
  if (wasAccepted && difference.part === 'discount' && terms !== undefined) return ofCode(change.name, terms.kind)
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
  }[part]
  return [`${what} after ${name}: ${JSON.stringify(expected ?? null)}`, JSON.stringify(received)]
}

/** Returns whether two subscriptions are billed first on the same day. Either can be current. */
function hasTie({ account }: Expected): boolean {
  const active = account.subscriptions.filter((one): one is ActiveSubscription => one.status === 'active')
  const first = soonest(active)?.next_billing_date
  return active.filter((one) => one.next_billing_date === first).length > 1
}
