#!/usr/bin/env node
import { run } from './cli/run.ts'

const { argv, env, stdout, stderr } = process
const interruption = new AbortController()
const isVerify = argv.includes('verify')
// `verify` removes what it created after Ctrl-C, and if a reader such as `head` closes the pipe.
const end = isVerify ? () => interruption.abort() : () => process.exit(2)
for (const stream of [stdout, stderr]) stream.on('error', end)
if (isVerify) for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, end)

const terminal = {
  out: (line: string) => void stdout.write(`${line}\n`),
  err: (line: string) => void stderr.write(`${line}\n`),
  interruption: interruption.signal,
}
void run(argv.slice(2), env, terminal).then((code) => (process.exitCode = code))
