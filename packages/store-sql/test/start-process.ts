import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { ChargeOrder } from '@storeport/rules'

interface Work {
  readonly orders: number
  readonly statements: number
}

/** A child process that has opened a store. */
export interface StoreProcess {
  /** Starts the work and waits until the process ends. Returns `undefined` if the process was killed. */
  run(): Promise<Work | undefined>
}

/** Starts a process that bills or resets a shop, and waits until the process has opened the store. */
export async function startProcess(
  work: 'bill' | 'reset',
  url: string,
  today: string,
  killAfter = 0,
  provider = '',
): Promise<StoreProcess> {
  const root = fileURLToPath(new URL('../../..', import.meta.url))
  const child = fork(
    fileURLToPath(new URL('store-process.ts', import.meta.url)),
    [work, url, today, String(killAfter), provider],
    { cwd: root, execArgv: ['--import', 'tsx'], stdio: ['ignore', 'ignore', 'pipe', 'ipc'] },
  )
  let errors = ''
  child.stderr?.on('data', (data) => (errors += String(data)))
  const ended = once(child, 'close')
  const failed = ended.then((): never => {
    throw new Error(`The process failed: ${errors}`)
  })
  failed.catch(() => {})
  await Promise.race([once(child, 'message'), failed])
  return {
    run: async () => {
      const result: Promise<Work[]> = once(child, 'message')
      child.send('start')
      const [code, signal] = await ended
      if (signal === 'SIGKILL') return undefined
      return code === 0 ? (await result)[0] : failed
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
