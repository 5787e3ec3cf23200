import { isatty } from 'node:tty'
import { queueStandardOutput } from './log-queue.ts'

/** Numbers of the log levels in the log lines. `silent` is only a minimum level. */
const levels = { trace: 10, debug: 20, info: 30, warn: 40, error: 50, fatal: 60, silent: Infinity } as const

/** Minimum level of a log. */
export type LogLevel = keyof typeof levels

/** Returns whether a word is a log level. */
export function isLogLevel(word: string): word is LogLevel {
  return Object.hasOwn(levels, word)
}

/** Names of the log levels. */
export const logLevels: readonly string[] = Object.keys(levels)

/** Writes a log line with a message, or with fields and a message. Never waits and never throws. */
type WriteLine = (...line: [message: string] | [fields: object, message: string]) => void

/** Log with one JSON object per line. */
export type Log = Readonly<Record<'info' | 'warn' | 'error' | 'fatal', WriteLine>>

/** A log on standard output. */
export interface OpenLog {
  readonly log: Log
  /** Returns the number of lines dropped because the output was too slow. */
  dropped(): number
  /** Waits until the lines are written, for at most `ms` milliseconds. */
  flush(ms: number): Promise<void>
}

/** Opens the log on standard output from a minimum level: one JSON object per line, or readable text on a terminal. */
export function openLog(minimum: LogLevel): OpenLog {
  const { write, dropped, flush } = queueStandardOutput()
  return { log: createLog(minimum, isatty(1) ? (line) => write(formatLine(line)) : write), dropped, flush }
}

/** Creates a log that passes its lines, from a minimum level, to `write`. */
export function createLog(minimum: LogLevel, write: (line: string) => void): Log {
  const writeFrom =
    (level: LogLevel): WriteLine =>
    (first, message?: string) => {
      if (levels[level] < levels[minimum]) return
      const line = typeof first === 'string' ? { msg: first } : { ...first, msg: message }
      write(`${JSON.stringify({ level: levels[level], time: Date.now(), ...line })}\n`)
    }
  return { info: writeFrom('info'), warn: writeFrom('warn'), error: writeFrom('error'), fatal: writeFrom('fatal') }
}

/** Labels of the log levels on a terminal. */
const labels: Readonly<Record<string, string>> = { 30: 'info', 40: 'warn', 50: 'ERROR', 60: 'FATAL' }

/** Formats a JSON log line for a terminal: time, level, message, other fields. */
export function formatLine(line: string): string {
  const { level, time, msg, stack, ...others }: Readonly<Record<string, unknown>> = JSON.parse(line)
  const clock = new Date(Number(time)).toTimeString().slice(0, 8)
  const fields = Object.entries(others).map(([name, value]) => `${name}=${formatValue(value)}`)
  const first = [clock, (labels[String(level)] ?? '').padEnd(5), msg, ...fields].filter(Boolean).join(' ')
  return typeof stack === 'string' ? `${first}\n${stack.replaceAll(/^/gm, '  ')}\n` : `${first}\n`
}

/** Returns single words unchanged and other values as JSON, which escapes terminal control codes. */
function formatValue(value: unknown): string {
  return typeof value === 'string' && /^[\w./:@-]+$/.test(value) ? value : JSON.stringify(value)
}

/** Limits the log lines that clients without a key cause, so that these clients cannot fill the disk. */
export interface LineLimit {
  /** Returns whether a line may be written now; otherwise counts the line as suppressed. */
  admits(): boolean
  /** Logs the number of suppressed lines. */
  report(): void
}

/** Length of the counting window, in milliseconds. */
const windowMs = 1000

/** Admits at most `most` lines per second and logs the number of suppressed lines after each second. */
export function limitLines(log: Pick<Log, 'warn'>, most: number): LineLimit {
  let [admitted, unloggedCalls] = [0, 0]
  let timer: NodeJS.Timeout | undefined

  function report(): void {
    clearTimeout(timer)
    timer = undefined
    admitted = 0
    if (unloggedCalls > 0) log.warn({ unloggedCalls }, 'some rejected requests were not logged')
    unloggedCalls = 0
  }

  return {
    admits() {
      timer ??= setTimeout(report, windowMs).unref()
      if (admitted < most) {
        admitted += 1
        return true
      }
      unloggedCalls += 1
      return false
    },
    report,
  }
}
