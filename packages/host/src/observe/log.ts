import { isatty } from 'node:tty'
import { type Logger, pino } from 'pino'
import { constants, fstatSync, openSync, write } from 'node:fs'

/** Output queue shared by all hosts in the process. */
let output: LineQueue | undefined

/** Opens the log on standard output from a minimum level: one JSON object per line, or readable text on a terminal. */
export function openLog(level: string) {
  const { write: writeLine, dropped, flush } = (output ??= queueLines(openStandardOutput()))
  const log = pino({ level, base: null }, { write: isatty(1) ? (line) => writeLine(formatLine(line)) : writeLine })
  return { log, dropped, flush }
}

/** Names of the pino levels. */
const levels: Readonly<Record<string, string>> = {
  10: 'trace',
  20: 'debug',
  30: 'info',
  40: 'warn',
  50: 'ERROR',
  60: 'FATAL',
}

/** Formats a JSON log line for a terminal: time, level, message, other fields. */
export function formatLine(line: string): string {
  const { level, time, msg, stack, ...others }: Readonly<Record<string, unknown>> = JSON.parse(line)
  const clock = new Date(Number(time)).toTimeString().slice(0, 8)
  const fields = Object.entries(others).map(([name, value]) => `${name}=${formatValue(value)}`)
  const first = [clock, (levels[String(level)] ?? '').padEnd(5), msg, ...fields].filter(Boolean).join(' ')
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
export function limitLines(log: Pick<Logger, 'warn'>, most: number): LineLimit {
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

/** Writes bytes and calls `done` with the number of bytes written, or with a system error that has a `code`. */
type WriteBytes = (bytes: Buffer, done: (error: unknown, written: number) => void) => void

/** Bounded output queue that accepts lines without blocking. */
interface LineQueue {
  /** Queues a line with its line break, or drops it if the queue is full. */
  write(line: string): void
  /** Returns the number of lines dropped since the start. */
  dropped(): number
  /** Waits until the queue is empty, for at most `ms` milliseconds. */
  flush(ms: number): Promise<void>
}

/** Maximum size of the queue, in bytes. */
const maxBytes = 1_048_576

/** Delay before a failed write is retried, in milliseconds. */
const retryMs = 100

/**
 * Queues lines for an output that may be slow or stuck, such as an unread pipe or a full disk. `write` never waits.
 * Lines beyond `maxBytes` are dropped; a later log line contains the number of dropped lines.
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
      if (isPermanent(error)) {
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
    add(`${JSON.stringify({ ...line, msg: 'log lines were dropped because the output was too slow' })}\n`)
  }

  function add(line: string): void {
    waiting += Buffer.byteLength(line)
    lines.push(line)
  }

  return {
    write(line) {
      if (isClosed || waiting + Buffer.byteLength(line) > maxBytes) {
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

/** Returns whether an error is permanent: the reader has closed the pipe, or standard output is missing. */
function isPermanent(error: unknown): boolean {
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined
  return ['EPIPE', 'EBADF', 'ECONNRESET', 'ERR_STREAM_DESTROYED', 'ERR_STREAM_WRITE_AFTER_END'].includes(String(code))
}

/** Opens standard output for non-blocking writes, because a blocked write would prevent the process from exiting. */
function openStandardOutput(): WriteBytes {
  const { stdout } = process
  // Without a listener, a failed write to standard output would end the process.
  stdout.on('error', () => {})
  const file = standardOutput()
  if (file !== undefined) return (bytes, done) => write(file, bytes, done)
  // Node buffers unlimited data for pipes and sockets, so the queue waits for each write before the next.
  return (bytes, done) => void stdout.write(bytes, (error) => done(error, error ? 0 : bytes.length))
}

/** Returns a file descriptor on which writes do not block forever; `undefined` for pipes and sockets. */
function standardOutput(): number | undefined {
  try {
    if (isatty(1)) return openSync('/proc/self/fd/1', constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY)
    const kind = fstatSync(1)
    return kind.isFile() || kind.isCharacterDevice() ? 1 : undefined
  } catch {
    return undefined
  }
}
