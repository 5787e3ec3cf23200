import { CurrentSubscription, type EndpointName, endpoints, type OutputOf } from '@storeport/core'
import { useCallback, useRef, useState } from 'react'
import * as z from 'zod/mini'
import type { CallRequest, Exchange } from '../../src/protocol.ts'
import { texts } from '../texts/texts.ts'
import { HostError, postToHost } from './host.ts'
import { type Failure, isNothingToShow, isStranger, type Outcome, readOutcome } from './outcome.ts'

/** Calls an endpoint of the shop, with the input that its row accepts. */
export type CallShop = <Name extends EndpointName>(
  endpoint: Name,
  input: z.input<(typeof endpoints)[Name]['input']>,
) => Promise<Outcome<OutputOf<Name>>>

/** How a click comes twice: both at once, or again after the first answer was lost. */
export const doubleClicks = ['at-once', 'after-lost-answer'] as const

/** How a click comes twice. */
export type DoubleClick = (typeof doubleClicks)[number]

/** One call in the log. */
export interface LogEntry {
  /** Grows with every call. */
  readonly id: number
  readonly endpoint: EndpointName
  readonly input: CallRequest['input']
  /** What went over the wire: two for a click that came twice, none while the call runs and when the host did not answer. */
  readonly exchanges: readonly Exchange[]
  /** Whether the customer never got the first answer. */
  readonly isLost: boolean
  /** Why it did not work; `null` while it runs and when it worked. */
  readonly failure: Failure | null
  readonly running: boolean
}

/** The calls of the page: how to make them, and the log of those that were made. */
export interface Calls {
  readonly callShop: CallShop
  /** Newest first. */
  readonly log: readonly LogEntry[]
  readonly clearLog: () => void
  /** Why the host of the page does nothing: it is down, or this browser must show the token again. */
  readonly hostProblem: 'offline' | 'signedOut' | null
  /** Takes note of how the host answered anything: an error, or `null` for an answer. */
  readonly noteHost: (error: unknown) => void
  /** How each click comes twice; `null` for once. */
  readonly doubleClick: DoubleClick | null
  readonly onDoubleClick: (how: DoubleClick | null) => void
  /** The last answered click that may have changed the shop: a new object for each. */
  readonly lastClick: { readonly twice: boolean }
}

/** Most calls that the log keeps. */
const longestLog = 200

/** Makes calls through the host and logs them. */
export function useCalls(): Calls {
  const [log, setLog] = useState<readonly LogEntry[]>([])
  const [hostProblem, setHostProblem] = useState<Calls['hostProblem']>(null)
  const [doubleClick, setDoubleClick] = useState<DoubleClick | null>(null)
  const [lastClick, setLastClick] = useState<Calls['lastClick']>({ twice: false })
  const lastId = useRef(0)
  const how = useRef(doubleClick)

  const noteHost = useCallback((error: unknown) => {
    if (error !== null && !(error instanceof HostError)) return
    setHostProblem(error?.offline === true ? 'offline' : error?.signedOut === true ? 'signedOut' : null)
  }, [])

  const callShop = useCallback(
    async <Name extends EndpointName>(
      endpoint: Name,
      input: z.input<(typeof endpoints)[Name]['input']>,
    ): Promise<Outcome<OutputOf<Name>>> => {
      const isClick = endpoints[endpoint].method === 'POST'
      const twice = isClick ? how.current : null
      const call: CallRequest = { endpoint, input: { ...input } }
      const isLost = twice === 'after-lost-answer'
      const entry = { id: ++lastId.current, ...call, exchanges: [], isLost, failure: null, running: true }
      const end = (change: Partial<LogEntry>) =>
        setLog((before) => before.map((one) => (one.id === entry.id ? { ...one, ...change, running: false } : one)))
      setLog((before) => [entry, ...before].slice(0, longestLog))
      try {
        const exchanges = await send(call, twice)
        // oxlint-disable-next-line typescript/consistent-type-assertions -- read by the schema of the row of this very endpoint
        const outcome = readSeen(endpoint, exchanges, isLost) as Outcome<OutputOf<Name>>
        noteHost(null)
        end({ exchanges, failure: outcome.ok ? null : outcome.failure })
        return outcome
      } catch (error) {
        if (!(error instanceof HostError)) throw error
        const failure = error.offline
          ? { code: 'host_offline', message: texts.wire.hostOffline }
          : { code: 'host_refused', message: `${texts.wire.refusedByHost} ${error.message}` }
        noteHost(error)
        end({ failure })
        return { ok: false, failure }
      } finally {
        if (isClick) setLastClick({ twice: twice !== null })
      }
    },
    [noteHost],
  )
  return {
    callShop,
    log,
    clearLog: useCallback(() => setLog([]), []),
    hostProblem,
    noteHost,
    doubleClick,
    onDoubleClick: useCallback((chosen: DoubleClick | null) => {
      how.current = chosen
      setDoubleClick(chosen)
    }, []),
    lastClick,
  }
}

async function send(call: CallRequest, how: DoubleClick | null): Promise<readonly Exchange[]> {
  const once = () => postToHost<Exchange>('call', call)
  if (how === 'at-once') return Promise.all([once(), once()])
  const first = await once()
  return how === null ? [first] : [first, await once()]
}

/** What the customer sees: the second answer where the first was lost, else the first one that worked. */
function readSeen(endpoint: EndpointName, exchanges: readonly Exchange[], isLost: boolean): Outcome<unknown> {
  const outcomes = exchanges.slice(isLost ? 1 : 0).map((exchange) => readOutcome(endpoint, exchange))
  const [first] = outcomes
  if (first === undefined) throw new Error('a call has at least one exchange')
  return outcomes.find(({ ok }) => ok) ?? first
}

/** A customer's next billing as the page last read it: `null` where there is none, `undefined` where it was not read. */
export function nextBillingOf(log: readonly LogEntry[], email: string): string | null | undefined {
  const outcome = lastSubscription(log, email)
  if (outcome === undefined) return undefined
  if (!outcome.ok) return isNothingToShow(outcome.failure) ? null : undefined
  return z.safeParse(CurrentSubscription, outcome.data).data?.next_billing_date
}

/** Whether the shop did not know a customer when the page last read their subscription. */
export function isUnknownCustomer(log: readonly LogEntry[], email: string): boolean {
  const outcome = lastSubscription(log, email)
  return outcome !== undefined && !outcome.ok && isStranger(outcome.failure)
}

function lastSubscription(log: readonly LogEntry[], email: string): Outcome<unknown> | undefined {
  const last = log.find(({ endpoint, input, exchanges }) => {
    return endpoint === 'getSubscription' && input['email'] === email && exchanges.length > 0
  })
  return last?.exchanges[0] && readOutcome('getSubscription', last.exchanges[0])
}
