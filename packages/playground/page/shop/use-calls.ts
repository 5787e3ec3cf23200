import { type EndpointName, endpoints, type InputOf, type OutputOf } from '@storeport/core'
import { useCallback, useRef, useState } from 'react'
import type { CallRequest, Exchange } from '../../src/protocol.ts'
import { sendToHost } from './host.ts'
import { type Failure, type Outcome, readOutcome } from './outcome.ts'

/** Calls an endpoint of the shop. */
export type CallShop = <Name extends EndpointName>(
  endpoint: Name,
  input: InputOf<Name>,
) => Promise<Outcome<OutputOf<Name>>>

/** Ways to send a click: once, twice concurrently, or twice as if the first response was lost. */
export const clickWays = ['once', 'at-once', 'after-lost-answer'] as const

/** A call in the log. */
export interface LogEntry extends CallRequest {
  /** Increments with each call. */
  readonly id: number
  /** Increments with each click and each opened email. */
  readonly group: number
  /** Time of the call, in milliseconds since 1970. */
  readonly at: number
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
export type Calls = ReturnType<typeof useCalls>

/** Maximum number of calls in the log. */
const maxLogLength = 200

/** Sends calls through the playground server and logs them, newest first. */
export function useCalls() {
  const [log, setLog] = useState<readonly LogEntry[]>([])
  const [way, setWay] = useState<(typeof clickWays)[number]>('once')
  /** The last completed click, as a new object for each click. */
  const [lastClick, setLastClick] = useState({ twice: false })
  const last = useRef({ id: 0, group: 0, way })
  last.current.way = way
  /** Starts a new group of calls in the log. */
  const startGroup = () => void last.current.group++

  const callShop: CallShop = useCallback(async (endpoint, input) => {
    const isClick = endpoints[endpoint].method === 'POST'
    if (isClick || endpoint === 'getDiscount') startGroup()
    const how = isClick ? last.current.way : 'once'
    const call: CallRequest = { endpoint, input: { ...input } }
    const isLost = how === 'after-lost-answer'
    const before = how !== 'once' && endpoint === 'addProduct' ? await readUnits(callShop, call.input) : null
    const id = ++last.current.id
    const entry = { ...call, id, group: last.current.group, at: Date.now(), exchanges: [], isLost, times: null }
    setLog((all) => [{ ...entry, failure: null, running: true }, ...all].slice(0, maxLogLength))

    const sent = await sendCall(call, how)
    // oxlint-disable-next-line typescript/consistent-type-assertions -- validated with the schema of this endpoint
    const outcome = (sent.ok ? chooseOutcome(endpoint, sent.data, isLost) : sent) as Outcome<OutputOf<typeof endpoint>>
    const after = before === null || !sent.ok ? null : await readUnits(callShop, call.input)
    const times = before === null || after === null ? null : (after - before) / Number(call.input['quantity'] ?? 1)
    const end = { times, exchanges: sent.ok ? sent.data : [], failure: outcome.ok ? null : outcome.failure }
    setLog((all) => all.map((one) => (one.id === id ? { ...one, ...end, running: false } : one)))
    if (isClick) setLastClick({ twice: how !== 'once' })
    return outcome
  }, [])
  return { callShop, log, startGroup, way, onWay: setWay, lastClick, clearLog: () => setLog([]) }
}

/** Returns the number of units in the customer's subscription; `null` without a subscription. */
async function readUnits(callShop: CallShop, { email }: CallRequest['input']): Promise<number | null> {
  const outcome = await callShop('getSubscription', { email: String(email) })
  return outcome.ok ? outcome.data.items.reduce((sum, { quantity }) => sum + quantity, 0) : null
}

async function sendCall(call: CallRequest, how: Calls['way']): Promise<Outcome<readonly Exchange[]>> {
  const send = () => sendToHost<Exchange>('./playground/call', call)
  const first = send()
  // Sends the second request of a retry after the first response.
  if (how === 'after-lost-answer') await first
  const exchanges: Exchange[] = []
  for (const outcome of await Promise.all(how === 'once' ? [first] : [first, send()])) {
    if (outcome.ok) exchanges.push(outcome.data)
    else {
      const { code, message } = outcome.failure
      const isUnknown = code === 'host_offline'
      const what = isUnknown ? 'It is unknown whether the request reached the shop' : 'The request was rejected'
      return { ok: false, failure: { code, message: `${what}: ${message}` } }
    }
  }
  return { ok: true, data: exchanges }
}

/** Returns the outcome that the customer sees. Ignores a lost response, and prefers a success to a failure. */
function chooseOutcome(endpoint: EndpointName, exchanges: readonly Exchange[], isLost: boolean): Outcome<unknown> {
  const outcomes = exchanges.slice(isLost ? 1 : 0).map((exchange) => readOutcome(endpoint, exchange))
  const [first] = outcomes
  if (first === undefined) throw new Error('A call must have at least one exchange.')
  return outcomes.find(({ ok }) => ok) ?? first
}
