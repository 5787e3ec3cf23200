import { CurrentSubscription, type EndpointName } from '@storeport/core'
import * as z from 'zod/mini'
import { haveSameLines } from '../steps/line-content.ts'
import type { Reply } from '../http/reply.ts'
import { isObject } from './is-object.ts'

/** Sees when a customer's subscription is billed next once an order of it was sent. */
export interface OrderWatch {
  /** Notes a call of a customer and what came back. */
  note(name: EndpointName, email: string, input: Readonly<Record<string, unknown>>, reply: Reply): void
  /** The date that the first order of a customer was followed by, `YYYY-MM-DD`, where nothing else came between. */
  billedAfterOrder(email: string): string | undefined
}

/** Makes the watch of one run. */
export function createOrderWatch(): OrderWatch {
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
