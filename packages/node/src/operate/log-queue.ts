import { constants, fstatSync, openSync, write } from 'node:fs'
import { isatty } from 'node:tty'

/** Writes bytes and calls `done` with the number of bytes written, or with a system error that has a `code`. */
type WriteBytes = (bytes: Buffer, done: (error: unknown, written: number) => void) => void

/** Bounded output queue that accepts lines without blocking. */
export interface LineQueue {
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

/** Output queue shared by all logs in the process. */
let output: LineQueue | undefined

/** Returns the queue of standard output. */
export function queueStandardOutput(): LineQueue {
  return (output ??= queueLines(openStandardOutput()))
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
