import { useEffect, useState } from 'react'

/** After how many milliseconds somebody who waits is told that the shop has not answered yet. */
const slowAfterMs = 4000

/** Whether something has been under way for so long that one should say so. */
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
