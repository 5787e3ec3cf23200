import {
  addDays,
  type CancelledSubscription,
  CancelledSubscriptionList,
  CurrentSubscription,
  type EndpointName,
  endpoints,
  isDate,
} from '@storeport/core'
import * as z from 'zod/mini'
import { dataOf, isObject, type Reply } from '../http/reply.ts'
import type { Profile } from '../profile/profile.ts'
import type { Input, NamedCall } from './check.ts'
import { CheckSkip } from './check-end.ts'
import { errorCodeOf } from './expectations.ts'

/** Known data and changes of the test customers in a run. `limitDelay` limits how far a run delays subscriptions. */
export type ChangeLog = ReturnType<typeof createChangeLog>

/** Maximum delay of a subscription beyond its original date, in days, if the test data is not reset. */
const maxDelayDays = 30

/** The visible data of one customer. */
export interface View {
  /** The current subscription; `null` if the customer has none. */
  readonly current: CurrentSubscription | null
  /** The cancelled subscriptions that can be reactivated; empty if the shop does not offer the list. */
  readonly cancelled: readonly CancelledSubscription[]
}

/** State and changes of one customer. */
export interface Customer {
  readonly email: string
  /** The customer's field of the profile, for messages. */
  readonly field: string
  /** Last known data, which the next change is compared with. */
  view?: View | undefined
  /** Whether the run used a discount code. */
  hasCode?: boolean
  isTouched?: boolean
  /** First and last known state as strings. Each key describes a state, such as `the current subscription`. */
  readonly states: Map<string, { readonly first: string; readonly last: string }>
  /** Successful actions by description, minus undone additions. Needed because reads do not show every action. */
  readonly actions: Map<string, number>
  /** Billing dates that the run has set. Any other billing date is the original date of a subscription. */
  readonly ownDates: Set<string>
  /** The latest billing date that the run may set. */
  latest?: string
  /** The current subscription, if known. */
  current?: CurrentSubscription | undefined
}

/**
 * Creates the log of one run. The dates of `customers.cancelled` are not limited: each active subscription of the customer
 * was reactivated by a run, which cannot be reversed either.
 */
export function createChangeLog({ customers: { unknown: _, ...known } }: Pick<Profile, 'customers'>) {
  const customers = new Map<string, Customer>()
  for (const [name, emails] of Object.entries(known))
    for (const email of [emails ?? []].flat().map(keyOf)) {
      const made = { states: new Map(), actions: new Map(), ownDates: new Set<string>() }
      customers.set(email, { email, field: `customers.${name}`, ...made })
    }
  /** Number of accepted changes by endpoint, for customers that are not in the profile. */
  const strangers = new Map<EndpointName, number>()
  const blamed = new Set<string>()
  /** Keys of successful requests. */
  const keys = new Set<string>()

  /** Returns whether the run already had a success with the same `Idempotency-Key`. */
  function isRepeat({ request }: Reply): boolean {
    const [, key] = request.headers.find(([name]) => name.toLowerCase() === 'idempotency-key') ?? []
    if (key === undefined || keys.has(key)) return key !== undefined
    keys.add(key)
    return false
  }

  /** Returns the test customer with an email address. */
  const find = (email: unknown) => (typeof email === 'string' ? customers.get(keyOf(email)) : undefined)

  return {
    customers: [...customers.values()],
    find,
    /** Use of the shop by comparisons: total milliseconds, and whether the shop limited a request. */
    reads: { ms: 0, isLimited: false },
    /** Ids of the checks with successful requests, by endpoint and email. */
    uses: new Map<string, Set<string>>(),
    /** Forgets the last known data, since the shop was reset or a check took back its changes. */
    forget(): void {
      for (const customer of customers.values()) customer.view = undefined
    },
    /** Throws CheckSkip for a delay beyond the limit, because only an order resets a billing date. */
    limitDelay({ name, input: { email, new_date } }: NamedCall): void {
      const { latest, current, email: key } = find(email) ?? {}
      if (name !== 'delaySubscription' || latest === undefined || typeof new_date !== 'string') return
      if (!isDate(new_date) || key === keyOf(known.cancelled ?? '')) return
      // Reserves the last five days for short delays, so that later checks can still delay the subscription.
      const isStep = current !== undefined && new_date <= addDays(current.next_billing_date, 6)
      if (new_date <= addDays(latest, isStep ? 0 : -5)) return
      throw new CheckSkip(
        `the check would delay a subscription by more than ${maxDelayDays} days, and the test data is not reset (see --test-mode)`,
      )
    },
    /** Records a request and its response. */
    note({ name, input }: NamedCall, reply: Reply): void {
      if (typeof input['email'] !== 'string') return
      const isChange = endpoints[name].method === 'POST' && reply.status === 200 && !isRepeat(reply)
      const customer = find(input['email'])
      if (customer === undefined) {
        if (isChange) strangers.set(name, (strangers.get(name) ?? 0) + 1)
      } else if (name === 'getSubscription') recordSubscription(customer, reply)
      else if (name === 'listCancelledSubscriptions')
        recordState(customer, 'the list of cancelled subscriptions', describeList(dataOf(reply)))
      else if (isChange) recordChange(customer, name, input)
      // Without a key, a repeat of an addition counts as an addition until an undo finds none.
      else if (name === 'undoAddProduct' && errorCodeOf(reply) === 'product_not_in_order')
        customer.actions.delete(nameAddition(input))
    },
    /** Records that a failed check did not revert its changes to these customers. */
    blame(emails: readonly string[], id: string): void {
      if (emails.length > 0) blamed.add(id)
    },
    /** Returns the ids of the failed checks that left changes, in parentheses; otherwise an empty string. */
    culprits: () => (blamed.size === 0 ? '' : ` (changes left by ${[...blamed].join(', ')})`),
    /** Returns the customers that the run changed. */
    touched: () => [...customers.values()].flatMap(({ email, isTouched }) => (isTouched === true ? [email] : [])),
    /** Returns the differences between the first and the last known state, one sentence for each customer. */
    describe: () => [
      ...[...customers.values()].flatMap((customer) => {
        const changes = changesOf(customer)
        return changes.length === 0 ? [] : [`${customer.email}: ${changes.join('; ')}.`]
      }),
      ...[...strangers].map(([name, times]) => `${name} accepted ${times} requests for unknown customers.`),
    ],
  }
}

