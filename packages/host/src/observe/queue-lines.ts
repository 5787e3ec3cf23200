/** Writes bytes and says how many were taken, or why none were: an error of the system with its `code`. */
export type WriteBytes = (bytes: Buffer, done: (error: unknown, written: number) => void) => void

/** A log's way out: it takes every line at once, and never more of them than it has room for. */
export interface LineQueue {
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
