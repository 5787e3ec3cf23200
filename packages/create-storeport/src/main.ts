#!/usr/bin/env node
import { run } from './run.ts'

const { stdin, stdout, stderr } = process

// Without this listener, a closed pipe, such as of `head`, ends the process with a stack trace.
stdout.on('error', () => {})

async function end(): Promise<void> {
  process.exitCode = await run(process.argv.slice(2), { input: stdin, output: stdout, errors: stderr })
}

void end()
