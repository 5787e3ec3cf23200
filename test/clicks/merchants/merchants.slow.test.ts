import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { sqlLedgerTable } from '@storeport/core/sql'
import { readShopData, seed } from '@storeport/rules'
import { sharedPostgres } from '@storeport/testing/shared-postgres'
import { dataFolder } from '@storeport/testing/start-host-process'
import { expect, it, onTestFinished, describe, vi } from 'vitest'
import { isNightly } from '../../hardening/is-nightly.ts'
import { noNginx, startNginx } from './start-nginx.ts'
import { numbers, runConcurrently } from '../run-concurrently.ts'
import { emailOf, key, today } from '../shop.ts'
import type { MerchantSettings } from './merchant-host.ts'
import { keepMerchantHost, type Provider, startProvider } from './start-merchant.ts'

/*
 * Tests merchants that use their own tables and payment provider. nginx distributes the requests round-robin to two
 * processes. Each approach runs 200 rounds, 400 in the long test, or `STOREPORT_ROUNDS`. Each click must have exactly one
 * effect.
 */

const rounds = Number(process.env['STOREPORT_ROUNDS'] ?? (isNightly ? 400 : 200))
const timeout = 1_200_000

describe.skipIf(noNginx)('two processes of a merchant behind nginx', () => {
  it.each([
    ['sent twice within 2 ms, with a ledger', { approach: 'ledger' }],
    ['sent twice within 2 ms, in its own transaction', { approach: 'own-transaction' }],
    ['sent twice within 2 ms, with lost responses from the ledger', { approach: 'ledger', lostResponseRate: 0.2 }],
  ] as const)('applies a click once: %s', { timeout }, async (name, settings) => {
    const shop = await openMerchant(settings)
    await runRounds(async (email) => {
      await Promise.all([shop.click(email), after(2).then(() => shop.click(email))])
      await shop.click(email)
    })
    expectOneEach(name, await shop.orders())
  })

  it('logs one warning per process about an in-memory ledger', { timeout }, async () => {
    const shop = await openMerchant({ approach: 'memory' })
    for (const host of shop.hosts) expect(host.log().match(/processes: 1/g)).toHaveLength(1)
  })

  it.each([
    ['named', 'charge-named'],
    ['unnamed, claimed outside the transaction', 'charge-outside'],
  ] as const)('charges once per click when processes kill themselves: %s', { timeout }, async (name, approach) => {
    const shop = await openMerchant({ approach, timeoutMs: 1000, killRate: 1 / 400 })
    await runRounds((email) => shop.click(email, approach === 'charge-named' ? `key-of-${email}` : undefined))
    expectOneEach(`orders, ${name}`, await shop.orders())
    expectOneEach(`charges, ${name}`, shop.provider.paid())
    shop.expectKills()
  })

  it(
    'charges each order once when processes kill themselves and charges are declined or lost',
    { timeout },
    async () => {
      const provider = await startProvider({ declined: 0.05, lost: 0.1 })
      const shop = await openMerchant({ approach: 'rules', timeoutMs: 10_000, killRate: 1 / 700 }, provider)
      await shop.addAccounts()
      await runRounds((email) => shop.click(email, undefined, '/customer-portal/send-now'))
      const paid = provider.paid().map(({ id, email, total }) => ({ id, email, total }))
      expect(provider.conflicts).toEqual([])
      expect(await shop.orders()).toEqual(paid.toSorted((one, other) => (one.id < other.id ? -1 : 1)))
      expectOneEach('orders by rules', paid)
      shop.expectKills()
    },
  )

  it('applies a click once if two concurrent retries reconcile the click after the window', { timeout }, async () => {
    const windowMs = 10_000
    const shop = await openMerchant({ approach: 'reconcile', windowMs })
    const slow = new Set<string>()
    let customers = [...numbers(rounds)].map(emailOf)
    while (customers.length > 0) {
      const repeated: string[] = []
      await runConcurrently(customers, 20, async (email) => {
        shop.provider.loseResponseTo(email)
        // On a slow machine, a request can fail with 503 after the ledger timeout of two seconds.
        await vi.waitUntil(async () => (await shop.send(email)) !== 503, { timeout: 60_000 })
      })
      await after(windowMs + 100)
      await runConcurrently(customers, 20, async (email) => {
        const startedAt = performance.now()
        await Promise.all([shop.click(email), shop.click(email)])
        // If the second retry arrives after the window of the first, the round repeats with a different customer.
        if (performance.now() - startedAt < windowMs) return
        slow.add(email)
        repeated.push(`repeated-${email}`)
      })
      customers = repeated
    }
    const charges = shop.provider.paid().filter(({ email }) => !slow.has(email))
    expectOneEach(`reconcile after the window, ${slow.size} rounds repeated`, charges)
  })
})

