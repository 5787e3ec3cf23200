import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { CompleteStorePort } from '@storeport/core'
import { type PostgresServer, startPostgres } from '@storeport/testing/start-postgres'
import { openMemoryShop } from './shops/memory-shop.ts'
import { serveShop } from './shops/serve-shop.ts'
import { emailOf, key, type Shop } from './shops/shop.ts'
import { openPostgresShop, openSqliteShop } from './shops/sql-shop.ts'

/** Processes and servers take a while to start on a busy machine. */
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

/** How long a host waits for a method, in milliseconds: long enough for what it asks a ledger meanwhile, also on a busy machine. */
const patience = 1500
const add = '/upsells/add-product'
const undo = '/upsells/undo-add-product'
const send = '/customer-portal/send-now'
const act = '/custom-action'

/** Where it can start; CI has to be able to. */
const postgres = await startPostgres(['fsync=off']).catch((error: unknown): string => {
  if (process.env['CI'] === 'true') throw error
  return error instanceof Error ? error.message : 'it does not start here'
})
const isServer = (started: PostgresServer | string): started is PostgresServer => typeof started === 'object'
afterAll(async () => {
  if (isServer(postgres)) await postgres.stop()
})

interface Way {
  readonly name: string
  readonly open: () => Promise<Shop>
  /** Whether the data outlives its process: what is in memory is gone in a crash, together with its clicks. */
  readonly lasts: boolean
}

/** Every way to open a shop; another store is another row. */
const ways: Way[] = [
  { name: 'memory, one host', open: openMemoryShop, lasts: false },
  { name: 'SQLite, two host processes', open: openSqliteShop, lasts: true },
]
if (isServer(postgres)) {
  const open = async () => openPostgresShop(await postgres.createDatabase())
  ways.push({ name: 'PostgreSQL, two host processes', open, lasts: true })
} else {
  describe.skip(`PostgreSQL, two host processes: ${postgres}`, () => {})
}

