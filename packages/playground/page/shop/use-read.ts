import type { EndpointName, InputOf, OutputOf } from '@storeport/core'
import { useCallback, useEffect, useRef, useState } from 'react'
import { type Failure, isCustomerNotFound } from './outcome.ts'
import { useShop } from './shop-context.ts'

/** Data loaded from the shop. The previous data remains available during a reload. */
export interface ReadState<Data> {
  readonly data: Data | null
  /** Data before the last reload. */
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

/** Loads data immediately, and again when the input changes. Ignores responses to all loads except the latest. */
export function useRead<Name extends EndpointName>(
  endpoint: Name,
  input: InputOf<Name>,
  isEnabled: boolean,
): ReadState<OutputOf<Name>> {
  type State = Pick<ReadState<OutputOf<Name>>, 'data' | 'previous' | 'failure' | 'busy'>
  const { callShop } = useShop()
  const [state, setState] = useState<State>({ data: null, previous: null, failure: null, busy: isEnabled })
  const slow = useSlow(state.busy)
  const latest = useRef(0)

  const reload = useCallback(async () => {
    const turn = ++latest.current
    setState((before) => ({ ...before, busy: isEnabled }))
    if (!isEnabled) return null
    const outcome = await callShop(endpoint, input)
    if (turn !== latest.current) return null
    setState(({ data }) => {
      if (!outcome.ok) return { data, previous: data, failure: outcome.failure, busy: false }
      return { data: outcome.data, previous: data, failure: null, busy: false }
    })
    return outcome.ok ? outcome.data : null
    // Compares `input` as JSON, because each render creates a new object.
  }, [callShop, endpoint, JSON.stringify(input), isEnabled])
  const stop = () => {
    latest.current++
    setState((before) => ({ ...before, failure: { code: 'given_up', message: '' }, busy: false }))
  }

  useEffect(() => {
    void reload()
    return () => {
      latest.current++
    }
  }, [reload])
  return { ...state, slow, waiting: state.data === null && state.busy && !slow, reload, stop }
}

/** State of an email's content. `reading`: the content is loading. `unknown`: the customer was not found. */
export type EmailContent = 'reading' | 'something' | 'nothing' | 'unknown'

/** Returns the state of an email's content, which is empty if `isEmpty` is true for the loaded data. */
export function contentOf(
  { waiting, failure }: Pick<ReadState<unknown>, 'waiting' | 'failure'>,
  isEmpty: boolean,
): EmailContent {
  if (waiting) return 'reading'
  if (!isEmpty) return 'something'
  return failure !== null && isCustomerNotFound(failure) ? 'unknown' : 'nothing'
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
