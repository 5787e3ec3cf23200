import type { EndpointName, InputOf, OutputOf } from '@storeport/core'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { Failure, Outcome } from './outcome.ts'
import { useShop } from './shop-context.ts'

/** Loaded data. The previous data remains available during a reload. */
export interface Loaded<Data> {
  readonly data: Data | null
  /** Data before the last successful reload. */
  readonly previous: Data | null
  readonly failure: Failure | null
  readonly busy: boolean
  /** Whether the response is late. */
  readonly slow: boolean
  /** Whether no data has been loaded yet, and the pending response is not late. */
  readonly waiting: boolean
  /** Loads the data again and returns it. Returns `null` if the load fails or is replaced by a later load. */
  readonly reload: () => Promise<Data | null>
  /** Stops waiting for a late response. */
  readonly stop: () => void
}

/** Loads data immediately, and again when `causes` change. Ignores all responses except the latest. */
export function useLoad<Data>(
  load: (() => Promise<Outcome<Data>>) | null,
  causes: readonly unknown[] = [],
): Loaded<Data> {
  type State = Pick<Loaded<Data>, 'data' | 'previous' | 'failure' | 'busy'>
  const [state, setState] = useState<State>({ data: null, previous: null, failure: null, busy: load !== null })
  const slow = useSlow(state.busy)
  const latest = useRef(0)

  const reload = useCallback(async () => {
    const turn = ++latest.current
    setState((before) => ({ ...before, busy: load !== null }))
    const outcome = await load?.()
    if (outcome === undefined || turn !== latest.current) return null
    setState((before) => {
      if (!outcome.ok) return { ...before, failure: outcome.failure, busy: false }
      return { data: outcome.data, previous: before.data, failure: null, busy: false }
    })
    return outcome.ok ? outcome.data : null
  }, causes)
  const stop = () => {
    latest.current++
    setState((before) => ({ ...before, failure: { code: 'given_up', message: '' }, busy: false }))
  }

  useEffect(() => {
    void reload()
    return () => void latest.current++
  }, [reload])
  return { ...state, slow, waiting: state.data === null && state.busy && !slow, reload, stop }
}

/** Loads data from an endpoint of the shop, if `isEnabled` is true. */
export function useRead<Name extends EndpointName>(endpoint: Name, input: InputOf<Name>, isEnabled: boolean) {
  const { callShop } = useShop()
  const read = () => callShop(endpoint, input)
  // Compares `input` as JSON, because each render creates a new object.
  return useLoad<OutputOf<Name>>(isEnabled ? read : null, [callShop, JSON.stringify(input), isEnabled])
}

/** Returns true after `busy` has been true for 4 seconds. */
export function useSlow(busy: boolean): boolean {
  const [slow, setSlow] = useState(false)
  useEffect(() => {
    if (!busy) return
    const timer = setTimeout(() => setSlow(true), 4000)
    return () => {
      clearTimeout(timer)
      setSlow(false)
    }
  }, [busy])
  return slow
}
