#!/usr/bin/env node
import { run } from './cli/run.ts'

const { stdout, stderr } = process

/** Ends the command if a reader such as `head` closes the pipe before all output is written. */
let endWithoutReader = (): void => process.exit(2)
for (const stream of [stdout, stderr]) stream.on('error', () => endWithoutReader())

const err = (line: string) => void stderr.write(`${line}\n`)

/** Time in which a further signal is the same Ctrl-C, because npx forwards the signal of the terminal. In milliseconds. */
const sameSignalMs = 500

/** Returns a signal that SIGINT, SIGTERM or a closed pipe aborts. A second SIGINT or SIGTERM ends the command immediately. */
function catchInterrupts(): AbortSignal {
  const interruption = new AbortController()
  let endsAfter = Infinity
  const onSignal = () => {
    if (performance.now() > endsAfter) {
      err('Ended before the cleanup was complete. Objects named "StorePort verify" can remain in the sandbox account.')
      process.exit(130)
    }
    if (interruption.signal.aborted) return
    endsAfter = performance.now() + sameSignalMs
    interruption.abort()
  }
  endWithoutReader = () => interruption.abort()
  process.on('SIGINT', onSignal)
  process.on('SIGTERM', onSignal)
  return interruption.signal
}

const terminal = { out: (line: string) => void stdout.write(`${line}\n`), err, catchInterrupts }
void run(process.argv.slice(2), process.env, terminal).then((code) => (process.exitCode = code))
