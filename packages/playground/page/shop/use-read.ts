import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { type Failure, isCustomerNotFound, type Outcome } from './outcome.ts'

/** Data loaded from the shop. The previous data remains available during a reload. */
export interface ReadState<Data> {
  readonly data: Data | null
  readonly failure: Failure | null
  readonly busy: boolean
  /** Whether the response is late. */
  readonly slow: boolean
  /** Whether there is no data yet, and the response is pending but not late. */
  readonly waiting: boolean
  /** Loads the data again; returns the data, or `null` after a failure or if a later load replaced this load. */
  readonly reload: () => Promise<Data | null>
  /** Stops waiting for a late response. */
  readonly stop: () => void
}

/** Loads data immediately, and again when `load` changes. Ignores responses to all loads except the latest. */
export function useRead<Data>(load: () => Promise<Outcome<Data>>): ReadState<Data> {
  const [state, setState] = useState<Pick<ReadState<Data>, 'data' | 'failure' | 'busy'>>({
    data: null,
    failure: null,
    busy: true,
  })
  const slow = useSlow(state.busy)
  const latest = useRef(0)

  const reload = useCallback(async () => {
    const turn = ++latest.current
    setState((before) => ({ ...before, busy: true }))
    const outcome = await load()
    if (turn !== latest.current) return null
    const change = outcome.ok ? { data: outcome.data, failure: null } : { failure: outcome.failure }
    setState((before) => ({ ...before, ...change, busy: false }))
    return outcome.ok ? outcome.data : null
  }, [load])
  const stop = useCallback(() => {
    latest.current++
    setState((before) => ({ ...before, failure: { code: 'given_up', message: '' }, busy: false }))
  }, [])

  useEffect(() => {
    void reload()
    return () => {
      latest.current++
    }
  }, [reload])
  return { ...state, slow, waiting: state.data === null && state.busy && !slow, reload, stop }
}

/** State of an email's content; `reading` while loading, `unknown` if the customer was not found. */
export type EmailContent = 'reading' | 'something' | 'nothing' | 'unknown'

/** Reports whether a widget has content, once the data is loaded. */
export function useContent(
  { waiting, failure }: Pick<ReadState<unknown>, 'waiting' | 'failure'>,
  isEmpty: boolean,
  onContent: (content: EmailContent) => void,
): void {
  // Runs before the browser paints, so that the headline and the content change together.
  useLayoutEffect(() => {
    if (waiting) return
    onContent(!isEmpty ? 'something' : failure !== null && isCustomerNotFound(failure) ? 'unknown' : 'nothing')
  }, [waiting, failure, isEmpty, onContent])
}

/** Time after which a response is late, in milliseconds. */
const slowAfterMs = 4000

/** Returns true after `busy` has been true for `slowAfterMs`. */
export function useSlow(busy: boolean): boolean {
  const [slow, setSlow] = useState(false)
  useEffect(() => {
    if (!busy) return
    const timer = setTimeout(() => setSlow(true), slowAfterMs)
    return () => {
      clearTimeout(timer)
      setSlow(false)
    }
  }, [busy])
  return slow
}
