import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Click } from '@storeport/testing/clicks'

/** A child process that has opened a store and can send clicks. */
export interface ClickingProcess {
  /** Starts sending the clicks. Calls `acknowledged` with the key and the outcome of each click. */
  go(acknowledged?: (key: string, outcome: string) => void): void
  /** Kills the process immediately. */
  kill(): void
  /** Waits until the process ends; rejects if the process failed. */
  ended(): Promise<void>
}

/** Starts a process that sends concurrent clicks, and waits until it has opened the store. */
export async function startClicking(
  url: string,
  today: string,
  clicks: readonly Click[],
  concurrency: number,
): Promise<ClickingProcess> {
  const script = fileURLToPath(new URL('click-process.ts', import.meta.url))
  const root = fileURLToPath(new URL('../../..', import.meta.url))
  const child = spawn(process.execPath, ['--import', 'tsx', script, url, today, String(concurrency)], { cwd: root })
  const errors: string[] = []
  child.stderr.on('data', (data) => void errors.push(String(data)))
  // Ignores write errors after the process was killed.
  child.stdin.on('error', () => {})
  const ended = once(child, 'close')
  let killed = false

  let report: (key: string, outcome: string) => void = () => {}
  const ready = new Promise<void>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const [key = '', outcome = ''] = line.split(' ')
      if (line === 'ready') resolve()
      else report(key, outcome)
    })
    void ended.then(() => reject(new Error(`The process did not start: ${errors.join('')}`)))
  })
  await ready
  return {
    go: (acknowledged) => {
      report = acknowledged ?? report
      child.stdin.end(clicks.map((each) => `${JSON.stringify(each)}\n`).join('') + 'go\n')
    },
    kill: () => {
      killed = true
      child.kill('SIGKILL')
    },
    ended: async () => {
      const [code] = await ended
      if (!killed && code !== 0) throw new Error(`The process failed: ${errors.join('')}`)
    },
  }
}
