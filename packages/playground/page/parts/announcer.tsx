import { useCallback, useState } from 'react'

/** A place that screen readers listen to, and the function that says something there. */
export function useAnnouncer() {
  const [said, setSaid] = useState({ text: '', turn: 0 })
  const announce = useCallback((text: string) => setSaid(({ turn }) => ({ text, turn: turn + 1 })), [])
  // The same text said twice is read twice only when something changes.
  const place = (
    <p className="unseen" role="status">
      {said.text}
      {said.turn % 2 === 1 ? '\u00a0' : ''}
    </p>
  )
  return { announce, place }
}
