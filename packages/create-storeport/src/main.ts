#!/usr/bin/env node
import { run } from './run.ts'

const { stdin, stdout, stderr } = process

async function end(): Promise<void> {
  process.exitCode = await run(process.argv.slice(2), { input: stdin, output: stdout, errors: stderr })
}

void end()
