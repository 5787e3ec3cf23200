import { setTimeout as after } from 'node:timers/promises'
import { sqlLedgerTable } from '@storeport/core'
import { sharedPostgres } from '@storeport/testing/shared-postgres'
import { expect, it, onTestFinished, describe, vi } from 'vitest'
import { noNginx, startNginx } from './start-nginx.ts'
import { numbers, runSideBySide } from '../run-side-by-side.ts'
import { emailOf, key } from '../shop.ts'
import type { RoadSettings } from './road-host.ts'
import { startProvider, startRoadHost } from './start-road.ts'

/*
 * The roads that merchants take: their own tables, their own platform, their own payment provider. Two processes behind nginx,
 * which gives each request to the next one. Each click has one effect, over 1,000 rounds of each road.
 */

const rounds = 1000
const timeout = 600_000

describe.skipIf(noNginx)('two processes of a merchant behind nginx', () => {
  it.each([
    ['sent twice, 2 ms apart, in a ledger', { road: 'ledger' }],
    ['sent twice, 2 ms apart, in its transaction', { road: 'own-transaction' }],
    ['whose answers from the ledger are lost and stored again', { road: 'ledger', losesAnswers: 0.2 }],
  ] as const)('count a click once: %s', { timeout }, async (what, settings) => {
    const shop = await openRoad(settings)
    await inRounds(async (email) => {
      const add = { email, product_id: 'beans' }
      await Promise.all([shop.click(add), after(2).then(() => shop.click(add))])
      await shop.click(add)
    })
    await expectOneOrderEach(shop, what)
  })

  it('warn once in the log with the ledger in memory', { timeout }, async () => {
    const shop = await openRoad({ road: 'memory' })
    for (const host of shop.hosts) expect(host.log().match(/processes: 1/g)).toHaveLength(1)
  })

  it.each([
    ['named', 'charge-named'],
    ['unnamed, claimed outside of the transaction', 'charge-outside'],
  ] as const)('charge once for each click when processes are killed at random: %s', { timeout }, async (_, road) => {
    const shop = await openRoad({ road, timeoutMs: 1000 })
    const killer = shop.killAtRandom()
    await inRounds(async (email) => {
      const name = road === 'charge-named' ? `key-of-${email}` : undefined
      await shop.click({ email, product_id: 'beans' }, name)
      // Long enough for several kills.
      await after(80)
    }, 5)
    const kills = await killer.stop()
    await expectOneOrderEach(shop, `${road}, ${kills} kills`)
    const charges = [...shop.provider.charges().values()]
    console.log(
      `${road}: ${charges.reduce((sum, count) => sum + count, 0)} charges for ${rounds} clicks, ${kills} kills`,
    )
    expect(charges.filter((count) => count !== 1)).toEqual([])
    expect(charges).toHaveLength(rounds)
    expect(kills).toBeGreaterThan(5)
  })

  it(
    'count a click once that reconcile finds after its window, and whose retry is sent twice',
    { timeout },
    async () => {
      const windowMs = 3000
      const shop = await openRoad({ road: 'reconcile', windowMs })
      let judged = 0
      const doubled: string[] = []
      await inRounds(async (email) => {
        const add = { email, product_id: 'beans' }
        shop.provider.loseAnswerOf(email)
        // A slow machine may answer 503 before: a ledger has two seconds.
        await vi.waitUntil(async () => (await shop.send(add)).status === 500, { timeout: 60_000 })
        await after(windowMs + 100)
        const startedAt = performance.now()
        await Promise.all([shop.click(add), shop.click(add)])
        // Two retries of which one arrives after the window of the other are two clicks: such a round says nothing.
        if (performance.now() - startedAt > windowMs) return
        judged += 1
        if (shop.provider.charges().get(email) !== 1) doubled.push(email)
      }, 100)
      console.log(`reconcile after the window: ${doubled.length} of ${judged} doubled`)
      expect(doubled).toEqual([])
      expect(judged).toBeGreaterThan(0.9 * rounds)
    },
  )
})

interface Click {
  readonly email: string
  readonly product_id: string
}

async function openRoad(chosen: Pick<RoadSettings, 'road'> & Partial<RoadSettings>) {
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
    losesAnswers: 0,
    port: 0,
    ...chosen,
  }
  const hosts = [await startRoadHost(settings), await startRoadHost(settings)]
  const ports = hosts.map((host) => Number(new URL(host.url).port))
  const upstream = `upstream shop { ${ports.map((port) => `server 127.0.0.1:${port} max_fails=0;`).join(' ')} keepalive 32; }`
  const health = await startNginx(
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
    return fetch(`${health}/integration/upsells/add-product`, init).then(
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
    /** Repeats a click until it succeeds, as a caller does. */
    click: async (body: Click, name?: string): Promise<void> => {
      const giveUpAt = performance.now() + 60_000
      for (;;) {
        const { status } = await send(body, name)
        if (status === 200) return
        if (performance.now() > giveUpAt) throw new Error(`the click of ${body.email} never succeeds: ${status}`)
        await after(50)
      }
    },
    orders: async () => {
      const rows = await server.query('select email, count(*) as orders from shop_orders group by email', url)
      return rows.map((row) => Number(row['orders']))
    },
    /** Kills one process after the other, and starts each again on its port. */
    killAtRandom: () => {
      const stopping = new AbortController()
      let kills = 0
      const killing = (async () => {
        while (!stopping.signal.aborted) {
          await after(500 + 1000 * Math.random())
          const place = kills % 2
          await hosts[place]?.kill()
          kills += 1
          hosts[place] = await startRoadHost({ ...settings, port: ports[place] ?? 0 })
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

/** Runs a round for each of so many customers, some at a time. */
async function inRounds(run: (email: string) => Promise<void>, atATime = 20): Promise<void> {
  await runSideBySide(numbers(rounds), atATime, (round) => run(emailOf(round)))
}

async function expectOneOrderEach(shop: { orders(): Promise<readonly number[]> }, what: string): Promise<void> {
  const orders = await shop.orders()
  const doubled = orders.filter((count) => count > 1)
  console.log(`${what}: ${doubled.length} of ${rounds} clicks counted twice`)
  expect(doubled).toEqual([])
  expect(orders).toHaveLength(rounds)
}
