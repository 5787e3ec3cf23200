#!/usr/bin/env node
import { run } from './cli/run.ts'

/** If a reader such as `head` closes the pipe before all output is written, exits without an error message. */
process.stdout.on('error', () => process.exit(2))

void run(process.argv.slice(2), process.env, {
  out: (line) => void process.stdout.write(`${line}\n`),
  err: (line) => void process.stderr.write(`${line}\n`),
}).then((code) => (process.exitCode = code))
