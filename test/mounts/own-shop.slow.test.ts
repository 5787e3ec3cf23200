import { readFileSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { collectReport, createReport, parseProfile, runChecks, sendByHttp } from '@storeport/conformance'
import { addDays, dateIn } from '@storeport/core'
import { sqlLedgerTable } from '@storeport/core/sql'
import { keys } from '@storeport/testing/keys'
import { listening } from '@storeport/testing/listen'
import { noMariadb, startMariadb } from '@storeport/testing/start-mariadb'
import { startExample } from '@storeport/testing/start-program'
import mysql, { type RowDataPacket } from 'mysql2/promise'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'

const folder = 'examples/own-shop'
const today = dateIn('Europe/Berlin')(new Date())
const inDays = (days: number, time = '08:30:00') => `${addDays(today, days)} ${time}`
const tables = readFileSync(`${folder}/schema.sql`, 'utf8') + readFileSync(`${folder}/storeport.sql`, 'utf8')

/** Test customers. The second customer's email differs from the first in an accent, and is typed in capital letters. */
const sample = () => `
  insert into customers (id, email) values (1, 'josé@example.com'), (2, ' JOSE@example.com '), (3, 'guest@example.com'),
    (4, 'leaver@example.com'), (5, 'writer@example.com');
  insert into products (id, name, price, stock, images) values
    (1, 'Oolong', 12.50, 9, '["https://shop.example/1.jpg"]'), (2, 'Sencha', 14.95, 9, '["https://shop.example/2.jpg"]'),
    (3, 'Teapot', 39.00, 9, '["https://shop.example/3.jpg"]'), (4, 'Matcha', 20.00, 0, '[]');
  insert into codes (id, code, percent, amount, expires_at) values (1, 'CAFÉ', 50, null, null),
    (2, 'Cafe', 10, null, null), (3, 'FIVEOFF', null, 5.00, null), (4, 'OLD', 10, null, '2020-01-01');
  insert into subscriptions (id, customer_id, name, status, next_delivery, every_weeks, cancelled_at) values
    (1, 1, 'Other', 'active', '${inDays(3)}', 4, null),
    (2, 2, 'Every month', 'active', '${inDays(14, '23:45:00')}', 4, null), (3, 2, 'Pots', 'active', '${inDays(30)}', 6, null),
    (4, 4, 'First', 'cancelled', '${inDays(-2)}', 4, '${inDays(-2)}'), (5, 4, 'Second', 'cancelled', '${inDays(-20)}', 6, '${inDays(-20)}'),
    (6, 4, 'Old', 'cancelled', '${inDays(-400)}', 6, '${inDays(-400)}'),
    (7, 5, 'Weekly', 'active', '${inDays(7, '00:15:00')}', 1, null), (8, 5, 'Ended', 'cancelled', '${inDays(-5)}', 4, '${inDays(-5)}');
  insert into subscription_lines (subscription_id, product_id, quantity) values
    (1, 3, 9), (2, 1, 2), (2, 2, 1), (3, 3, 1), (4, 1, 1), (5, 2, 2), (6, 3, 1), (7, 3, 3), (8, 1, 1);`

const profile = parseProfile({
  customers: {
    empty: 'guest@example.com',
    subscribed: 'jose@example.com',
    cancelled: 'leaver@example.com',
    otherCustomer: 'writer@example.com',
  },
  products: { listed: [{ id: '1', price: 12.5 }, { id: '2', price: 14.95 }, { id: '3', price: 39 }], unavailable: '4' },
  subscriptions: { cancelled: ['4', '5'], tooOld: '6', active: '2' },
  interval: { weeks: 1 },
  discounts: {
    percentage: { code: 'CAFE', discount: { discount_type: 'percentage', discount_percentage: 10 } },
    fixed: { code: 'FIVEOFF', discount: { discount_type: 'fixed_amount', discount_amount: 5 } },
    expired: 'OLD',
  },
  currency: 'EUR',
  timeZone: 'Europe/Berlin',
})

describe.skipIf(noMariadb !== undefined)('example own-shop', () => {
  let server: Awaited<ReturnType<typeof startMariadb>>
  let admin: mysql.Pool
  let proxy: Awaited<ReturnType<typeof startProxy>>
  const payments = { status: 200, hangs: false, charges: new Map<string, number>() }
  let provider: Awaited<ReturnType<typeof listening>>

  beforeAll(async () => {
    server = await startMariadb()
    const { socketPath, user } = server.connection
    admin = mysql.createPool({ socketPath, user, multipleStatements: true, dateStrings: true })
    proxy = await startProxy(socketPath)
    provider = await listening((request, response) => {
      const key = String(request.headers['idempotency-key'])
      if (payments.status === 200) payments.charges.set(key, (payments.charges.get(key) ?? 0) + 1)
      if (!payments.hangs) response.writeHead(payments.status).end()
    })
  })
  afterAll(async () => {
    await admin.end()
    await provider.stop?.()
    proxy.stop()
    await server.stop()
  })

  async function query(sql: string) {
    const [rows] = await admin.query<RowDataPacket[]>(sql)
    return rows
  }

  /** Starts processes of the example on a new database. */
  async function start({ stages = 4, processes = 1 } = {}) {
    const name = `test_${crypto.randomUUID().replaceAll('-', '_')}`
    await query(`create database ${name}; use ${name}; ${tables} ${sample()}`)
    const env = {
      DATABASE_URL: `mysql://root@127.0.0.1:${proxy.port}/${name}`,
      PAYMENTS_URL: provider.url ?? '',
      STAGES: String(stages),
    }
    const running = await Promise.all(Array.from({ length: processes }, () => startExample('own-shop', env)))
    onTestFinished(async () => {
      for (const { stop } of running) await stop()
    })
    const urls = running.map(({ url }) => url)
    const run = async (sql: string) => (await query(`use ${name}; ${sql}`)).at(-1)
    return { name, url: urls[0] ?? '', urls, run }
  }

  it.each([1, 2, 3, 4])('is READY for stage %i', async (stages) => {
    const { url } = await start({ stages })
    const run = runChecks({ send: sendByHttp(url), apiKey: keys.first, profile, disposable: true })
    const { results, offered } = await collectReport(run)
    const report = createReport({
      ...{ results, offered, kit: 'kit', baseUrl: url, basePath: '/integration', startedAt: '', durationMs: 1 },
      ...{ mode: 'default', only: [], strict: false, profile: 'of the test', problem: undefined },
    })
    const found = results.flatMap(({ check, failure }) => (failure ? [`${check.id}: ${failure.message}`] : []))
    expect(found).toEqual([])
    expect(report.verdict).toBe('READY')
  })
})

/** A TCP proxy for a database on a socket. `dieSilently` makes all present connections swallow everything. */
async function startProxy(path: string) {
  let generation = 0
  const sockets = new Set<Socket>()
  const listener = createServer((client) => {
    const own = generation
    const upstream = connect(path)
    for (const [from, to] of [[client, upstream], [upstream, client]] as const) {
      sockets.add(from)
      from.on('data', (chunk) => own === generation && to.write(chunk))
      from.on('close', () => own === generation && to.destroy())
      from.on('error', () => {})
    }
  })
  await new Promise<void>((done) => listener.listen(0, '127.0.0.1', done))
  const address = listener.address()
  return {
    port: typeof address === 'object' ? address?.port : undefined,
    dieSilently: () => void (generation += 1),
    stop: () => {
      listener.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
