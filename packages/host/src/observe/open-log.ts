import { type Logger, pino } from 'pino'
import { type LineQueue, queueLines } from './queue-lines.ts'
import { openStandardOutput } from './write-to-stdout.ts'

/** The host's log, and how it leaves the process. */
export interface HostLog extends Pick<LineQueue, 'dropped' | 'flush'> {
  /** Takes lines and waits for nobody. */
  readonly log: Logger
}

/** The one way out of this process: hosts that run side by side share it. */
let output: LineQueue | undefined

/** Opens the log on standard output, one JSON object a line, of a level and those above it. */
export function openLog(level: string): HostLog {
  const { write, dropped, flush } = (output ??= queueLines(openStandardOutput()))
  return { log: pino({ level, base: null }, { write }), dropped, flush }
}
