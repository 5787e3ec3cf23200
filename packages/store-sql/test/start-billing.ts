import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** A child process that has opened a store and can bill its customers. */
export interface BillingProcess {
  /** Starts billing and waits until the process ends. Returns `undefined` if the process was killed. */
  bill(): Promise<{ readonly orders: number; readonly statements: number } | undefined>
}

/** Starts a billing process and waits until the process has opened the store. */
export async function startBilling(url: string, today: string, killAfter = 0): Promise<BillingProcess> {
  const script = fileURLToPath(new URL('bill-process.ts', import.meta.url))
  const root = fileURLToPath(new URL('../../..', import.meta.url))
  const child = spawn(process.execPath, ['--import', 'tsx', script, url, today, String(killAfter)], { cwd: root })
  const errors: string[] = []
  child.stderr.on('data', (data) => void errors.push(String(data)))
  const lines: string[] = []
  const reader = createInterface({ input: child.stdout }).on('line', (line) => lines.push(line))
  const ended = once(child, 'close')
  await Promise.race([once(reader, 'line'), ended])
  if (lines[0] !== 'ready') throw new Error(`The process did not start: ${errors.join('')}`)
  return {
    bill: async () => {
      child.stdin.write('bill\n')
      const [code, signal] = await ended
      if (signal === 'SIGKILL') return undefined
      if (code !== 0) throw new Error(`The process failed: ${errors.join('')}`)
      const [orders, statements] = (lines[1] ?? '').split(' ').map(Number)
      return { orders: orders ?? 0, statements: statements ?? 0 }
    },
  }
}
