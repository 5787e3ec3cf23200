import { useRef, useState } from 'react'
import type { Failure, Outcome } from './outcome.ts'

/** A click that is made once at a time. */
export interface Click {
  readonly pending: boolean
  readonly failure: Failure | null
  /**
   * Makes the click and says whether it worked; a second one while the first, or what comes `after` it, is under way is
   * not made.
   */
  readonly run: (
    act: () => Promise<Outcome<unknown>>,
    after?: (hasWorked: boolean) => Promise<unknown>,
  ) => Promise<boolean>
  readonly forget: () => void
}

/** Keeps a click from being made twice, which a disabled button alone cannot: two clicks can come before it is drawn. */
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
