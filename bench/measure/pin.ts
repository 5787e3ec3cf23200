import { execFileSync, spawnSync } from 'node:child_process'

/** The processors that this process may use, as `taskset` of util-linux lists them; Linux alone has it. */
const listed = spawnSync('taskset', ['-c', '-p', String(process.pid)], { encoding: 'utf8' })
const [, all = ''] = /list: (\S+)/.exec(listed.stdout ?? '') ?? []
const [first, second] = all.split(',').flatMap((range) => {
  const [from = Number.NaN, to = from] = range.split('-').map(Number)
  return Array.from({ length: to - from + 1 }, (_, index) => from + index)
})

/** What starts a program that is kept on the processor of what is measured; nothing where that cannot be. */
export const onItsOwnProcessor: readonly string[] = second === undefined ? [] : ['taskset', '-c', String(second)]

/** Keeps this process, which makes the load, and what it starts from now on off that processor. */
export function leaveProcessor(): void {
  if (second !== undefined) keepOn(String(first))
}

/** Gives this process, and what it starts from now on, every processor back. */
export function useAllProcessors(): void {
  if (second !== undefined) keepOn(all)
}

function keepOn(processors: string): void {
  execFileSync('taskset', ['-a', '-c', '-p', processors, String(process.pid)], { stdio: 'ignore' })
}
