import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { ChargeOrder } from '@storeport/rules'

/** A child process that has opened a store. */
export interface StoreProcess {
  /** Starts the work and waits until the process ends. Returns `undefined` if the process was killed. */
  run(): Promise<{ readonly orders: number; readonly statements: number } | undefined>
}

/** Starts a process that bills or resets a shop, and waits until the process has opened the store. */
export async function startProcess(
  work: 'bill' | 'reset',
  url: string,
  today: string,
  killAfter = 0,
  provider = '',
): Promise<StoreProcess> {
  const script = fileURLToPath(new URL('store-process.ts', import.meta.url))
  const root = fileURLToPath(new URL('../../..', import.meta.url))
  const options = [work, url, today, String(killAfter), provider]
  const child = spawn(process.execPath, ['--import', 'tsx', script, ...options], { cwd: root })
  const errors: string[] = []
  child.stderr.on('data', (data) => void errors.push(String(data)))
  const lines: string[] = []
  const reader = createInterface({ input: child.stdout }).on('line', (line) => lines.push(line))
  const ended = once(child, 'close')
  await Promise.race([once(reader, 'line'), ended])
  if (lines[0] !== 'ready') throw new Error(`The process did not start: ${errors.join('')}`)
  return {
    run: async () => {
      child.stdin.write('start\n')
      const [code, signal] = await ended
      if (signal === 'SIGKILL') return undefined
      if (code !== 0) throw new Error(`The process failed: ${errors.join('')}`)
      const [orders, statements] = (lines[1] ?? '').split(' ').map(Number)
      return { orders: orders ?? 0, statements: statements ?? 0 }
    },
  }
}

/** Returns a `charge` function that calls a payment provider. */
export function chargeAt(provider: string): ChargeOrder {
  return async ({ idempotencyKey }) => {
    const response = await fetch(`${provider}/${idempotencyKey}`, { method: 'POST' })
    if (!response.ok) throw new Error(`The payment provider answered with ${response.status}.`)
  }
}