async function openMerchant(
  options: Pick<MerchantSettings, 'approach'> & Partial<MerchantSettings>,
  ownProvider?: Provider,
) {
  const server = await sharedPostgres()
  const url = await server.createDatabase()
  onTestFinished(() => server.dropDatabase(url))
  await server.query(
    `create table accounts (email text primary key, account jsonb not null);
    create table shop_orders (id text primary key, email text not null, total integer not null);
    ${sqlLedgerTable('postgres')}`,
    url,
  )
  const provider = ownProvider ?? (await startProvider())
  const kills = join(await dataFolder(), 'kills')
  writeFileSync(kills, '')
  const rates = { lostResponseRate: 0, killRate: 0 }
  const settings = { url, provider: provider.url, windowMs: 60_000, timeoutMs: 5000, ...rates, kills, ...options }
  const hosts = [await keepMerchantHost(settings), await keepMerchantHost(settings)]
  const servers = hosts.map(({ port }) => `server 127.0.0.1:${port} max_fails=0;`).join(' ')
  const proxyUrl = await startNginx(
    'http://shop',
    ['proxy_http_version 1.1;', 'proxy_set_header Connection "";'],
    `upstream shop { ${servers} keepalive 32; }`,
  )

  /** Sends a click once. Returns the status, or 0 without a response. */
  const send = async (email: string, name?: string, path = '/upsells/add-product'): Promise<number> => {
    const headers = {
      'x-integration-api-key': key,
      'content-type': 'application/json',
      ...(name !== undefined && { 'idempotency-key': name }),
    }
    const init = { method: 'POST', headers, body: JSON.stringify({ email, product_id: 'beans' }) }
    const response = await fetch(`${proxyUrl}/integration${path}`, init).catch(() => undefined)
    await response?.text()
    return response?.status ?? 0
  }

  return {
    hosts,
    provider,
    send,
    /** Repeats a click until it succeeds. */
    click: async (...click: Parameters<typeof send>): Promise<void> => {
      const deadline = performance.now() + 300_000
      for (;;) {
        const status = await send(...click)
        if (status === 200) return
        if (performance.now() > deadline) throw new Error(`A click does not succeed. Last status: ${status}`)
        await after(100)
      }
    },
    orders: async () =>
      (await server.query('select id, email, total from shop_orders order by id', url)).map((row) => ({
        id: String(row['id']),
        email: String(row['email']),
        total: Number(row['total']),
      })),
    /** Stores an account with a subscription for each customer. */
    addAccounts: async () => {
      const account = readShopData(seed(today), 'USD').accounts.find(
        (each) => each.email === 'subscription@example.com',
      )
      const json = JSON.stringify(account).replaceAll("'", "''")
      const rows = [...numbers(rounds)]
        .map(emailOf)
        .map((each) => `('${each}', jsonb_set('${json}', '{email}', '"${each}"'))`)
      await server.query(`insert into accounts values ${rows.join(', ')}`, url)
    },
    expectKills: () => {
      const steps = readFileSync(kills, 'utf8').trim().split('\n')
      console.log(`${options.approach}: ${steps.length} kills at ${new Set(steps).size} steps`)
      expect(new Set(steps).size).toBeGreaterThan(5)
    },
  }
}

/** Runs one round for each customer, with limited concurrency. */
async function runRounds(run: (email: string) => Promise<void>): Promise<void> {
  await runConcurrently(numbers(rounds), 20, (round) => run(emailOf(round)))
}

/** Asserts that every customer has exactly one effect. */
function expectOneEach(label: string, effects: readonly { readonly email: string }[]): void {
  const counts = new Map<string, number>()
  for (const { email } of effects) counts.set(email, (counts.get(email) ?? 0) + 1)
  const doubled = [...counts].filter(([, count]) => count > 1)
  console.log(`${label}: ${doubled.length} of ${rounds} clicks counted twice`)
  expect(doubled).toEqual([])
  expect(counts.size).toBe(rounds)
}
