import { useEffect, useState } from 'react'
import type { HistoryLine } from '../../src/protocol.ts'
import { hostMessage, postToHost } from '../shop/host.ts'
import { useShop } from '../shop/shop-context.ts'
import type { Calls } from '../shop/use-calls.ts'
import { formatDateTime } from '../values/days.ts'

/** The recorded clicks of the customer, latest first. Loads them again after each click. */
export function HistoryPanel({ click }: { click: Calls['lastClick'] }) {
  const { email } = useShop()
  const [lines, setLines] = useState<readonly HistoryLine[] | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  useEffect(() => {
    let isLatest = true
    postToHost<readonly HistoryLine[]>('history', { email }).then(
      (loaded) => {
        if (!isLatest) return
        setLines(loaded.toReversed())
        setProblem(null)
      },
      (error: unknown) => isLatest && setProblem(hostMessage(error, 'The history could not be loaded')),
    )
    return () => {
      isLatest = false
    }
  }, [email, click])
  return (
    <div className="stack">
      <p className="notice medium">{`The recorded clicks of ${email}, for the support desk.`}</p>
      {problem !== null && (
        <p className="notice centered" role="alert">
          {problem}
        </p>
      )}
      {lines?.length === 0 && <p className="soft small">No clicks are recorded.</p>}
      <ol className="stack" aria-label="Recorded clicks">
        {lines?.map(({ at, asked, result, failed, requestId }, index) => (
          <li key={`${at} ${index}`} className="receipt card stack">
            <p className="between medium">
              {asked}
              <span className={failed ? 'status bad' : 'status good'}>{failed ? 'Failed' : 'Done'}</span>
            </p>
            <p className="soft small">
              {formatDateTime(at)} → {result}
            </p>
            {failed && (
              <p className="soft small">
                Request <code>{requestId}</code>
              </p>
            )}
          </li>
        ))}
      </ol>
    </div>
  )
}
