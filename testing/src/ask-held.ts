import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { Held } from './report-held.ts'

/** Arguments of Node for a process that can be asked what it holds; it needs an `ipc` channel. */
export const reportsHeld = [
  '--expose-gc',
  '--import',
  'tsx',
  '--import',
  new URL('report-held.ts', import.meta.url).href,
]

/** What a process holds after everything that can go has gone. */
export async function askHeld(child: ChildProcess): Promise<Held> {
  child.send('what do you hold')
  const [held]: Held[] = await once(child, 'message')
  if (held === undefined) throw new Error('the process did not say what it holds')
  return held
}
