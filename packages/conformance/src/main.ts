#!/usr/bin/env node
import { isatty } from 'node:tty'
import pc from 'picocolors'
import { run } from './cli/run.ts'
import type { Terminal } from './cli/terminal.ts'

const { stdout, stderr, env } = process
const supportsColors = pc.isColorSupported
const terminal: Terminal = {
  out: (text) => void stdout.write(text),
  err: (text) => void stderr.write(text),
  outHasColors: supportsColors && isatty(stdout.fd),
  errHasColors: supportsColors && isatty(stderr.fd),
}

/** Aborts on the first signal, so that the run prints a report. A second signal ends the process immediately. */
const interrupt = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupt.abort())

/** If a reader such as `head` closes the pipe before all output is written, exits without an error message. */
stdout.on('error', () => process.exit(2))

process.on('uncaughtException', (error) => {
  terminal.err(`\nstoreport-conformance: internal error (not a defect of the shop): ${error.message}\n`)
  process.exit(2)
})

async function end(): Promise<void> {
  const code = await run(process.argv.slice(2), env, terminal, interrupt.signal)
  // Exits when all output is written, even if the shop keeps connections open.
  stdout.write('', () => stderr.write('', () => process.exit(code)))
}

void end()
