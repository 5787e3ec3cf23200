import { fork } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { listening } from '@storeport/testing/listen'
import { onTestFinished } from 'vitest'
import type { RoadSettings } from './road-host.ts'

/** A merchant's process that was started. */
export interface RoadHost {
  readonly url: string
  /** What it has written on the console. */
  log(): string
  /** Ends the process as a crash would, and waits until it is gone. */
  kill(): Promise<void>
}

/** Starts a merchant's process; it ends with the test. */
export async function startRoadHost(settings: RoadSettings): Promise<RoadHost> {
  const child = fork(resolve(import.meta.dirname, 'road-host.ts'), [JSON.stringify(settings)], {
    execArgv: ['--import', 'tsx'],
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  let log = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (data: Buffer) => (log += data.toString()))
  const gone = once(child, 'exit')
  const kill = async () => {
    child.kill('SIGKILL')
    await gone
  }
  onTestFinished(kill)
  const ended = gone.then((): never => {
    throw new Error(`the host ended before it listened: ${log}`)
  })
  const [url]: unknown[] = await Promise.race([once(child, 'message'), ended])
  ended.catch(() => {})
  return { url: String(url), log: () => log, kill }
}

/** A payment provider, which remembers the key of each charge. */
export interface Provider {
  readonly url: string
  /** How many charges each customer has: a key that comes again makes none. */
  charges(): ReadonlyMap<string, number>
  /** Has it charge and then break the connection, for the next charge of a customer. */
  loseAnswerOf(email: string): void
}

/** Starts a payment provider until the end of the test. */
export async function startProvider(): Promise<Provider> {
  const keys = new Set<string>()
  const charges = new Map<string, number>()
  const losing = new Set<string>()
  const { url = '', stop = () => {} } = await listening((request, response) => {
    const path = request.url ?? ''
    if (path.startsWith('/charges/')) {
      response.writeHead(keys.has(path.slice('/charges/'.length)) ? 200 : 404).end()
      return
    }
    let text = ''
    request.on('data', (data: Buffer) => (text += data.toString()))
    request.on('end', () => {
      const { email, idempotencyKey }: { email: string; idempotencyKey: string } = JSON.parse(text)
      if (!keys.has(idempotencyKey)) charges.set(email, (charges.get(email) ?? 0) + 1)
      keys.add(idempotencyKey)
      if (losing.delete(email)) request.socket.destroy()
      else response.writeHead(200).end()
    })
  })
  onTestFinished(stop)
  return {
    url,
    charges: () => charges,
    loseAnswerOf: (email) => void losing.add(email),
  }
}