describe.each(ways)('a click counts once: $name', ({ open, lasts }) => {
  let shop: Shop
  let customers = 0
  beforeAll(async () => {
    shop = await open()
  })
  afterAll(() => shop?.close())

  /** A customer whom no other test has. */
  const newCustomer = () => emailOf(customers++)
  /** The host that the n-th call goes to: they take turns. */
  const host = (turn: number) => shop.hosts[turn % shop.hosts.length] ?? shop.hosts[0]

  async function post(url: string, path: string, body: object, headers: Record<string, string> = {}) {
    const response = await fetch(`${url}/integration${path}`, {
      method: 'POST',
      headers: { 'x-integration-api-key': key, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
    const { status } = response
    return { status, headers: response.headers, text: await response.text() }
  }

  /** A host in this process, over connections of its own, whose store does more than it should. */
  async function openHost(wrap: (store: CompleteStorePort) => Partial<CompleteStorePort>, timeoutMs = 10_000) {
    const store = await shop.open()
    const { url, close } = await serveShop({ ...store, ...wrap(store) }, { timeoutMs })
    onTestFinished(close)
    return url
  }

  describe('fifty identical calls at once', () => {
    it('make one order, all at one host', async () => {
      const email = newCustomer()
      const answers = await Promise.all(Array.from({ length: 50 }, () => post(host(0), send, { email })))
      expect(new Set(answers.map(({ text }) => text))).toEqual(new Set(['{"success":true}']))
      expect(await shop.effects(email)).toMatchObject({ orders: 1 })
    })

    it('make one order, at all hosts in turn', async () => {
      const email = newCustomer()
      const answers = await Promise.all(Array.from({ length: 50 }, (_, turn) => post(host(turn), send, { email })))
      expect(new Set(answers.map(({ text }) => text))).toEqual(new Set(['{"success":true}']))
      expect(await shop.effects(email)).toMatchObject({ orders: 1 })
    })

    it('add once and run one action, at two hosts', async () => {
      const email = newCustomer()
      const urls = [await openHost(() => ({})), await openHost(() => ({}))]
      const answers = await Promise.all(
        Array.from({ length: 50 }, async (_, turn) => [
          await post(urls[turn % 2] ?? '', add, { email, product_id: 'beans' }),
        ]),
      )
      answers.push(
        await Promise.all(
          Array.from({ length: 50 }, (_, turn) =>
            post(urls[turn % 2] ?? '', act, { email, action_id: 'join_waitlist' }),
          ),
        ),
      )
      expect(new Set(answers.flat().map(({ text }) => text))).toEqual(new Set(['{"success":true}']))
      expect(await shop.effects(email)).toEqual({ orders: 0, beans: 1, actions: 1 })
    })

    it('count once under a name that the caller gave them, also when it changes its mind', async () => {
      const email = newCustomer()
      const named = { 'idempotency-key': 'click-1' }
      const body = { email, product_id: 'beans' }
      const answers = await Promise.all(Array.from({ length: 50 }, (_, turn) => post(host(turn), add, body, named)))
      expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0)
      expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true)
      const first = answers.filter(({ status, headers }) => status === 200 && !headers.has('idempotency-replayed'))
      expect(first).toHaveLength(1)
      const again = await post(host(1), add, body, named)
      expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([200, 'true'])
      expect((await post(host(0), add, { ...body, quantity: 2 }, named)).status).toBe(422)
      expect(await shop.effects(email)).toMatchObject({ beans: 1 })
    })
  })

  it('add, undo, add are three effects, whichever host they reach', async () => {
    const email = newCustomer()
    const body = { email, product_id: 'beans' }
    const seen: number[] = []
    for (const [turn, path] of [add, undo, add, undo, add].entries()) {
      expect((await post(host(turn), path, body)).status).toBe(200)
      seen.push((await shop.effects(email)).beans)
    }
    expect(seen).toEqual([1, 0, 1, 0, 1])
  })

  /** A host whose method keeps no clicks itself: the ledger of the store keeps them. */
  const openLedgerHost = () =>
    openHost((store) => ({ addProduct: (input, context) => store.addProduct(input, context) }))

  describe('a retry', () => {
    it('after a time-out, when the change was made and its method has not ended, waits for that', async () => {
      const email = newCustomer()
      const body = { email, product_id: 'beans' }
      const url = await openHost(
        (store) => ({
          addProduct: async (input, context) => {
            await store.addProduct(input, context)
            await new Promise(() => {})
          },
        }),
        patience,
      )
      expect((await post(url, add, body)).status).toBe(504)
      await vi.waitUntil(async () => (await shop.effects(email)).beans > 0)
      expect((await post(url, add, body)).status).toBe(503)
      if (lasts) {
        const other = await openLedgerHost()
        await vi.waitUntil(
          async () => {
            // A minute later its lease has lapsed, unless its process has just renewed it.
            await shop.ageClicks(60_000)
            return (await post(other, add, body)).status === 200
          },
          { timeout: 50_000 },
        )
      }
      expect(await shop.effects(email)).toMatchObject({ beans: 1 })
    })

    it('after a time-out, when the change is made only after it', async () => {
      const email = newCustomer()
      const body = { email, product_id: 'beans' }
      let release = () => {}
      const released = new Promise<void>((resolve) => (release = resolve))
      let runs = 0
      const url = await openHost(
        (store) => ({
          addProduct: async (input, context) => {
            runs += 1
            if (runs === 1) await released
            return store.addProduct(input, context)
          },
        }),
        patience,
      )
      expect((await post(url, add, body)).status).toBe(504)
      expect((await post(url, add, body)).status).toBe(503)
      release()
      // A store that checks its signal does not begin any more: then the retry runs.
      await vi.waitUntil(async () => (await post(url, add, body)).status === 200, { timeout: 30_000 })
      expect(await shop.effects(email)).toMatchObject({ beans: 1 })
    })

    it('after the connection was lost waits for what the first one did', async () => {
      const email = newCustomer()
      const body = { email, product_id: 'beans' }
      let release = () => {}
      const released = new Promise<void>((resolve) => (release = resolve))
      const changed = vi.fn()
      const url = await openHost((store) => ({
        addProduct: async (input, context) => {
          await store.addProduct(input, context)
          changed()
          await released
        },
      }))
      const leaving = new AbortController()
      const lost = fetch(`${url}/integration${add}`, {
        method: 'POST',
        headers: { 'x-integration-api-key': key, 'content-type': 'application/json' },
        body: JSON.stringify(body),
        signal: leaving.signal,
      })
      await vi.waitUntil(() => changed.mock.calls.length > 0)
      leaving.abort()
      await expect(lost).rejects.toThrow('abort')
      const other = await openLedgerHost()
      const retries = [post(url, add, body), post(other, add, body), post(other, add, body)]
      release()
      for (const { status, text } of await Promise.all(retries))
        expect([status, text]).toEqual([200, '{"success":true}'])
      expect(changed).toHaveBeenCalledTimes(1)
      expect(await shop.effects(email)).toMatchObject({ beans: 1 })
    })
  })

  describe('one customer and another', () => {
    it('do not wait for each other', async () => {
      const [slow, quick] = [newCustomer(), newCustomer()]
      let release = () => {}
      const released = new Promise<void>((resolve) => (release = resolve))
      const url = await openHost((store) => ({
        addProduct: async (input, context) => {
          if (input.email === slow) await released
          return store.addProduct(input, context)
        },
      }))
      const waiting = [post(url, add, { email: slow, product_id: 'beans' })]
      waiting.push(post(url, add, { email: slow, product_id: 'beans' }))
      for (const at of [url, ...shop.hosts]) {
        expect((await post(at, add, { email: quick, product_id: 'beans' })).status).toBe(200)
        expect((await post(at, undo, { email: quick, product_id: 'beans' })).status).toBe(200)
      }
      expect(await shop.effects(slow)).toMatchObject({ beans: 0 })
      release()
      for (const { status } of await Promise.all(waiting)) expect(status).toBe(200)
      expect(await shop.effects(slow)).toMatchObject({ beans: 1 })
    })

    it('are not taken for each other, and do not make each other forgotten', async () => {
      const [one, other] = [newCustomer(), newCustomer()]
      const url = await openHost(() => ({}))
      const calls = [
        { email: one, product_id: 'beans' },
        { email: other, product_id: 'beans' },
        { email: one, product_id: 'beans' },
        { email: other.toUpperCase(), product_id: 'beans' },
      ]
      for (const body of calls) expect((await post(url, add, body)).status).toBe(200)
      expect(await shop.effects(one)).toMatchObject({ beans: 1 })
      expect(await shop.effects(other)).toMatchObject({ beans: 1 })
    })
  })

  if (!lasts) return

  it.each(['before', 'after'] as const)('a retry after a crash %s the change was made', async (when) => {
    const email = newCustomer()
    const body = { email, product_id: 'beans' }
    const doomed = await shop.startDoomed(when)
    await expect(post(doomed, add, body)).rejects.toThrow('fetch failed')
    expect(await shop.effects(email)).toMatchObject({ beans: when === 'before' ? 0 : 1 })
    // A minute later nobody takes the lost try for running any more.
    await shop.ageClicks(60_000)
    expect((await post(await openLedgerHost(), add, body)).status).toBe(200)
    expect(await shop.effects(email)).toMatchObject({ beans: 1 })
  })
})
