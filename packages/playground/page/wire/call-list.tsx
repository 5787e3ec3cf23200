import { endpoints } from '@storeport/core'
import { useId, useState } from 'react'
import { EmptyPlace } from '../parts/notice.tsx'
import type { LogEntry } from '../shop/call-log.ts'
import { texts } from '../texts.ts'
import { CallDetail } from './call-detail.tsx'

/** Every call of the page, newest first. */
export function CallList({ log, onClear }: { log: readonly LogEntry[]; onClear: () => void }) {
  if (log.length === 0) return <EmptyPlace title={texts.wire.emptyTitle} text={texts.wire.emptyText} />
  return (
    <>
      <div className="wire-bar">
        <p className="soft small">{texts.wire.count(log.length)}</p>
        <button type="button" className="link-button" onClick={onClear}>
          {texts.wire.clear}
        </button>
      </div>
      <ol className="calls">
        {log.map((entry) => (
          <CallRow key={entry.id} entry={entry} />
        ))}
      </ol>
    </>
  )
}

function CallRow({ entry }: { entry: LogEntry }) {
  const [open, setOpen] = useState(false)
  const { method, path } = endpoints[entry.endpoint]
  const id = useId()
  return (
    <li className="call" data-endpoint={entry.endpoint}>
      <button type="button" className="call-row" aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
        <span className={`method method-${method.toLowerCase()}`}>{method}</span>
        <span className="call-path">{path}</span>
        <StatusOf entry={entry} />
        <span className="call-time">
          {entry.exchange !== null && texts.wire.milliseconds(entry.exchange.durationMs.toFixed(1))}
        </span>
      </button>
      <div id={id}>{open && <CallDetail entry={entry} />}</div>
    </li>
  )
}

function StatusOf({ entry }: { entry: LogEntry }) {
  if (entry.running) return <span className="status">{texts.wire.running}</span>
  const status = entry.exchange?.response?.status
  if (status === undefined) return <span className="status status-bad">{texts.wire.noAnswer}</span>
  const kind = status >= 500 || entry.failure?.code === 'invalid_answer' ? 'bad' : status >= 400 ? 'refused' : 'good'
  return <span className={`status status-${kind}`}>{status}</span>
}
