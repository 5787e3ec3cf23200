import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { type Failure, isStranger, type Outcome } from './outcome.ts'

/** Something that is read from the shop; what was read last stays while it is read again. */
export interface ReadState<Data> {
  readonly data: Data | null
  readonly failure: Failure | null
  readonly busy: boolean
  /** Whether the answer is so late that the page should say so. */
  readonly slow: boolean
  /** Whether there is nothing to show yet, and the answer is not late. */
  readonly waiting: boolean
  /** Reads again; returns what was read, `null` when nothing was. */
  readonly reload: () => Promise<Data | null>
  /** Waits no longer for an answer that is late. */
  readonly giveUp: () => void
}

/** Reads immediately, and again whenever `load` is another function; only the latest answer counts. */
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
  return { ...state, slow, waiting: state.data === null && state.busy && !slow, reload, giveUp }
}

/** Whether there is anything in an email for who reads it: `reading` until that is known, `stranger` for who is no customer. */
export type EmailContent = 'reading' | 'something' | 'nothing' | 'stranger'

/** Reports to the email whether a widget has anything to show, as soon as that is known. */
export function useContent(
  { waiting, failure }: Pick<ReadState<unknown>, 'waiting' | 'failure'>,
  isEmpty: boolean,
  onContent: (content: EmailContent) => void,
): void {
  // Before the browser draws, so that the headline and what is below it change at once.
  useLayoutEffect(() => {
    if (waiting) return
    onContent(!isEmpty ? 'something' : failure !== null && isStranger(failure) ? 'stranger' : 'nothing')
  }, [waiting, failure, isEmpty, onContent])
}

/** After how many milliseconds a person who waits is told that the shop has not answered yet. */
const slowAfterMs = 4000

/** Whether something has been running for so long that the page should say so. */
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
