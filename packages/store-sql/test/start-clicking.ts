import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Click } from '@storeport/testing/clicks'

/** A process of its own that has opened a store. */
export interface ClickingProcess {
  /** Starts to send the clicks; `acknowledged` is called with each as soon as the process knows its outcome. */
  go(acknowledged?: (key: string, outcome: string) => void): void
  /** Ends the process as a crash would: it receives no warning, and finishes nothing. */
  kill(): void
  /** Waits until the process has ended; rejects when it failed. */
  ended(): Promise<void>
}

/** Starts a process that clicks, several at a time, and waits until it has opened the store. */
export async function startClicking(
  url: string,
  today: string,
  clicks: readonly Click[],
  atATime: number,
): Promise<ClickingProcess> {
  const script = fileURLToPath(new URL('click-process.ts', import.meta.url))
  const root = fileURLToPath(new URL('../../..', import.meta.url))
  const child = spawn(process.execPath, ['--import', 'tsx', script, url, today, String(atATime)], { cwd: root })
  const errors: string[] = []
  child.stderr.on('data', (data) => void errors.push(String(data)))
  // A killed process does not read what it is sent.
  child.stdin.on('error', () => {})
  const ended = once(child, 'close')
  let killed = false

  let told: (key: string, outcome: string) => void = () => {}
  const ready = new Promise<void>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const [key = '', outcome = ''] = line.split(' ')
      if (line === 'ready') resolve()
      else told(key, outcome)
    })
    void ended.then(() => reject(new Error(`The process did not start: ${errors.join('')}`)))
  })
  await ready
  return {
    go: (acknowledged) => {
      told = acknowledged ?? told
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
