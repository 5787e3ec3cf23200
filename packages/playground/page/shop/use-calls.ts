import type { EndpointName } from '@storeport/core'
import { useCallback, useRef, useState } from 'react'
import type * as z from 'zod/mini'
import { texts } from '../texts.ts'
import { addEntry, endEntry, type LogEntry } from './call-log.ts'
import type { Outcome } from './failure.ts'
import { fetchExchange, HostError } from './host.ts'
import { readOutcome } from './read-outcome.ts'

/** Input of a call. */
type Input = Readonly<Record<string, unknown>>

/** Reads something of the shop. */
export type Read = <Data>(endpoint: EndpointName, schema: z.ZodMiniType<Data>, input: Input) => Promise<Outcome<Data>>

/** Changes something in the shop. */
export type Act = (endpoint: EndpointName, input: Input) => Promise<Outcome<null>>

/** The calls of the page: how to make them, and the log of those that were made. */
export interface Calls {
  readonly read: Read
  readonly act: Act
  readonly log: readonly LogEntry[]
  readonly clearLog: () => void
  /** Whether the host of the page did not answer the last call. */
  readonly hostIsOffline: boolean
}

/** Makes calls through the host and logs them. */
export function useCalls(): Calls {
  const [log, setLog] = useState<readonly LogEntry[]>([])
  const [hostIsOffline, setOffline] = useState(false)
  const lastId = useRef(0)

  const call = useCallback(
    async <Data>(
      endpoint: EndpointName,
      schema: z.ZodMiniType<Data> | null,
      input: Input,
    ): Promise<Outcome<Data | null>> => {
      const id = ++lastId.current
      setLog((before) => addEntry(before, { id, endpoint, exchange: null, failure: null, running: true }))
      try {
        const exchange = await fetchExchange({ endpoint, input })
        const outcome = readOutcome(exchange, schema)
        setOffline(false)
        setLog((before) => endEntry(before, id, { exchange, failure: outcome.ok ? null : outcome.failure }))
        return outcome
      } catch (error) {
        if (!(error instanceof HostError)) throw error
        const failure = error.offline
          ? { code: 'host_offline', message: texts.wire.hostOffline }
          : { code: 'host_refused', message: `${texts.wire.refusedByHost} ${error.message}` }
        setOffline(error.offline)
        setLog((before) => endEntry(before, id, { exchange: null, failure }))
        return { ok: false, failure }
      }
    },
    [],
  )

  const read: Read = useCallback(
    async (endpoint, schema, input) => {
      const outcome = await call(endpoint, schema, input)
      if (!outcome.ok) return outcome
      return outcome.data === null
        ? { ok: false, failure: { code: 'invalid_answer', message: '' } }
        : { ok: true, data: outcome.data }
    },
    [call],
  )
  const act: Act = useCallback(
    async (endpoint, input) => {
      const outcome = await call(endpoint, null, input)
      return outcome.ok ? { ok: true, data: null } : outcome
    },
    [call],
  )
  return { read, act, log, clearLog: useCallback(() => setLog([]), []), hostIsOffline }
}
