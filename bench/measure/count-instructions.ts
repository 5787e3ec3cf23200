import { execFile, spawnSync } from 'node:child_process'
import { promisify } from 'node:util'
import type { TimedEndpoint } from './requests.ts'

const run = promisify(execFile)

/** Calls between the two counts, and before the first. */
const counted = 16_000

/** Whether instructions can be counted here: by callgrind, of Debian's package `valgrind`. */
export const canCountInstructions = spawnSync('valgrind', ['--version']).status === 0

/** Instructions of a call, of a compiled program of plain calls: what as many calls more take a process, on one thread. */
export async function countInstructions(file: string, endpoint: TimedEndpoint): Promise<number> {
  const [less, more] = await Promise.all([
    instructionsOf(file, endpoint, counted),
    instructionsOf(file, endpoint, 2 * counted),
  ])
  return (more - less) / counted
}

async function instructionsOf(file: string, endpoint: TimedEndpoint, count: number): Promise<number> {
  const valgrind = ['--tool=callgrind', '--callgrind-out-file=/dev/null', '--smc-check=all-non-file']
  const program = [process.execPath, '--single-threaded', file, endpoint, String(count)]
  const { stderr } = await run('valgrind', [...valgrind, ...program], { env: { NODE_ENV: 'production' } })
  const found = /Collected : (\d+)/.exec(stderr)?.[1]
  if (found === undefined) throw new Error(`valgrind counted nothing: ${stderr}`)
  return Number(found)
}
