import { constants, fstatSync, openSync, write } from 'node:fs'
import { isatty } from 'node:tty'
import type { WriteBytes } from './queue-lines.ts'

/** Finds the way to write to standard output that waits for nobody, also at the end: a thread that is stuck in a write would keep the process from ending. */
export function openStandardOutput(): WriteBytes {
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
