import { execFileSync, spawnSync } from 'node:child_process'
import { availableParallelism } from 'node:os'

/** Whether processes can be kept on a processor each: Linux, `taskset` of util-linux, and two processors. */
const canPin = availableParallelism() > 1 && spawnSync('taskset', ['-p', String(process.pid)]).status === 0

/** What starts a program that is kept on the processor of what is measured; nothing where that cannot be. */
export const onItsOwnProcessor: readonly string[] = canPin ? ['taskset', '-c', '1'] : []

/** Keeps this process, which makes the load, off that processor. */
export function leaveProcessor(): void {
  if (canPin) execFileSync('taskset', ['-a', '-c', '-p', '0', String(process.pid)], { stdio: 'ignore' })
}
