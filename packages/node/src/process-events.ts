import { describeError } from '@storeport/core'
import { createLog, flushOutput, type Log } from './log.ts'

/** Milliseconds in which repeated signals are ignored, because npm forwards a signal that the terminal also sends. */
const sameSignalMs = 200

/** Runs `act` on the first SIGINT, SIGTERM or SIGHUP. A signal more than `sameSignalMs` later exits with 1. */
export function onFirstSignal(act: () => void): void {
  let first: number | undefined
  const receive = () => {
    if (first !== undefined && performance.now() - first > sameSignalMs) process.exit(1)
    if (first !== undefined) return
    first = performance.now()
    act()
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, receive)
}

/**
 * Logs an uncaught exception and exits with 1, because the state of the process is then unknown. For an invalid setting,
 * a store that cannot be opened or an unusable port, prints only the message.
 */
export function endOnUncaught(log: Pick<Log, 'fatal'> = createLog('fatal')): void {
  process.on('uncaughtException', async (error: unknown) => {
    if (isStartError(error)) process.stderr.write(`${error.message}\n`)
    else log.fatal(describeError(error), 'uncaught exception, exiting')
    await flushOutput()
    process.exit(1)
  })
}

/** Returns whether an error means that the server cannot start. Its message states what to change. */
function isStartError(error: unknown): error is Error {
  if (!(error instanceof Error)) return false
  return /(?:Settings|Open)Error$/.test(error.name) || isListenError(error)
}

/** Returns whether a server could not listen on its address. */
function isListenError(error: unknown): boolean {
  return error instanceof Error && (Reflect.get(error, 'syscall') === 'listen' || isListenError(error.cause))
}
