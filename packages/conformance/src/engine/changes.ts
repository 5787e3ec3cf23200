import { addDays, CancelledSubscriptionList, CurrentSubscription, type EndpointName, isDate } from '@storeport/core'
import * as z from 'zod/mini'
import { dataOf, isObject, type Reply } from '../http/reply.ts'
import { CheckSkip } from './check-end.ts'

type Input = Readonly<Record<string, unknown>>

/** What a run has seen of the test customers, what it did to them, and how far it may go. */
export type ChangeLog = ReturnType<typeof createChangeLog>

/** How far a run may delay a subscription beyond what it was, where nothing brings the test data back, in days. */
const mostDays = 30

/** What a run knows of one customer. */
interface Customer {
  isTouched: boolean
  /** What was read first and last, in words, by what it is. */
  readonly states: Map<string, { readonly first: string; readonly last: string }>
  /** What was done that no read may show, and how often. */
  readonly actions: Map<string, number>
  /** Dates that the run has set; any other that is read is what a subscription was. */
  readonly ownDates: Set<string>
  /** The latest date that the run may set. */
  latest?: string
  /** What is current, where that is known. */
  current?: CurrentSubscription | undefined
  /** What was current when the first order was sent; `undefined` once that tells nothing more. */
  sent?: { readonly before: CurrentSubscription | undefined }
  billed?: string
}

/** Makes the log of one run. */
export function createChangeLog() {
  const customers = new Map<string, Customer>()

  function customerOf(email: string): Customer {
    const name = email.trim().toLowerCase()
    const made = { isTouched: false, states: new Map(), actions: new Map(), ownDates: new Set<string>() }
    const customer = customers.get(name) ?? made
    customers.set(name, customer)
    return customer
  }

  return {
    /** Throws CheckSkip for a delay that goes too far: nothing but an order brings a date back. */
    allow(name: EndpointName, { email, new_date }: Input): void {
      if (name !== 'delaySubscription' || typeof email !== 'string' || typeof new_date !== 'string') return
      const { latest } = customerOf(email)
      if (latest === undefined || new_date <= latest) return
      throw new CheckSkip(
        `it would delay a subscription by more than ${mostDays} days, and nothing brings the test data back (see --test-mode)`,
        false,
      )
    },
    /** Notes a call and what came back. */
    note(name: EndpointName, input: Input, reply: Reply): void {
      if (typeof input['email'] !== 'string') return
      const customer = customerOf(input['email'])
      const data = dataOf(reply)
      if (name === 'getSubscription') noteSubscription(customer, reply, data)
      else if (name === 'listCancelledSubscriptions') noteState(customer, 'what can be reactivated', listWords(data))
      else if (name !== 'listProducts' && reply.status === 200) noteChange(customer, name, input)
    },
    /** The customers whom the run has changed. */
    touched: () => [...customers].flatMap(([email, { isTouched }]) => (isTouched ? [email] : [])),
    /** The date that the first order of a customer was followed by, `YYYY-MM-DD`, where nothing else came between. */
    billedAfterOrder: (email: string) => customerOf(email).billed,
    /** What is changed by what was read last, in sentences. */
    tell: () =>
      [...customers].flatMap(([email, customer]) => changesOf(customer).map((change) => `${email}: ${change}.`)),
  }
}

function changesOf({ states, actions }: Customer): readonly string[] {
  const changed = [...states].flatMap(([what, { first, last }]) =>
    first === last ? [] : [`${what} is ${last}; it was ${first}`],
  )
  // What was added shows in the subscription, where there is one to read.
  const done = [...actions].filter(([what, times]) => times > 0 && !(what.endsWith('was added') && states.size > 0))
  return [...changed, ...done.map(([what]) => what)]
}

function noteState({ states }: Customer, what: string, words: string | undefined): void {
  if (words !== undefined) states.set(what, { first: states.get(what)?.first ?? words, last: words })
}

function noteSubscription(customer: Customer, reply: Reply, data: unknown): void {
  const { data: current } = z.safeParse(CurrentSubscription, data)
  const absent = reply.status === 404 ? 'none' : undefined
  noteState(customer, 'the current subscription', current === undefined ? absent : subscriptionWords(current))
  const date = isObject(data) ? data['next_billing_date'] : undefined
  if (typeof date === 'string' && isDate(date) && !customer.ownDates.has(date)) {
    const limit = addDays(date, mostDays)
    if (limit > (customer.latest ?? '')) customer.latest = limit
  }
  const before = customer.sent?.before
  // Another subscription may be current by then, with an interval of its own.
  if (current !== undefined && before !== undefined && haveSameLines(before, current))
    customer.billed = current.next_billing_date
  if (before !== undefined) customer.sent = { before: undefined }
  if (current !== undefined) customer.current = current
}

function noteChange(customer: Customer, name: EndpointName, { product_id, action_id, new_date }: Input): void {
  customer.isTouched = true
  const count = (what: string, by: number) => customer.actions.set(what, (customer.actions.get(what) ?? 0) + by)
  if (name === 'addProduct') count(`${String(product_id)} was added`, 1)
  else if (name === 'undoAddProduct') count(`${String(product_id)} was added`, -1)
  else if (name === 'sendNow') count('an order was sent', 1)
  else if (name === 'runCustomAction') count(`${String(action_id)} was run`, 1)
  else if (name === 'delaySubscription' && typeof new_date === 'string') customer.ownDates.add(new_date)

  if (name === 'sendNow' && customer.sent === undefined) customer.sent = { before: customer.current }
  else if (customer.sent !== undefined) customer.sent = { before: undefined }
  // A delay to the same date changes nothing; any other may bring another subscription to the front.
  else if (new_date === undefined || new_date !== customer.current?.next_billing_date) customer.current = undefined
}

function subscriptionWords({ items, next_billing_date }: CurrentSubscription): string {
  return `${items.map(({ quantity, title }) => `${quantity} × ${title}`).join(', ')} on ${next_billing_date}`
}

function listWords(data: unknown): string | undefined {
  const parsed = z.safeParse(CancelledSubscriptionList, data)
  if (!parsed.success) return undefined
  return parsed.data.subscriptions.map(({ subscription_id }) => subscription_id).join(', ') || 'nothing'
}

/** What a line holds: the product by its title, its price and its quantity, but not its id. */
export function contentOf({ title, price, quantity }: CurrentSubscription['items'][number]): string {
  return JSON.stringify([title, price, quantity])
}

/** Whether two subscriptions hold the same lines in the same order: ids are unique within one answer only, so they tell no two apart. */
export function haveSameLines(one: CurrentSubscription, other: CurrentSubscription): boolean {
  return one.items.map(contentOf).join() === other.items.map(contentOf).join()
}
