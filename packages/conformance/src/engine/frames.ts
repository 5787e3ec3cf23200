import {
  CancelledSubscriptionList,
  CurrentSubscription,
  type EndpointName,
  endpoints,
  type SubscriptionItem,
} from '@storeport/core'
import { isDeepStrictEqual } from 'node:util'
import * as z from 'zod/mini'
import { dataOf, type Reply } from '../http/reply.ts'
import type { Profile } from '../profile/profile.ts'
import type { Check } from './check.ts'
import { compareViews, othersAfter, shownOf, type View, type Violation } from './compare-views.ts'

type Input = Readonly<Record<string, unknown>>

/** Sends a read that is neither recorded nor repeated. */
type Read = (name: EndpointName, input: Input) => Promise<Reply>

/** Last known data of the test customers, which each operation is compared with. */
export type Frames = ReturnType<typeof createFrames>

/** Maximum number of changes per check that are compared individually. The remaining changes are only forgotten. */
const maxChanges = 60

/** Maximum time for the comparisons of a run, in milliseconds. It applies to slow shops. */
const maxTotalMs = 10_000

/** Creates the memory of one run. */
export function createFrames({ customers: { unknown: _, ...known } }: Pick<Profile, 'customers'>) {
  /** Fields of the profile by address, for messages. */
  const fields = new Map(
    Object.entries(known).flatMap(([name, email]) =>
      email === undefined ? [] : [[keyOf(email), `customers.${name}`] as const],
    ),
  )
  const emails = [...fields.keys()]
  const views = new Map<string, View>()
  /** Customers with two subscriptions that have the same lines. */
  const withTwins = new Set<string>()
  /** Customers whose discount codes the run used. */
  const withCodes = new Set<string>()
  let spentMs = 0
  let isLimited = false

  return {
    /** Forgets all data, since the shop was reset or a check took back its changes. */
    forget(): void {
      views.clear()
    },

    /** Compares the data of all test customers before and after each change of a check. */
    watch(check: Check, offered: readonly EndpointName[], send: Read) {
      const isOwnCheck = check.requirements.some((id) => id.startsWith('FRAME-'))
      let changes = 0
      let isStarted = false
      let found: Violation | undefined

      const isActive = () => offered.includes('getSubscription') && !isLimited && (isOwnCheck || spentMs < maxTotalMs)

      async function read(name: EndpointName, email: string): Promise<Reply> {
        const started = performance.now()
        const reply = await send(name, { email }).finally(() => (spentMs += performance.now() - started))
        if (reply.status === 429) isLimited = true
        return reply
      }

      /** Reads the data of a customer; `undefined` if a response is not valid. Other checks report such a response. */
      async function readView(email: string): Promise<View | undefined> {
        const reply = await read('getSubscription', email)
        const { data } = z.safeParse(CurrentSubscription, dataOf(reply))
        if (data === undefined && reply.status !== 404) return undefined
        const current = data === undefined ? null : { ...data, items: withoutIds(data.items) }
        const others = withTwins.has(email) ? undefined : (views.get(email)?.others ?? [])
        if (!offered.includes('listCancelledSubscriptions')) return { current, cancelled: [], others }
        const list = await read('listCancelledSubscriptions', email)
        const parsed = z.safeParse(CancelledSubscriptionList, dataOf(list))
        if (!parsed.success && list.status !== 404) return undefined
        const cancelled = (parsed.data?.subscriptions ?? []).map((one) => ({
          ...one,
          products: withoutIds(one.products),
        }))
        return { current, cancelled, others }
      }

      async function load(email: string): Promise<View | undefined> {
        const view = views.get(email) ?? (await readView(email).catch(() => undefined))
        if (view !== undefined) views.set(email, view)
        return view
      }

      return {
        /** Reads the customers before the first change of the check. */
        async start(): Promise<void> {
          if (isStarted || !isActive()) return
          isStarted = true
          for (const email of emails) await load(email)
        },
        /** Forgets each customer whose address is in a text, since the effect of the request is unknown. */
        touch(text: string): void {
          const lower = text.toLowerCase()
          for (const email of emails.filter((one) => lower.includes(one))) {
            views.delete(email)
            if (lower.includes('discount_code')) withCodes.add(email)
          }
        },
        /** Returns the customer's data before a change; `undefined` if the change is not compared. */
        async before(name: EndpointName, { email }: Input): Promise<View | undefined> {
          if (endpoints[name].method === 'GET') return undefined
          await this.start()
          const key = typeof email === 'string' ? keyOf(email) : ''
          if (!emails.includes(key)) return undefined
          const view = changes++ < maxChanges && isActive() ? await load(key) : undefined
          if (view === undefined) views.delete(key)
          return view
        },
        /** Compares the customer's data after a change. Stores the first difference. */
        async after(name: EndpointName, input: Input, reply: Reply, before: View | undefined): Promise<void> {
          if (before === undefined) return
          const key = keyOf(String(input['email']))
          const after = reply.status < 500 ? await readView(key).catch(() => undefined) : undefined
          if (after === undefined) return void views.delete(key)
          const operation = { name, input, isAccepted: reply.status < 400, hasCode: withCodes.has(key) }
          if (operation.isAccepted && typeof input['discount_code'] === 'string') withCodes.add(key)
          const violation = compareViews(operation, before, after)
          const others = othersAfter(operation, before, after)
          if (others === undefined) withTwins.add(key)
          views.set(key, { ...after, others })
          if (violation !== undefined) found ??= { ...violation, reply }
        },
        /** Compares all customers with their last known data. Returns the first difference of the check. */
        async end(): Promise<Violation | undefined> {
          if (!isStarted || found !== undefined || !isActive()) return found
          for (const email of emails) {
            const before = views.get(email)
            const after = before && (await readView(email).catch(() => undefined))
            if (after === undefined) views.delete(email)
            else views.set(email, after)
            if (after === undefined || isDeepStrictEqual(after, before)) continue
            found ??= {
              requirement: 'CUSTOMER-2',
              expected: `the data of ${fields.get(email)} not to change through requests for other customers or through reads`,
              received: `${JSON.stringify(shownOf(after))} instead of ${JSON.stringify(before && shownOf(before))}`,
            }
          }
          return found
        },
      }
    },
  }
}

/** Removes the ids of lines, since an id is unique only within one response. */
function withoutIds(items: readonly SubscriptionItem[]): SubscriptionItem[] {
  return items.map((item) => ({ ...item, id: '' }))
}

function keyOf(email: string): string {
  return email.trim().toLowerCase()
}
