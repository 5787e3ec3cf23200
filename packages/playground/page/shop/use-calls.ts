import type { EndpointName, endpoints, OutputOf } from '@storeport/core'
import { useCallback, useRef, useState } from 'react'
import type * as z from 'zod/mini'
import { texts } from '../texts.ts'
import { addEntry, endEntry, type LogEntry } from './call-log.ts'
import type { Outcome } from './failure.ts'
import { fetchExchange, HostError } from './host.ts'
import { readOutcome } from './read-outcome.ts'

/** Calls an endpoint of the shop, with the input that its row accepts. */
export type CallShop = <Name extends EndpointName>(
  endpoint: Name,
  input: z.input<(typeof endpoints)[Name]['input']>,
) => Promise<Outcome<OutputOf<Name>>>

/** The calls of the page: how to make them, and the log of those that were made. */
export interface Calls {
  readonly callShop: CallShop
  readonly log: readonly LogEntry[]
  readonly clearLog: () => void
  /** Why the host of the page did not make the last call, when it is down or has signed this browser out. */
  readonly hostProblem: string | null
}

/** Makes calls through the host and logs them. */
export function useCalls(): Calls {
  const [log, setLog] = useState<readonly LogEntry[]>([])
  const [hostProblem, setHostProblem] = useState<string | null>(null)
  const lastId = useRef(0)

  const callShop = useCallback(
    async <Name extends EndpointName>(
      endpoint: Name,
      input: z.input<(typeof endpoints)[Name]['input']>,
    ): Promise<Outcome<OutputOf<Name>>> => {
      const id = ++lastId.current
      setLog((before) => addEntry(before, { id, endpoint, exchange: null, failure: null, running: true }))
      try {
        const exchange = await fetchExchange({ endpoint, input: { ...input } })
        // oxlint-disable-next-line typescript/consistent-type-assertions -- read by the schema of the row of this very endpoint
        const outcome = readOutcome(endpoint, exchange) as Outcome<OutputOf<Name>>
        setHostProblem(null)
        setLog((before) => endEntry(before, id, { exchange, failure: outcome.ok ? null : outcome.failure }))
        return outcome
      } catch (error) {
        if (!(error instanceof HostError)) throw error
        const failure = error.offline
          ? { code: 'host_offline', message: texts.wire.hostOffline }
          : { code: 'host_refused', message: `${texts.wire.refusedByHost} ${error.message}` }
        setHostProblem(error.offline ? texts.offline : error.signedOut ? texts.signedOut : null)
        setLog((before) => endEntry(before, id, { exchange: null, failure }))
        return { ok: false, failure }
      }
    },
    [],
  )
  return { callShop, log, clearLog: useCallback(() => setLog([]), []), hostProblem }
}
