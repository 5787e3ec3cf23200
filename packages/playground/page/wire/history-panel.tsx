import { useCallback } from 'react'
import type { HistoryLine } from '../../src/protocol.ts'
import { ReadNotice } from '../parts/notice.tsx'
import { askHost } from '../shop/host.ts'
import { useShop } from '../shop/shop-context.ts'
import type { Calls } from '../shop/use-calls.ts'
import { useLoad } from '../shop/use-load.ts'
import { formatDateTime } from '../values/days.ts'

/** The recorded clicks of the customer, latest first. Loads them again after each click. */
export function HistoryPanel({ click }: { click: Calls['lastClick'] }) {
  const { email } = useShop()
  const load = useCallback(
    () => askHost<readonly HistoryLine[]>('./playground/history', 'The history could not be loaded', { email }),
    [email, click],
  )
  const { data, ...read } = useLoad(load)
  return (
    <div className="stack" tabIndex={-1}>
      <p className="notice medium">{`The recorded clicks of ${email}, for the support desk.`}</p>
      <ReadNotice read={read} />
      {data?.length === 0 && <p className="soft small">No clicks are recorded.</p>}
      <ol className="stack" aria-label="Recorded clicks">
        {data?.toReversed().map(({ at, asked, result, failed, requestId }, index) => (
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
