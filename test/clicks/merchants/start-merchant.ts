import { resolve } from 'node:path'
import { listening } from '@storeport/testing/listen'
import { onTestFinished } from 'vitest'
import { type ForkedHost, forkHost } from '../fork-host.ts'
import type { MerchantSettings } from './merchant-host.ts'

/** Starts a merchant's process, which stops at the end of the test. */
export async function startMerchantHost(settings: MerchantSettings): Promise<ForkedHost> {
  const host = await forkHost(resolve(import.meta.dirname, 'merchant-host.ts'), settings, {
    env: { NODE_ENV: 'production' },
    execArgv: ['--import', 'tsx'],
  })
  onTestFinished(host.kill)
  return host
}

/** A payment provider that ignores repeated keys. */
export interface Provider {
  readonly url: string
  charges(): ReadonlyMap<string, number>
  /** Closes the connection after the next charge of a customer, without a response. */
  loseResponseTo(email: string): void
}

/** Starts a payment provider, which stops at the end of the test. */
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
    loseResponseTo: (email) => void losing.add(email),
  }
}
