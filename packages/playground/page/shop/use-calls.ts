import { type EndpointName, endpoints, type OutputOf } from '@storeport/core'
import { useCallback, useRef, useState } from 'react'
import type * as z from 'zod/mini'
import type { CallRequest, CallTwiceAnswer, DoubleClick } from '../../src/protocol.ts'
import { texts } from '../texts.ts'
import { addEntry, endEntry, type LogEntry } from './call-log.ts'
import type { Outcome } from './failure.ts'
import { fetchExchange, fetchExchanges, HostError } from './host.ts'
import { readOutcome } from './read-outcome.ts'

/** Calls an endpoint of the shop, with the input that its row accepts. */
export type CallShop = <Name extends EndpointName>(
  endpoint: Name,
  input: z.input<(typeof endpoints)[Name]['input']>,
) => Promise<Outcome<OutputOf<Name>>>

/** Why the host of the page does nothing: it is down, or this browser must show the token again. */
export type HostProblem = 'offline' | 'signedOut'

/** The last answered click that may have changed the shop: a new object for each. */
export interface LastClick {
  readonly twice: boolean
}

/** The calls of the page: how to make them, and the log of those that were made. */
export interface Calls {
  readonly callShop: CallShop
  readonly log: readonly LogEntry[]
  readonly clearLog: () => void
  readonly hostProblem: HostProblem | null
  /** Takes note of how the host answered anything: an error, or `null` for an answer. */
  readonly noteHost: (error: unknown) => void
  /** How each click comes twice; `null` for once. */
  readonly doubleClick: DoubleClick | null
  readonly onDoubleClick: (how: DoubleClick | null) => void
  readonly lastClick: LastClick
}

/** Makes calls through the host and logs them. */
export function useCalls(): Calls {
  const [log, setLog] = useState<readonly LogEntry[]>([])
  const [hostProblem, setHostProblem] = useState<HostProblem | null>(null)
  const [doubleClick, setDoubleClick] = useState<DoubleClick | null>(null)
  const [lastClick, setLastClick] = useState<LastClick>({ twice: false })
  const lastId = useRef(0)
  const how = useRef(doubleClick)

  const noteHost = useCallback((error: unknown) => {
    const isRefusal = error instanceof HostError && !error.offline && !error.signedOut
    if (error === null || isRefusal) setHostProblem(null)
    else if (error instanceof HostError) setHostProblem(error.offline ? 'offline' : 'signedOut')
  }, [])

  const callShop = useCallback(
    async <Name extends EndpointName>(
      endpoint: Name,
      input: z.input<(typeof endpoints)[Name]['input']>,
    ): Promise<Outcome<OutputOf<Name>>> => {
      const id = ++lastId.current
      const isClick = endpoints[endpoint].method === 'POST'
      const twice = isClick ? how.current : null
      const call: CallRequest = { endpoint, input: { ...input } }
      const blank = { exchange: null, second: null, failure: null }
      setLog((before) => addEntry(before, { id, ...call, twice, ...blank, running: true }))
      try {
        const [exchange, second] =
          twice === null ? [await fetchExchange(call), null] : (await fetchExchanges({ ...call, how: twice })).exchanges
        const read = second === null ? readOutcome(endpoint, exchange) : readBoth(endpoint, [exchange, second])
        // oxlint-disable-next-line typescript/consistent-type-assertions -- read by the schema of the row of this very endpoint
        const outcome = read as Outcome<OutputOf<Name>>
        noteHost(null)
        setLog((before) => endEntry(before, id, { exchange, second, failure: outcome.ok ? null : outcome.failure }))
        return outcome
      } catch (error) {
        if (!(error instanceof HostError)) throw error
        const failure = error.offline
          ? { code: 'host_offline', message: texts.wire.hostOffline }
          : { code: 'host_refused', message: `${texts.wire.refusedByHost} ${error.message}` }
        noteHost(error)
        setLog((before) => endEntry(before, id, { ...blank, failure }))
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

/** What the customer sees of a click that came twice: the second answer where the first was lost, else the one that worked. */
function readBoth(endpoint: EndpointName, [first, second]: CallTwiceAnswer['exchanges']): Outcome<unknown> {
  const outcome = readOutcome(endpoint, second)
  if (first.lost === true || outcome.ok) return outcome
  return readOutcome(endpoint, first)
}
