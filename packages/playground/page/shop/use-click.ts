import { useRef, useState } from 'react'
import type { Failure, Outcome } from './outcome.ts'

/** State of a button that ignores clicks while an earlier click is running. */
export type Click = ReturnType<typeof useClick>

/**
 * Prevents concurrent clicks. Disabling the button is not enough, because a second click can arrive before the next
 * render.
 */
export function useClick() {
  const [pending, setPending] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)
  const running = useRef(false)

  /** Runs a click and returns whether it succeeded. Ignores other clicks until the click and `after` have completed. */
  async function run(
    act: () => Promise<Outcome<unknown>>,
    after?: (hasSucceeded: boolean) => Promise<unknown>,
  ): Promise<boolean> {
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
