import type { EndpointName } from '@storeport/core'
import type { CallRequest, DoubleClick, Exchange } from '../../src/protocol.ts'
import type { Failure } from './failure.ts'

/** One call in the log. */
export interface LogEntry {
  /** Grows with every call. */
  readonly id: number
  /** The endpoint that was called. */
  readonly endpoint: EndpointName
  /** What it was called with. */
  readonly input: CallRequest['input']
  /** How the click came twice; `null` for once. */
  readonly twice: DoubleClick | null
  /** What went over the wire; `null` while the call runs and when the host did not answer. */
  readonly exchange: Exchange | null
  /** The second exchange of a click that came twice. */
  readonly second: Exchange | null
  /** Why it did not work; `null` while it runs and when it worked. */
  readonly failure: Failure | null
  /** Whether it still runs. */
  readonly running: boolean
}

/** Most calls that the log keeps. */
const longest = 200

/** A log with a call more, newest first. */
export function addEntry(log: readonly LogEntry[], entry: LogEntry): readonly LogEntry[] {
  return [entry, ...log].slice(0, longest)
}

/** A log in which a call has ended. */
export function endEntry(
  log: readonly LogEntry[],
  id: number,
  end: Pick<LogEntry, 'exchange' | 'second' | 'failure'>,
): readonly LogEntry[] {
  return log.map((entry) => (entry.id === id ? { ...entry, ...end, running: false } : entry))
}
