import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { ResourceUsage } from './report-resource-usage.ts'

/** Node arguments for a process that reports its resource usage over an `ipc` channel. */
export const resourceUsageArgs = [
  '--expose-gc',
  '--import',
  'tsx',
  '--import',
  new URL('report-resource-usage.ts', import.meta.url).href,
]

/** Returns the resource usage of a process after garbage collection. */
export async function readResourceUsage(child: ChildProcess): Promise<ResourceUsage> {
  child.send('report')
  const [usage]: ResourceUsage[] = await once(child, 'message')
  if (usage === undefined) throw new Error('The process did not report its resource usage.')
  return usage
}
