import { type EndpointName, endpoints, type InputOf, type OutputOf } from '@storeport/core'
import { useCallback, useRef, useState } from 'react'
import type { CallRequest, Exchange } from '../../src/protocol.ts'
import { HostError, hostMessage, postToHost } from './host.ts'
import { type Failure, type Outcome, readOutcome } from './outcome.ts'

/** Calls an endpoint of the shop. */
export type CallShop = <Name extends EndpointName>(
  endpoint: Name,
  input: InputOf<Name>,
) => Promise<Outcome<OutputOf<Name>>>

/** Ways to send a click: once, twice concurrently, or twice as if the first response was lost. */
export const clickWays = ['once', 'at-once', 'after-lost-answer'] as const

export type ClickWay = (typeof clickWays)[number]

/** A call in the log. */
export interface LogEntry {
  /** Increments with each call. */
  readonly id: number
  /** Increments with each click and each opened email. */
  readonly group: number
  /** Time of the call, in milliseconds since 1970. */
  readonly at: number
  readonly endpoint: EndpointName
  readonly input: CallRequest['input']
  /** Requests with their responses. A click that was sent twice has two; a pending or failed call may have none. */
  readonly exchanges: readonly Exchange[]
  /** Whether the page ignores the first response, as if it was lost. */
  readonly isLost: boolean
  /** Number of times that a click that was sent twice changed the subscription; `null` if unknown. */
  readonly times: number | null
  /** Reason for the failure; `null` while pending and after success. */
  readonly failure: Failure | null
  readonly running: boolean
}

/** A function that calls the shop, and the log of its calls. */
export interface Calls {
  readonly callShop: CallShop
  /** Calls, newest first. */
  readonly log: readonly LogEntry[]
  readonly clearLog: () => void
  /** Starts a new group of calls in the log. */
  readonly startGroup: () => void
  /** Reason why the playground server is unavailable: it is down, or the browser must sign in again. */
  readonly hostProblem: 'offline' | 'signedOut' | null
  /** Records the result of a request to the playground server: an error, or `null` for success. */
  readonly reportHost: (error: unknown) => void
  readonly way: ClickWay
  readonly onWay: (way: ClickWay) => void
  /** The last completed click, as a new object for each click. */
  readonly lastClick: { readonly twice: boolean }
}

/** Maximum number of calls in the log. */
const maxLogLength = 200

/** Sends calls through the playground server and logs them. */
export function useCalls(): Calls {
  const [log, setLog] = useState<readonly LogEntry[]>([])
  const [hostProblem, setHostProblem] = useState<Calls['hostProblem']>(null)
  const [way, setWay] = useState<ClickWay>('once')
  const [lastClick, setLastClick] = useState<Calls['lastClick']>({ twice: false })
  const last = useRef({ id: 0, group: 0 })
  const chosen = useRef(way)
  const startGroup = useCallback(() => void last.current.group++, [])

  const reportHost = useCallback((error: unknown) => {
    if (error !== null && !(error instanceof HostError)) return
    setHostProblem(error?.offline === true ? 'offline' : error?.signedOut === true ? 'signedOut' : null)
  }, [])

  const callShop: CallShop = useCallback(
    async (endpoint, input) => {
      const isClick = endpoints[endpoint].method === 'POST'
      if (isClick || endpoint === 'getDiscount') startGroup()
      const how = isClick ? chosen.current : 'once'
      const call: CallRequest = { endpoint, input: { ...input } }
      const isLost = how === 'after-lost-answer'
      const units =
        how !== 'once' && endpoint === 'addProduct' ? () => readUnits(callShop, call.input) : async () => null
      const before = await units()
      const { group } = last.current
      const entry = { ...call, id: ++last.current.id, group, at: Date.now(), exchanges: [], isLost, times: null }
      const end = (change: Partial<LogEntry>) =>
        setLog((all) => all.map((one) => (one.id === entry.id ? { ...one, ...change, running: false } : one)))
      setLog((all) => [{ ...entry, failure: null, running: true }, ...all].slice(0, maxLogLength))
      try {
        const exchanges = await send(call, how)
        // oxlint-disable-next-line typescript/consistent-type-assertions -- validated with the schema of this endpoint
        const outcome = chooseOutcome(endpoint, exchanges, isLost) as Outcome<OutputOf<typeof endpoint>>
        reportHost(null)
        const after = await units()
        const times = before === null || after === null ? null : (after - before) / Number(call.input['quantity'] ?? 1)
        end({ exchanges, times, failure: outcome.ok ? null : outcome.failure })
        return outcome
      } catch (error) {
        if (!(error instanceof HostError)) throw error
        const what = error.offline ? 'It is unknown whether the request reached the shop' : 'The request was rejected'
        const failure = { code: error.offline ? 'host_offline' : 'host_refused', message: hostMessage(error, what) }
        reportHost(error)
        end({ failure })
        return { ok: false, failure }
      } finally {
        if (isClick) setLastClick({ twice: how !== 'once' })
      }
    },
    [reportHost, startGroup],
  )
  return {
    ...{ callShop, log, startGroup, hostProblem, reportHost, way, lastClick },
    clearLog: useCallback(() => setLog([]), []),
    onWay: useCallback((to: ClickWay) => {
      chosen.current = to
      setWay(to)
    }, []),
  }
}

/** Returns the number of units in the customer's subscription; `null` without a subscription. */
async function readUnits(callShop: CallShop, { email }: CallRequest['input']): Promise<number | null> {
  const outcome = await callShop('getSubscription', { email: String(email) })
  return outcome.ok ? outcome.data.items.reduce((sum, { quantity }) => sum + quantity, 0) : null
}

async function send(call: CallRequest, how: ClickWay): Promise<readonly Exchange[]> {
  const once = () => postToHost<Exchange>('call', call)
  if (how === 'at-once') return Promise.all([once(), once()])
  const first = await once()
  return how === 'once' ? [first] : [first, await once()]
}

/** Returns the outcome that the customer sees. Ignores a lost response, and prefers a success to a failure. */
function chooseOutcome(endpoint: EndpointName, exchanges: readonly Exchange[], isLost: boolean): Outcome<unknown> {
  const outcomes = exchanges.slice(isLost ? 1 : 0).map((exchange) => readOutcome(endpoint, exchange))
  const [first] = outcomes
  if (first === undefined) throw new Error('A call must have at least one exchange.')
  return outcomes.find(({ ok }) => ok) ?? first
}
