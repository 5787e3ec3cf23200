import { endpoints } from '@storeport/core'
import { useId, useState } from 'react'
import { usePage } from '../page-context.ts'
import { EmptyPlace } from '../parts/notice.tsx'
import type { LogEntry } from '../shop/use-calls.ts'
import { plural, texts } from '../texts.ts'
import { formatTime } from '../values/days.ts'
import { CallDetail, StatusPill } from './call-detail.tsx'
import { isReplayed } from './read-exchange.ts'

/** Calls of the page, newest first. Each group contains a click and the reloads that follow the click. */
export function CallList() {
  const { log, clearLog } = usePage().calls
  if (log.length === 0) return <EmptyPlace title="No requests yet" text="Open an email, or click in an email." />
  return (
    <>
      <div className="between">
        <p className="soft small">{plural(log.length, 'request')}</p>
        <button className="link-button" onClick={clearLog}>
          Clear
        </button>
      </div>
      <ol className="calls">
        {[...new Set(log.map(({ group }) => group))].map((group) => (
          <CallGroup key={group} entries={log.filter((entry) => entry.group === group).toReversed()} />
        ))}
      </ol>
    </>
  )
}

/** A group of calls, with its time, its kind and its customer. */
function CallGroup({ entries }: { entries: readonly LogEntry[] }) {
  const isClick = entries.some(({ endpoint }) => endpoints[endpoint].method === 'POST' || endpoint === 'getDiscount')
  const email = entries.map(({ input }) => input['email']).find((value) => typeof value === 'string')
  return (
    <li>
      <h3 className="call-group row small normal">
        <span className="strong">{isClick ? 'Click' : 'Email opened'}</span>
        <time className="call-at soft">{formatTime(entries[0]?.at ?? 0)}</time>
        <span className="soft clip">{email}</span>
      </h3>
      <ol>
        {entries.map((entry) => (
          <CallRow key={entry.id} entry={entry} />
        ))}
      </ol>
    </li>
  )
}

function CallRow({ entry }: { entry: LogEntry }) {
  const [open, setOpen] = useState(false)
  const { method, path } = endpoints[entry.endpoint]
  const [first, second] = entry.exchanges
  const id = useId()
  return (
    <li className="ruled" data-endpoint={entry.endpoint}>
      <button className="call-row stack" aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
        <span className={`method ${method.toLowerCase()}`}>{method}</span>
        <span className="mono">{path}</span>
        <span className="row">
          {entry.running ? (
            <span className="status">running</span>
          ) : (
            <StatusPill exchange={first} failure={entry.failure} isLost={entry.isLost} />
          )}
          {second && <StatusPill exchange={second} failure={entry.failure} isLost={false} />}
        </span>
        <span className="call-time soft">{first !== undefined && `${first.durationMs.toFixed(1)} ms`}</span>
        {entry.exchanges.some(isReplayed) && <span className="counted small strong">{texts.repeat}</span>}
        {(entry.times ?? 0) > 1 && <span className="counted notice bad">{texts.comparisons.countedTwice}</span>}
      </button>
      <div id={id}>{open && <CallDetail entry={entry} />}</div>
    </li>
  )
}
