import { type EndpointName, endpoints } from '@storeport/core'
import { useId, useState } from 'react'
import { EmptyPlace } from '../parts/notice.tsx'
import type { LogEntry } from '../shop/use-calls.ts'
import { texts } from '../texts/texts.ts'
import { CallDetail, StatusPill } from './call-detail.tsx'

/** All calls of the page, newest first. */
export function CallList(props: {
  log: readonly LogEntry[]
  onClear: () => void
  /** Endpoint that the URL names. The list expands the oldest call to this endpoint. */
  linked: EndpointName | null
  onOpen: (endpoint: EndpointName | null) => void
  onLook: (() => void) | null
}) {
  const { log, onClear, linked } = props
  const open = linked === null ? undefined : log.findLast(({ endpoint }) => endpoint === linked)
  const isMissing = linked !== null && open === undefined && log.every(({ running }) => !running)
  if (log.length === 0) return <EmptyPlace title={texts.wire.emptyTitle} text={texts.wire.emptyText} />
  return (
    <>
      {isMissing && <p className="soft small">{texts.link.otherCall(endpoints[linked].path)}</p>}
      <div className="between">
        <p className="soft small">{texts.wire.count(log.length)}</p>
        <button className="link-button" onClick={onClear}>
          {texts.wire.clear}
        </button>
      </div>
      <ol className="calls">
        {log.map((entry) => (
          <CallRow key={entry.id} entry={entry} isLinked={entry === open} onOpen={props.onOpen} onLook={props.onLook} />
        ))}
      </ol>
    </>
  )
}

function CallRow(props: {
  entry: LogEntry
  isLinked: boolean
  onOpen: (endpoint: EndpointName | null) => void
  onLook: (() => void) | null
}) {
  const { entry } = props
  const [chosen, setChosen] = useState<boolean | null>(null)
  const open = chosen ?? props.isLinked
  const { method, path } = endpoints[entry.endpoint]
  const [first, second] = entry.exchanges
  const id = useId()

  function toggle(): void {
    setChosen(!open)
    props.onOpen(open ? null : entry.endpoint)
  }
  return (
    <li className="ruled" data-endpoint={entry.endpoint}>
      <button className="call-row" aria-expanded={open} aria-controls={id} onClick={toggle}>
        <span className={`method ${method.toLowerCase()}`}>{method}</span>
        <span className="mono">{path}</span>
        <span className="row">
          {entry.running ? (
            <span className="status">{texts.wire.running}</span>
          ) : (
            <StatusPill exchange={first} failure={entry.failure} isLost={entry.isLost} />
          )}
          {second !== undefined && <StatusPill exchange={second} failure={entry.failure} isLost={false} />}
        </span>
        <span className="call-time soft">
          {first !== undefined && texts.wire.milliseconds(first.durationMs.toFixed(1))}
        </span>
      </button>
      <div id={id}>{open && <CallDetail entry={entry} onLook={props.onLook} />}</div>
    </li>
  )
}
