import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { ResourceUsage } from './report-resource-usage.ts'

/** Arguments of Node for a process that can be asked what it holds; it needs an `ipc` channel. */
export const resourceUsageArgs = [
  '--expose-gc',
  '--import',
  'tsx',
  '--import',
  new URL('report-resource-usage.ts', import.meta.url).href,
]

/** What a process holds after everything that can go has gone. */
export async function readResourceUsage(child: ChildProcess): Promise<ResourceUsage> {
  child.send('what do you hold')
  const [held]: ResourceUsage[] = await once(child, 'message')
  if (held === undefined) throw new Error('the process did not say what it holds')
  return held
}
