import { useRef, useState } from 'react'
import type { Failure, Outcome } from './outcome.ts'

/** State of a button that ignores clicks while an earlier click is running. */
export interface Click {
  readonly pending: boolean
  readonly failure: Failure | null
  /** Runs a click and returns whether it succeeded. Ignores other clicks until the click and `after` have completed. */
  readonly run: (
    act: () => Promise<Outcome<unknown>>,
    after?: (hasSucceeded: boolean) => Promise<unknown>,
  ) => Promise<boolean>
  readonly forget: () => void
}

/**
 * Prevents concurrent clicks. Disabling the button is not enough, because a second click can arrive before the next
 * render.
 */
export function useClick(): Click {
  const [pending, setPending] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)
  const running = useRef(false)

  const run: Click['run'] = async (act, after) => {
    if (running.current) return false
    running.current = true
    setPending(true)
    setFailure(null)
    try {
      const outcome = await act()
      await after?.(outcome.ok)
      if (!outcome.ok) setFailure(outcome.failure)
      return outcome.ok
    } finally {
      running.current = false
      setPending(false)
    }
  }
  return { pending, failure, run, forget: () => setFailure(null) }
}
