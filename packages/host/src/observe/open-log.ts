import { isatty } from 'node:tty'
import { type Logger, pino } from 'pino'
import { formatLine } from './format-line.ts'
import { type LineQueue, queueLines } from './queue-lines.ts'
import { openStandardOutput } from './write-to-stdout.ts'

/** The host's log, and how it leaves the process. */
export interface HostLog extends Pick<LineQueue, 'dropped' | 'flush'> {
  /** Takes lines and waits for nobody. */
  readonly log: Logger
}

/** The one way out of this process: hosts that run side by side share it. */
let output: LineQueue | undefined

/** Opens the log on standard output, of a level and those above it: one JSON object a line, or words where a person watches. */
export function openLog(level: string): HostLog {
  const { write, dropped, flush } = (output ??= queueLines(openStandardOutput()))
  const writeLine = isatty(1) ? (line: string) => write(formatLine(line)) : write
  return { log: pino({ level, base: null }, { write: writeLine }), dropped, flush }
}
