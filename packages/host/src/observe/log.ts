import { isatty } from 'node:tty'
import { type Logger, pino } from 'pino'
import { constants, fstatSync, openSync, write } from 'node:fs'

/** The host's log, and how it leaves the process. */
interface HostLog extends Pick<LineQueue, 'dropped' | 'flush'> {
  /** Takes lines and waits for nobody. */
  readonly log: Logger
}

/** The one way out of this process: hosts that run side by side share it. */
let output: LineQueue | undefined

/** Opens the log on standard output, of a level and those above it: one JSON object a line, or words where a person watches. */
export function openLog(level: string): HostLog {
  const queue = (output ??= queueLines(openStandardOutput()))
  const writeLine = isatty(1) ? (line: string) => queue.write(formatLine(line)) : queue.write
  return { log: pino({ level, base: null }, { write: writeLine }), dropped: queue.dropped, flush: queue.flush }
}

/** The names of pino's levels. */
const levels: Readonly<Record<string, string>> = {
  10: 'trace',
  20: 'debug',
  30: 'info',
  40: 'warn',
  50: 'ERROR',
  60: 'FATAL',
}

/** A JSON line of the log for a person at a terminal: the time, the level, the message, then whatever else it holds. */
export function formatLine(line: string): string {
  const { level, time, msg, stack, ...others }: Readonly<Record<string, unknown>> = JSON.parse(line)
  const clock = new Date(Number(time)).toTimeString().slice(0, 8)
  const fields = Object.entries(others).map(([name, value]) => `${name}=${formatValue(value)}`)
  const first = [clock, (levels[String(level)] ?? '').padEnd(5), msg, ...fields].filter(Boolean).join(' ')
  return typeof stack === 'string' ? `${first}\n${stack.replaceAll(/^/gm, '  ')}\n` : `${first}\n`
}

/** What is more than a word stays JSON, so that nothing in it can move the cursor. */
function formatValue(value: unknown): string {
  return typeof value === 'string' && /^[\w./:@-]+$/.test(value) ? value : JSON.stringify(value)
}

/** Lines that strangers cause: as many as they like would fill a disk. */
export interface LineLimit {
  /** Whether another line may be written now; one that may not is counted. */
  admits(): boolean
  /** Writes the count of what was not written so far. */
  report(): void
}

/** How long lines are counted together, in milliseconds. */
const windowMs = 1000

/** Admits so many lines in each second, and writes one at its end that counts the rest. */
export function limitLines(log: Pick<Logger, 'warn'>, most: number): LineLimit {
  let [admitted, unloggedCalls] = [0, 0]
  let timer: NodeJS.Timeout | undefined

  function report(): void {
    clearTimeout(timer)
    timer = undefined
    admitted = 0
    if (unloggedCalls > 0) log.warn({ unloggedCalls }, 'more calls were refused than are logged')
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

/** Writes bytes and says how many were taken, or why none were: an error of the system with its `code`. */
type WriteBytes = (bytes: Buffer, done: (error: unknown, written: number) => void) => void

/** A log's way out: it takes every line at once, and never more of them than it has room for. */
interface LineQueue {
  /** Takes a line with its end, or drops it when there is no room. */
  write(line: string): void
  /** Lines that were dropped since the start. */
  dropped(): number
  /** Waits until everything has been written, but no longer than a time in milliseconds. */
  flush(ms: number): Promise<void>
}

/** Bytes that wait at most. */
const mostBytes = 1_048_576

/** Time before a writing that failed is tried again, in milliseconds. */
const retryMs = 100

/**
 * Hands lines to something slow, or stuck: a pipe that nobody reads, a full disk. Nobody waits for it; lines that have no room are
 * dropped, and when there is room again a line of the log says how many.
 */
export function queueLines(writeBytes: WriteBytes): LineQueue {
  let lines: string[] = []
  let [waiting, droppedLines, reported] = [0, 0, 0]
  let isWriting = false
  let isClosed = false
  const flushes = new Set<() => void>()
  const onEmpty = () => flushes.forEach((end) => end())

  function writeNext(): void {
    if (lines.length === 0) return onEmpty()
    const bytes = Buffer.from(lines.join(''))
    lines = []
    isWriting = true
    writeAll(bytes)
  }

  function writeAll(bytes: Buffer): void {
    writeBytes(bytes, (error, written) => {
      waiting -= written
      const rest = bytes.subarray(written)
      if (isForGood(error)) {
        isClosed = true
        lines = []
        onEmpty()
      } else if (error) {
        setTimeout(() => writeAll(rest), retryMs).unref()
      } else if (rest.length > 0) {
        writeAll(rest)
      } else {
        isWriting = false
        reportDropped()
        writeNext()
      }
    })
  }

  function reportDropped(): void {
    if (droppedLines === reported) return
    const line = { level: 40, time: Date.now(), droppedLines: droppedLines - reported }
    reported = droppedLines
    add(`${JSON.stringify({ ...line, msg: 'lines of the log were dropped: nobody took them in time' })}\n`)
  }

  function add(line: string): void {
    waiting += Buffer.byteLength(line)
    lines.push(line)
  }

  return {
    write(line) {
      if (isClosed || waiting + Buffer.byteLength(line) > mostBytes) {
        droppedLines += 1
        return
      }
      add(line)
      if (!isWriting) writeNext()
    },
    dropped: () => droppedLines,
    flush: (ms) =>
      new Promise((resolve) => {
        const end = () => {
          clearTimeout(timer)
          flushes.delete(end)
          resolve()
        }
        const timer = setTimeout(end, ms)
        flushes.add(end)
        if (isClosed || (!isWriting && lines.length === 0)) onEmpty()
      }),
  }
}

/** Whoever read the pipe has left, or there is no such output: it is of no use to try again. */
function isForGood(error: unknown): boolean {
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined
  return ['EPIPE', 'EBADF', 'ECONNRESET', 'ERR_STREAM_DESTROYED', 'ERR_STREAM_WRITE_AFTER_END'].includes(String(code))
}

/** Finds the way to write to standard output that waits for nobody, also at the end: a thread that is stuck in a write would keep the process from ending. */
function openStandardOutput(): WriteBytes {
  const { stdout } = process
  // Also what the console says of the start goes there: that nobody takes it is no reason to end.
  stdout.on('error', () => {})
  const file = standardOutput()
  if (file !== undefined) return (bytes, done) => write(file, bytes, done)
  // Node writes to pipes and sockets without waiting, and keeps what they do not take: one piece at a time.
  return (bytes, done) => void stdout.write(bytes, (error) => done(error, error ? 0 : bytes.length))
}

/** The descriptor to write to, where a write to it ends by itself; `undefined` for pipes and sockets. */
function standardOutput(): number | undefined {
  try {
    if (isatty(1)) return openSync('/proc/self/fd/1', constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY)
    const kind = fstatSync(1)
    return kind.isFile() || kind.isCharacterDevice() ? 1 : undefined
  } catch {
    return undefined
  }
}
