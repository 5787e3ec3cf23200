import type { Log, LogLevel } from '@storeport/node'
import { pino } from 'pino'

/** Output of a log, such as `process.stdout`. */
interface Output {
  /** Whether the output is a terminal. */
  readonly isTTY?: boolean
  /** Number of bytes that wait for the reader. */
  readonly writableLength: number
  write(line: string, done: (error?: Error | null) => void): unknown
  on(event: 'error', listener: () => void): unknown
  off(event: 'error', listener: () => void): Output
}

/** Log of the host. */
export interface HostLog {
  readonly log: Log
  /** Returns the number of lines dropped because the output was too slow or failed. */
  dropped(): number
}

const ignore = () => {}

/** Maximum number of bytes that wait for the reader. */
const maxWaiting = 262_144

/**
 * Opens a log from a minimum level: one JSON object per line, or readable text on a terminal. Never waits. Lines beyond
 * `maxWaiting` are dropped; a later line contains the number of dropped lines.
 */
export function openLog(level: LogLevel, output: Output = process.stdout): HostLog {
  let [dropped, reported] = [0, 0]
  const format = output.isTTY ? formatLine : (line: string) => line
  // Without a listener, a failed write would end the process. Several hosts in a process share the listener.
  output.off('error', ignore).on('error', ignore)

  function write(line: string): void {
    if (output.writableLength > maxWaiting) {
      dropped += 1
      return
    }
    const unreported = output.writableLength === 0 ? dropped - reported : 0
    reported += unreported
    output.write(`${unreported > 0 ? format(describeDropped(unreported)) : ''}${format(line)}`, (error) => {
      if (!error) return
      dropped += 1
      reported -= unreported
    })
  }

  return { log: pino({ level, base: null }, { write }), dropped: () => dropped }
}

function describeDropped(droppedLines: number): string {
  const msg = 'log lines were dropped because the output was too slow or failed'
  return `${JSON.stringify({ level: 40, time: Date.now(), droppedLines, msg })}\n`
}

/** Labels of the log levels on a terminal. */
const labels: Readonly<Record<string, string>> = { 30: 'info', 40: 'warn', 50: 'ERROR', 60: 'FATAL' }

/** Formats a JSON log line for a terminal: time, level, message, other fields. */
function formatLine(line: string): string {
  const { level, time, msg, ...others }: Readonly<Record<string, unknown>> = JSON.parse(line)
  const clock = new Date(Number(time)).toTimeString().slice(0, 8)
  const fields = Object.entries(others).map(([name, value]) => `${name}=${formatValue(value)}`)
  return `${[clock, (labels[String(level)] ?? '').padEnd(5), msg, ...fields].join(' ')}\n`
}

/** Returns single words unchanged and other values as JSON, which escapes terminal control codes. */
function formatValue(value: unknown): string {
  return typeof value === 'string' && /^[\w./:@-]+$/.test(value) ? value : JSON.stringify(value)
}
