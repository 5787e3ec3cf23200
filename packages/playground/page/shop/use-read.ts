import { useCallback, useEffect, useRef, useState } from 'react'
import type { Failure, Outcome } from './failure.ts'
import { useSlow } from './use-slow.ts'

/** Something that is read from the shop; what was read last stays while it is read again. */
export interface ReadState<Data> {
  readonly data: Data | null
  readonly failure: Failure | null
  readonly busy: boolean
  /** Whether the answer is so late that one should say so. */
  readonly slow: boolean
  /** Reads again; what was read, `null` when nothing was. */
  readonly reload: () => Promise<Data | null>
  /** Waits no longer for an answer that is late. */
  readonly giveUp: () => void
}

/** Reads at once, and again whenever `load` is another function; only the latest answer counts. */
export function useRead<Data>(load: () => Promise<Outcome<Data>>): ReadState<Data> {
  const [state, setState] = useState<Pick<ReadState<Data>, 'data' | 'failure' | 'busy'>>({
    data: null,
    failure: null,
    busy: true,
  })
  const latest = useRef(0)

  const reload = useCallback(async () => {
    const turn = ++latest.current
    setState((before) => ({ ...before, busy: true }))
    const outcome = await load()
    if (turn !== latest.current) return null
    setState((before) =>
      outcome.ok
        ? { data: outcome.data, failure: null, busy: false }
        : { data: before.data, failure: outcome.failure, busy: false },
    )
    return outcome.ok ? outcome.data : null
  }, [load])
  const giveUp = useCallback(() => {
    latest.current++
    setState((before) => ({ ...before, failure: { code: 'given_up', message: '' }, busy: false }))
  }, [])

  useEffect(() => {
    void reload()
    return () => {
      latest.current++
    }
  }, [reload])
  return { ...state, slow: useSlow(state.busy), reload, giveUp }
}
