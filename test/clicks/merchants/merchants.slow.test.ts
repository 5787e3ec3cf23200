import { setTimeout as after } from 'node:timers/promises'
import { sqlLedgerTable } from '@storeport/core'
import { sharedPostgres } from '@storeport/testing/shared-postgres'
import { expect, it, onTestFinished, describe, vi } from 'vitest'
import { noNginx, startNginx } from './start-nginx.ts'
import { numbers, runConcurrently } from '../run-concurrently.ts'
import { emailOf, key } from '../shop.ts'
import type { MerchantSettings } from './merchant-host.ts'
import { startProvider, startMerchantHost } from './start-merchant.ts'

/*
 * Tests merchants that use their own tables and payment provider. nginx distributes the requests round-robin to two
 * processes. Each approach runs 1,000 rounds, and each click must have exactly one effect.
 */

const rounds = 1000
const timeout = 600_000

describe.skipIf(noNginx)('two processes of a merchant behind nginx', () => {
  it.each([
    ['sent twice within 2 ms, with a ledger', { approach: 'ledger' }],
    ['sent twice within 2 ms, in its own transaction', { approach: 'own-transaction' }],
    ['sent twice within 2 ms, with lost responses from the ledger', { approach: 'ledger', lostResponseRate: 0.2 }],
  ] as const)('counts a click once: %s', { timeout }, async (name, settings) => {
    const shop = await openMerchant(settings)
    await runRounds(async (email) => {
      const add = { email, product_id: 'beans' }
      await Promise.all([shop.click(add), after(2).then(() => shop.click(add))])
      await shop.click(add)
    })
    await expectOneOrderEach(shop, name)
  })

  it('logs one warning per process about an in-memory ledger', { timeout }, async () => {
    const shop = await openMerchant({ approach: 'memory' })
    for (const host of shop.hosts) expect(host.log().match(/processes: 1/g)).toHaveLength(1)
  })

  it.each([
    ['named', 'charge-named'],
    ['unnamed, claimed outside the transaction', 'charge-outside'],
  ] as const)('charges once per click when processes are killed at random: %s', { timeout }, async (_, approach) => {
    const shop = await openMerchant({ approach, timeoutMs: 1000 })
    const killer = shop.killAtRandom()
    await runRounds(async (email) => {
      const name = approach === 'charge-named' ? `key-of-${email}` : undefined
      await shop.click({ email, product_id: 'beans' }, name)
      // Slows down the rounds, so that several kills occur during the run.
      await after(80)
    }, 5)
    const kills = await killer.stop()
    await expectOneOrderEach(shop, `${approach}, ${kills} kills`)
    const charges = [...shop.provider.charges().values()]
    console.log(
      `${approach}: ${charges.reduce((sum, count) => sum + count, 0)} charges for ${rounds} clicks, ${kills} kills`,
    )
    expect(charges.filter((count) => count !== 1)).toEqual([])
    expect(charges).toHaveLength(rounds)
    expect(kills).toBeGreaterThan(5)
  })

  it('counts a click once if two concurrent retries reconcile the click after the window', { timeout }, async () => {
    const windowMs = 3000
    const shop = await openMerchant({ approach: 'reconcile', windowMs })
    let valid = 0
    const doubled: string[] = []
    await runRounds(async (email) => {
      const add = { email, product_id: 'beans' }
      shop.provider.loseResponseTo(email)
      // On a slow machine, the first requests can fail with 503 after the ledger timeout of two seconds.
      await vi.waitUntil(async () => (await shop.send(add)).status === 500, { timeout: 60_000 })
      await after(windowMs + 100)
      const startedAt = performance.now()
      await Promise.all([shop.click(add), shop.click(add)])
      // If the second retry arrives after the window of the first retry, both count, so the round is ignored.
      if (performance.now() - startedAt > windowMs) return
      valid += 1
      if (shop.provider.charges().get(email) !== 1) doubled.push(email)
    }, 100)
    console.log(`reconcile after the window: ${doubled.length} of ${valid} doubled`)
    expect(doubled).toEqual([])
    expect(valid).toBeGreaterThan(0.9 * rounds)
  })
})

interface Click {
  readonly email: string
  readonly product_id: string
}

async function openMerchant(options: Pick<MerchantSettings, 'approach'> & Partial<MerchantSettings>) {
  const server = await sharedPostgres()
  const url = await server.createDatabase()
  onTestFinished(() => server.dropDatabase(url))
  const orders = 'create table shop_orders (id bigserial primary key, email text not null, product text not null);'
  await server.query(`${orders} ${sqlLedgerTable('postgres')}`, url)
  const provider = await startProvider()
  const settings = {
    url,
    provider: provider.url,
    windowMs: 60_000,
    timeoutMs: 5000,
    lostResponseRate: 0,
    port: 0,
    ...options,
  }
  const hosts = [await startMerchantHost(settings), await startMerchantHost(settings)]
  const ports = hosts.map((host) => Number(new URL(host.url).port))
  const upstream = `upstream shop { ${ports.map((port) => `server 127.0.0.1:${port} max_fails=0;`).join(' ')} keepalive 32; }`
  const proxyUrl = await startNginx(
    'http://shop',
    ['proxy_http_version 1.1;', 'proxy_set_header Connection "";'],
    upstream,
  )

  const send = async (body: Click, name?: string): Promise<{ readonly status: number }> => {
    const headers = {
      'x-integration-api-key': key,
      'content-type': 'application/json',
      ...(name !== undefined && { 'idempotency-key': name }),
    }
    const init = { method: 'POST', headers, body: JSON.stringify(body) }
    return fetch(`${proxyUrl}/integration/upsells/add-product`, init).then(
      async (response) => {
        await response.text()
        return response
      },
      () => ({ status: 0 }),
    )
  }

  return {
    hosts,
    provider,
    send,
    click: async (body: Click, name?: string): Promise<void> => {
      const deadline = performance.now() + 60_000
      for (;;) {
        const { status } = await send(body, name)
        if (status === 200) return
        if (performance.now() > deadline) throw new Error(`A click does not succeed. Last status: ${status}`)
        await after(50)
      }
    },
    orders: async () => {
      const rows = await server.query('select email, count(*) as orders from shop_orders group by email', url)
      return rows.map((row) => Number(row['orders']))
    },
    /** Kills the two processes in turn at random intervals, and restarts each process on the same port. */
    killAtRandom: () => {
      const stopping = new AbortController()
      let kills = 0
      const killing = (async () => {
        while (!stopping.signal.aborted) {
          await after(500 + 1000 * Math.random())
          const index = kills % 2
          await hosts[index]?.kill()
          kills += 1
          hosts[index] = await startMerchantHost({ ...settings, port: ports[index] ?? 0 })
        }
      })()
      return {
        stop: async () => {
          stopping.abort()
          await killing
          return kills
        },
      }
    },
  }
}

/** Runs one round for each customer, with limited concurrency. */
async function runRounds(run: (email: string) => Promise<void>, maxConcurrent = 20): Promise<void> {
  await runConcurrently(numbers(rounds), maxConcurrent, (round) => run(emailOf(round)))
}

async function expectOneOrderEach(shop: { orders(): Promise<readonly number[]> }, label: string): Promise<void> {
  const orders = await shop.orders()
  const doubled = orders.filter((count) => count > 1)
  console.log(`${label}: ${doubled.length} of ${rounds} clicks counted twice`)
  expect(doubled).toEqual([])
  expect(orders).toHaveLength(rounds)
}
