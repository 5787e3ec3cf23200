import { CancelledSubscriptionList, CurrentSubscription, type EndpointName } from '@storeport/core'
import * as z from 'zod/mini'
import type { Reply } from '../http/reply.ts'
import { isObject } from './is-object.ts'
import { haveSameLines } from '../steps/line-content.ts'

/** What a run has seen of the test customers first and last, and what it did that no read shows. */
export interface ChangeLog {
  /** Notes a call and what came back. */
  note(name: EndpointName, input: Readonly<Record<string, unknown>>, reply: Reply): void
  /** The date that the first order of a customer was followed by, `YYYY-MM-DD`, where nothing else came between. */
  billedAfterOrder(email: string): string | undefined
  /** What the run left changed, in sentences. */
  tell(): readonly string[]
}

/** Makes the log of one run. */
export function createChangeLog(): ChangeLog {
  const first = new Map<string, string>()
  const last = new Map<string, string>()
  const done = new Map<string, number>()
  const orders = createOrderWatch()

  function noteState(key: string, state: string | undefined): void {
    if (state === undefined) return
    if (!first.has(key)) first.set(key, state)
    last.set(key, state)
  }

  function count(what: string, by: number): void {
    done.set(what, (done.get(what) ?? 0) + by)
  }

  return {
    note(name, input, reply) {
      const email = typeof input['email'] === 'string' ? nameOf(input['email']) : ''
      orders.note(name, email, input, reply)
      const data = isObject(reply.json) ? reply.json['data'] : undefined
      if (name === 'getSubscription') noteState(`${email}: the current subscription`, subscriptionWords(reply, data))
      else if (name === 'listCancelledSubscriptions') noteState(`${email}: what can be reactivated`, listWords(data))
      else if (reply.status === 200) noteAction(name, email, input, count)
    },
    billedAfterOrder: (email) => orders.billedAfterOrder(nameOf(email)),
    tell() {
      const states = [...last].flatMap(([what, now]) => {
        const before = first.get(what)
        return before === now ? [] : [`${what} is ${now}; it was ${before}.`]
      })
      const seen = new Set([...first.keys()].map((key) => key.split(': ', 1)[0]))
      const actions = [...done].flatMap(([what, times]) => {
        const [email = '', action = ''] = what.split(': ')
        // What was added shows in the subscription, where there is one to read.
        return times < 1 || (action.endsWith('was added') && seen.has(email)) ? [] : [`${what}.`]
      })
      return [...states, ...actions]
    },
  }
}

function nameOf(email: string): string {
  return email.trim().toLowerCase()
}

function noteAction(
  name: EndpointName,
  email: string,
  { product_id, action_id }: Readonly<Record<string, unknown>>,
  count: (what: string, by: number) => void,
): void {
  if (name === 'addProduct') count(`${email}: ${String(product_id)} was added`, 1)
  else if (name === 'undoAddProduct') count(`${email}: ${String(product_id)} was added`, -1)
  else if (name === 'sendNow') count(`${email}: an order was sent`, 1)
  else if (name === 'runCustomAction') count(`${email}: ${String(action_id)} was run`, 1)
}

function subscriptionWords(reply: Reply, data: unknown): string | undefined {
  const parsed = z.safeParse(CurrentSubscription, data)
  if (!parsed.success) return reply.status === 404 ? 'none' : undefined
  const { next_billing_date, items } = parsed.data
  return `${items.map(({ quantity, title }) => `${quantity} × ${title}`).join(', ')} on ${next_billing_date}`
}

function listWords(data: unknown): string | undefined {
  const parsed = z.safeParse(CancelledSubscriptionList, data)
  if (!parsed.success) return undefined
  return parsed.data.subscriptions.map(({ subscription_id }) => subscription_id).join(', ') || 'nothing'
}

/** Sees when a customer's subscription is billed next once an order of it was sent. */
interface OrderWatch {
  /** Notes a call of a customer and what came back. */
  note(name: EndpointName, email: string, input: Readonly<Record<string, unknown>>, reply: Reply): void
  /** The date that the first order of a customer was followed by, `YYYY-MM-DD`, where nothing else came between. */
  billedAfterOrder(email: string): string | undefined
}

/** Makes the watch of one run. */
function createOrderWatch(): OrderWatch {
  const read = new Map<string, CurrentSubscription>()
  /** What was current when the first order of a customer was sent; `undefined` once that tells nothing more. */
  const sent = new Map<string, CurrentSubscription | undefined>()
  const dates = new Map<string, string>()
  return {
    note(name, email, { new_date }, reply) {
      if (name === 'getSubscription') {
        const { data } = z.safeParse(CurrentSubscription, isObject(reply.json) ? reply.json['data'] : undefined)
        const before = sent.get(email)
        // Another subscription may be current by then, with an interval of its own.
        if (data !== undefined && before !== undefined && haveSameLines(before, data))
          dates.set(email, data.next_billing_date)
        if (before !== undefined) sent.set(email, undefined)
        if (data !== undefined) read.set(email, data)
      } else if (reply.status !== 200) return
      else if (name === 'sendNow' && !sent.has(email)) sent.set(email, read.get(email))
      else if (sent.has(email)) sent.set(email, undefined)
      // A delay to the same date changes nothing; any other may bring another subscription to the front.
      else if (new_date === undefined || new_date !== read.get(email)?.next_billing_date) read.delete(email)
    },
    billedAfterOrder: (email) => dates.get(email),
  }
}
