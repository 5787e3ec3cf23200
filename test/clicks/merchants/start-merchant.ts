import { resolve } from 'node:path'
import { findFreePort } from '@storeport/testing/find-free-port'
import { listening } from '@storeport/testing/listen'
import { onTestFinished } from 'vitest'
import { forkHost } from '../fork-host.ts'
import type { MerchantSettings } from './merchant-host.ts'

/**
 * Starts a merchant's process, and starts it again on the same port whenever it has killed itself. Stops the process at
 * the end of the test.
 */
export async function keepMerchantHost(
  settings: Partial<MerchantSettings>,
  program = 'merchant-host.ts',
): Promise<{ readonly port: number; log(): string }> {
  const over = new AbortController()
  const start = (port: number) =>
    forkHost(resolve(import.meta.dirname, program), { ...settings, port }, { NODE_ENV: 'production' })
  const port = await findFreePort()
  let host = await start(port)
  const restarting = (async () => {
    while (!over.signal.aborted) {
      await host.exited
      if (!over.signal.aborted) host = await start(port)
    }
    await host.kill()
  })()
  onTestFinished(async () => {
    over.abort()
    await host.kill()
    await restarting
  })
  return { port, log: () => host.log() }
}

/** Result of the first request with an idempotency key. */
interface Charge {
  readonly id: string
  readonly email: string
  readonly total: number
  readonly isPaid: boolean
}

/** A payment provider that stores the result of each idempotency key. */
export interface Provider {
  readonly url: string
  /** Returns the successful charges. */
  paid(): readonly Charge[]
  /** Requests that repeat a key with a different amount. */
  readonly conflicts: string[]
  /** Closes the connection after the next charge of a customer, without a response. */
  loseResponseTo(email: string): void
}

/**
 * Starts a payment provider. `declined` is the fraction of new charges that it declines, and `lost` the fraction of
 * responses that it loses.
 */
export async function startProvider({ declined = 0, lost = 0 } = {}): Promise<Provider> {
  const charges = new Map<string, Charge>()
  const losing = new Set<string>()
  const conflicts: string[] = []
  const { url, stop } = await listening((request, response) => {
    const path = request.url ?? ''
    if (path.startsWith('/charges/')) {
      response.writeHead(charges.has(path.slice('/charges/'.length)) ? 200 : 404).end()
      return
    }
    let text = ''
    request.on('data', (data: Buffer) => (text += data.toString()))
    request.on('end', () => {
      const { email, total, idempotencyKey: id }: Charge & { idempotencyKey: string } = JSON.parse(text)
      const known = charges.get(id)
      if (known !== undefined && known.total !== total) conflicts.push(id)
      const charge = known ?? { id, email, total, isPaid: Math.random() >= declined }
      charges.set(id, charge)
      if (losing.delete(email) || Math.random() < lost) request.socket.destroy()
      else response.writeHead(charge.isPaid ? 200 : 402).end()
    })
  })
  onTestFinished(stop)
  return {
    url,
    paid: () => [...charges.values()].filter(({ isPaid }) => isPaid),
    conflicts,
    loseResponseTo: (email) => void losing.add(email),
  }
}
