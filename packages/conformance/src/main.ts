#!/usr/bin/env node
import { isatty } from 'node:tty'
import pc from 'picocolors'
import { run } from './cli/run.ts'
import type { Terminal } from './cli/terminal.ts'

const { stdout, stderr, env } = process
const wantsColors = pc.isColorSupported
const terminal: Terminal = {
  out: (text) => void stdout.write(text),
  err: (text) => void stderr.write(text),
  outHasColors: wantsColors && isatty(stdout.fd),
  errHasColors: wantsColors && isatty(stderr.fd),
  isWatched: isatty(stderr.fd) && env['TERM'] !== 'dumb' && env['CI'] === undefined,
  columns: () => stderr.columns || 80,
}

/** The first signal ends the run with a report of what is known; a second one does not wait. */
const interrupt = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupt.abort())

/** The reader of the output may stop reading, as `head` does. */
stdout.on('error', () => process.exit(2))

process.on('uncaughtException', (error) => {
  terminal.err(`\nstoreport-conformance: a fault of this command, not of the shop: ${error.message}\n`)
  process.exit(2)
})

async function end(): Promise<void> {
  const code = await run(process.argv.slice(2), env, terminal, interrupt.signal)
  // A connection that the shop keeps open must not keep the command; what is still being written must.
  stdout.write('', () => stderr.write('', () => process.exit(code)))
}

void end()
