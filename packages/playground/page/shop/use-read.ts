import { useCallback, useEffect, useRef, useState } from 'react'
import type { Failure, Outcome } from './failure.ts'

/** Something that is read from the shop; what was read last stays while it is read again. */
export interface ReadState<Data> {
  readonly data: Data | null
  readonly failure: Failure | null
  readonly busy: boolean
  readonly reload: () => Promise<void>
}

/** Reads at once, and again whenever `load` is another function; only the latest answer counts. */
export function useRead<Data>(load: () => Promise<Outcome<Data>>): ReadState<Data> {
  const [state, setState] = useState<Omit<ReadState<Data>, 'reload'>>({ data: null, failure: null, busy: true })
  const latest = useRef(0)

  const reload = useCallback(async () => {
    const turn = ++latest.current
    setState((before) => ({ ...before, busy: true }))
    const outcome = await load()
    if (turn !== latest.current) return
    setState((before) =>
      outcome.ok
        ? { data: outcome.data, failure: null, busy: false }
        : { data: before.data, failure: outcome.failure, busy: false },
    )
  }, [load])

  useEffect(() => {
    void reload()
    return () => {
      latest.current++
    }
  }, [reload])
  return { ...state, reload }
}
