import { CurrentSubscription, type EndpointName, endpoints, type OutputOf } from '@storeport/core'
import { useCallback, useRef, useState } from 'react'
import * as z from 'zod/mini'
import type { CallRequest, Exchange } from '../../src/protocol.ts'
import { texts } from '../texts/texts.ts'
import { HostError, postToHost } from './host.ts'
import { type Failure, isNothingToShow, isCustomerNotFound, type Outcome, readOutcome } from './outcome.ts'

/** Calls an endpoint of the shop. */
export type CallShop = <Name extends EndpointName>(
  endpoint: Name,
  input: z.input<(typeof endpoints)[Name]['input']>,
) => Promise<Outcome<OutputOf<Name>>>

/** Ways to send a click twice: concurrently, or again as if the first response was lost. */
export const doubleClicks = ['at-once', 'after-lost-answer'] as const

export type DoubleClick = (typeof doubleClicks)[number]

/** One call in the log. */
export interface LogEntry {
  /** Increments with each call. */
  readonly id: number
  readonly endpoint: EndpointName
  readonly input: CallRequest['input']
  /** Requests and responses: two for a click that was sent twice, none while pending or without a response. */
  readonly exchanges: readonly Exchange[]
  /** Whether the page ignores the first response, as if it was lost. */
  readonly isLost: boolean
  /** Why the call failed; `null` while pending and after success. */
  readonly failure: Failure | null
  readonly running: boolean
}

/** A function that calls the shop, and the log of its calls. */
export interface Calls {
  readonly callShop: CallShop
  /** Calls, newest first. */
  readonly log: readonly LogEntry[]
  readonly clearLog: () => void
  /** Why the playground server is unavailable: it is down, or the browser must sign in again. */
  readonly hostProblem: 'offline' | 'signedOut' | null
  /** Records the result of a request to the playground server: an error, or `null` for success. */
  readonly reportHost: (error: unknown) => void
  /** How each click is sent twice; `null` to send each click once. */
  readonly doubleClick: DoubleClick | null
  readonly onDoubleClick: (how: DoubleClick | null) => void
  /** The last completed click; a new object for each click. */
  readonly lastClick: { readonly twice: boolean }
}

/** Maximum number of calls in the log. */
const maxLogLength = 200

/** Sends calls through the playground server and logs them. */
export function useCalls(): Calls {
  const [log, setLog] = useState<readonly LogEntry[]>([])
  const [hostProblem, setHostProblem] = useState<Calls['hostProblem']>(null)
  const [doubleClick, setDoubleClick] = useState<DoubleClick | null>(null)
  const [lastClick, setLastClick] = useState<Calls['lastClick']>({ twice: false })
  const lastId = useRef(0)
  const how = useRef(doubleClick)

  const reportHost = useCallback((error: unknown) => {
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
      setLog((before) => [entry, ...before].slice(0, maxLogLength))
      try {
        const exchanges = await send(call, twice)
        // oxlint-disable-next-line typescript/consistent-type-assertions -- validated with the schema of this endpoint
        const outcome = chooseOutcome(endpoint, exchanges, isLost) as Outcome<OutputOf<Name>>
        reportHost(null)
        end({ exchanges, failure: outcome.ok ? null : outcome.failure })
        return outcome
      } catch (error) {
        if (!(error instanceof HostError)) throw error
        const failure = error.offline
          ? { code: 'host_offline', message: texts.wire.hostOffline }
          : { code: 'host_refused', message: `${texts.wire.refusedByHost} ${error.message}` }
        reportHost(error)
        end({ failure })
        return { ok: false, failure }
      } finally {
        if (isClick) setLastClick({ twice: twice !== null })
      }
    },
    [reportHost],
  )
  return {
    callShop,
    log,
    clearLog: useCallback(() => setLog([]), []),
    hostProblem,
    reportHost,
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

/** Returns the outcome that the customer sees: the second if the first is lost, otherwise the first success. */
function chooseOutcome(endpoint: EndpointName, exchanges: readonly Exchange[], isLost: boolean): Outcome<unknown> {
  const outcomes = exchanges.slice(isLost ? 1 : 0).map((exchange) => readOutcome(endpoint, exchange))
  const [first] = outcomes
  if (first === undefined) throw new Error('A call must have at least one exchange.')
  return outcomes.find(({ ok }) => ok) ?? first
}

/** Returns the customer's next billing date as last loaded: `null` for none, `undefined` if not loaded. */
export function findNextBilling(log: readonly LogEntry[], email: string): string | null | undefined {
  const outcome = findLastSubscription(log, email)
  if (outcome === undefined) return undefined
  if (!outcome.ok) return isNothingToShow(outcome.failure) ? null : undefined
  return z.safeParse(CurrentSubscription, outcome.data).data?.next_billing_date
}

/** Whether the shop did not find the customer when the subscription was last loaded. */
export function isMissingCustomer(log: readonly LogEntry[], email: string): boolean {
  const outcome = findLastSubscription(log, email)
  return outcome !== undefined && !outcome.ok && isCustomerNotFound(outcome.failure)
}

function findLastSubscription(log: readonly LogEntry[], email: string): Outcome<unknown> | undefined {
  const last = log.find(({ endpoint, input, exchanges }) => {
    return endpoint === 'getSubscription' && input['email'] === email && exchanges.length > 0
  })
  return last?.exchanges[0] && readOutcome('getSubscription', last.exchanges[0])
}