function keyOf(email: string): string {
  return email.trim().toLowerCase()
}

function changesOf({ states, actions }: Customer): readonly string[] {
  const changed = [...states].flatMap(([what, { first, last }]) =>
    first === last ? [] : [`${what} changed from ${first} to ${last}`],
  )
  // If the subscription was read, its state contains the added items, so the additions are not listed again.
  const done = [...actions].filter(([what, times]) => times > 0 && !(what.endsWith('was added') && states.size > 0))
  return [...changed, ...done.map(([what]) => what)]
}

function recordState({ states }: Customer, what: string, words: string | undefined): void {
  if (words !== undefined) states.set(what, { first: states.get(what)?.first ?? words, last: words })
}

function recordSubscription(customer: Customer, reply: Reply): void {
  const data = dataOf(reply)
  const { data: current } = z.safeParse(CurrentSubscription, data)
  const absent = reply.status === 404 ? 'none' : undefined
  recordState(customer, 'the current subscription', current === undefined ? absent : describeSubscription(current))
  const date = isObject(data) ? data['next_billing_date'] : undefined
  if (typeof date === 'string' && isDate(date) && !customer.ownDates.has(date)) {
    const limit = addDays(date, maxDelayDays)
    if (limit > (customer.latest ?? '')) customer.latest = limit
  }
  if (current !== undefined) customer.current = current
}

function recordChange(customer: Customer, name: EndpointName, { product_id, action_id, new_date }: Input): void {
  customer.isTouched = true
  const count = (what: string, by: number) => customer.actions.set(what, (customer.actions.get(what) ?? 0) + by)
  if (name === 'addProduct') count(nameAddition({ product_id }), 1)
  else if (name === 'undoAddProduct') count(nameAddition({ product_id }), -1)
  else if (name === 'sendNow') count('an order was sent', 1)
  else if (name === 'runCustomAction') count(`${String(action_id)} was run`, 1)
  else if (name === 'delaySubscription' && typeof new_date === 'string') customer.ownDates.add(new_date)

  // The known subscription is outdated after any change, except after a delay to the same date.
  if (new_date === undefined || new_date !== customer.current?.next_billing_date) customer.current = undefined
}

function nameAddition({ product_id }: Input): string {
  return `${String(product_id)} was added`
}

function describeSubscription({ items, next_billing_date }: CurrentSubscription): string {
  return `${items.map(({ quantity, title }) => `${quantity} × ${title}`).join(', ')} on ${next_billing_date}`
}

function describeList(data: unknown): string | undefined {
  const parsed = z.safeParse(CancelledSubscriptionList, data)
  if (!parsed.success) return undefined
  return parsed.data.subscriptions.map(({ subscription_id }) => subscription_id).join(', ') || 'empty'
}

/** Returns the title, price and quantity of a line as a string for comparison. Omits the id. */
export function contentOf({ title, price, quantity }: CurrentSubscription['items'][number]): string {
  return JSON.stringify([title, price, quantity])
}

/** Returns whether two subscriptions have the same lines in sequence. An id is unique only within one response. */
export function haveSameLines(one: CurrentSubscription, other: CurrentSubscription): boolean {
  return one.items.map(contentOf).join() === other.items.map(contentOf).join()
}
