import type { Exchange } from '../../src/protocol.ts'
import type { LogEntry } from '../shop/call-log.ts'
import { texts } from '../texts.ts'

/** The status of an answer, in the colour of what it means; struck out where the answer was lost. */
export function StatusPill({ exchange, failure }: { exchange: Exchange | null; failure: LogEntry['failure'] }) {
  const status = exchange?.response?.status
  if (status === undefined) return <span className="status status-bad">{texts.wire.noAnswer}</span>
  if (exchange?.lost === true) return <s className="status">{status}</s>
  const kind = status >= 500 || failure?.code === 'invalid_answer' ? 'bad' : status >= 400 ? 'refused' : 'good'
  return <span className={`status status-${kind}`}>{status}</span>
}
