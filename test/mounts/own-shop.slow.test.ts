import { readFileSync } from 'node:fs'
import { parseProfile, sendByHttp } from '@storeport/conformance'
import { addDays, dateIn } from '@storeport/core'
import { sqlLedgerTable } from '@storeport/core/sql'
import { keys } from '@storeport/testing/keys'
import { listening } from '@storeport/testing/listen'
import { noMariadb, startMariadb } from '@storeport/testing/start-mariadb'
import { runCode, startLine, userEnvironment } from '@storeport/testing/run-as-user'
import { startProxy } from '@storeport/testing/start-proxy'
import { shopAt } from '@storeport/testing/shop-at'
import { startExample } from '@storeport/testing/start-program'
import { checkShop } from '@storeport/testing/stores/check-shop'
import mysql, { type RowDataPacket } from 'mysql2/promise'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'

const folder = 'examples/own-shop'
const today = dateIn('Europe/Berlin')(new Date())
const inDays = (days: number, time = '08:30:00') => `${addDays(today, days)} ${time}`
const tables = readFileSync(`${folder}/schema.sql`, 'utf8') + readFileSync(`${folder}/storeport.sql`, 'utf8')

/** Test customers. The second customer's email differs from the first in an accent, and is typed in capital letters. */
const sample = () => `
  insert into customers (id, email) values (1, 'josé@example.com'), (2, 'JOSE@example.com '), (3, 'guest@example.com'),
    (4, 'leaver@example.com'), (5, 'writer@example.com');
  insert into products (id, name, price, stock, images) values
    (1, 'Oolong', 12.50, 9, '["https://shop.example/1.jpg"]'), (2, 'Sencha', 14.95, 9, '["https://shop.example/2.jpg"]'),
    (3, 'Teapot', 39.00, 9, '["https://shop.example/3.jpg"]'), (4, 'Matcha', 20.00, 0, '[]');
  insert into codes (id, code, percent, amount, expires_at) values (1, 'CAFÉ', 50, null, null),
    (2, 'Cafe ', 20, null, null), (5, 'Ten', 10, null, null), (3, 'FIVEOFF', null, 5.00, null), (4, 'OLD', 10, null, '2020-01-01');
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
    ...{ empty: 'guest@example.com', subscribed: 'jose@example.com' },
    ...{ cancelled: 'leaver@example.com', otherCustomer: 'writer@example.com' },
  },
  products: {
    listed: Object.entries({ 1: 12.5, 2: 14.95, 3: 39 }).map(([id, price]) => ({ id, price })),
    unavailable: '4',
  },
  subscriptions: { cancelled: ['4', '5'], tooOld: '6', active: '2' },
  interval: { weeks: 1 },
  discounts: {
    percentage: { code: 'TEN', discount: { discount_type: 'percentage', discount_percentage: 10 } },
    fixed: { code: 'FIVEOFF', discount: { discount_type: 'fixed_amount', discount_amount: 5 } },
    expired: 'OLD',
  },
  currency: 'EUR',
  timeZone: 'Europe/Berlin',
})

/** Returns the error code of a change, or `done`. */
const codeOf = (change: Promise<unknown>): Promise<unknown> =>
  change.then(
    () => 'done',
    ({ code }) => code,
  )

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
    proxy = await startProxy({ path: socketPath })
    provider = await listening((request, response) => {
      const key = String(request.headers['idempotency-key'])
      if (payments.status === 200) payments.charges.set(key, (payments.charges.get(key) ?? 0) + 1)
      if (!payments.hangs) response.writeHead(payments.status).end()
    })
  })
  afterAll(async () => {
    await admin.end()
    await provider.stop?.()
    await proxy.stop()
    await server.stop()
  })

  async function query(sql: string) {
    const [rows] = await admin.query<RowDataPacket[]>(sql)
    return rows
  }

  const urlOf = (name: string) => `mysql://root@127.0.0.1:${proxy.port}/${name}`

  /** Creates a database. */
  async function createDatabase() {
    const name = `test_${crypto.randomUUID().replaceAll('-', '_')}`
    await query(`create database ${name}; use ${name}; ${tables} ${sample()}`)
    return name
  }

  /** Starts the example on a new database. */
  async function start(stages = 4) {
    const name = await createDatabase()
    const env = { DATABASE_URL: urlOf(name), PAYMENTS_URL: provider.url, STAGES: String(stages) }
    const { url, stop } = await startExample('own-shop', env)
    onTestFinished(stop)
    const run = async (sql: string) => (await query(`use ${name}; ${sql}`)).at(-1)
    return { name, url, run, shop: shopAt(url, keys.first) }
  }

  /** Opens a connection that blocks others with a statement. Returns a function that ends it. */
  async function block(name: string, sql: string) {
    const other = await admin.getConnection()
    await other.query(`use ${name}; ${sql}`)
    return async (end = 'rollback') => {
      await other.query(end)
      other.release()
    }
  }

  /** Returns the waiting transactions. MariaDB refreshes this table only if it was not read for 100 ms. */
  const locked = () =>
    query(`select trx_rows_locked as locked from information_schema.innodb_trx where trx_state = 'LOCK WAIT'`)

  async function check(stages: number) {
    const { url } = await start(stages)
    // Express passes requests that the HTTP parser rejects to no handler.
    const options = { send: sendByHttp(url), apiKey: keys.first, profile, unsupported: ['http-parser'] } as const
    const { verdict, offered, failures } = await checkShop(options)
    const warnings = new Set(failures.map(({ requirement, message }) => requirement ?? message))
    return { verdict, offered: offered.length, warnings: [...warnings].toSorted() }
  }

  it('is READY in every stage', { timeout: 600_000 }, async () => {
    // The shop has no one-off orders (ADD-6, ADD-13) and no limit for the quantity of a line (FIELD-8).
    const warnings = ['ADD-13', 'ADD-6', 'FIELD-8']
    expect(await Promise.all([1, 2, 3, 4].map(check))).toEqual([
      { verdict: 'READY', offered: 2, warnings: [] },
      { verdict: 'READY', offered: 3, warnings: [] },
      { verdict: 'READY', offered: 7, warnings },
      { verdict: 'READY', offered: 10, warnings },
    ])
  })

  it('has the table of clicks that StorePort documents', () => {
    expect(tables).toContain(sqlLedgerTable('mysql'))
  })

  it('names the statement that creates a missing index', async () => {
    const { name, run } = await start()
    await run('drop index customers_email on customers')
    const env = userEnvironment({ DATABASE_URL: urlOf(name), STOREPORT_API_KEY: keys.first, PORT: '0' })
    const { stop } = await startLine(folder, 'npm start', env, /listening/)
    expect(await stop()).toContain('Missing index: create index customers_email on customers (email)\n')
  })

  it('gives no customer the data of another email or code that the collation treats as equal', async () => {
    const { shop, run } = await start()
    await run(`update customers set email = 'jose@example.com ' where id = 1; update customers set email = 'josé@example.com' where id = 2;
      update subscription_lines set product_id = 3 where subscription_id = 2`)
    const { items } = await shop.getSubscription({ email: 'Jose@Example.com' })
    expect(items).toMatchObject([{ id: '3', quantity: 9 }])
    await shop.delaySubscription({ email: 'jose@example.com', new_date: addDays(today, 5) })
    const next = 'select id from subscriptions where next_delivery > now() and status = "active" order by next_delivery'
    expect(await run(`${next} limit 1`)).toEqual([{ id: 1 }])
    await run(`update customers set email = 'gone@example.com' where id = 1`)
    await expect(shop.getSubscription({ email: 'jose@example.com' })).rejects.toMatchObject({
      code: 'customer_not_found',
    })
    expect(await shop.getDiscount({ discount_code: 'cafe' })).toMatchObject({ discount_percentage: 20 })
    expect(await shop.getDiscount({ discount_code: 'café' })).toMatchObject({ discount_percentage: 50 })
    await expect(shop.getDiscount({ discount_code: 'cafè' })).rejects.toMatchObject({ code: 'discount_not_found' })
  })

  it('reads a JSON column that the driver returns as a string, as mysql2 before 3.23 does', async () => {
    const name = await createDatabase()
    const program = `
      import { DataSource } from 'typeorm'
      import { Products } from './tables.ts'
      const settings = { type: 'mariadb', url: '${urlOf(name)}', entities: [Products], extra: { jsonStrings: true } }
      const db = await new DataSource(settings).initialize()
      const [{ images }] = await db.query('select images from products where id = 1')
      console.log(typeof images, (await db.manager.findOneBy(Products, { id: 1 })).images)
      await db.destroy()`
    expect(await runCode(folder, program)).toEqual({ code: 0, text: "string [ 'https://shop.example/1.jpg' ]\n" })
  })

  it('keeps the time of day of a DATETIME, and its date near midnight', async () => {
    const { shop, run } = await start()
    for (const [email, days] of [
      ['jose@example.com', 14],
      ['writer@example.com', 7],
    ] as const) {
      expect(await shop.getSubscription({ email })).toMatchObject({ next_billing_date: addDays(today, days) })
      // Between the dates, summer time begins or ends.
      await shop.delaySubscription({ email, new_date: addDays(today, 180) })
    }
    expect(await run('select next_delivery from subscriptions where id in (2, 7) order by id')).toEqual([
      { next_delivery: inDays(180, '23:45:00') },
      { next_delivery: inDays(180, '00:15:00') },
    ])
  })

  it('finds and locks only the rows of the customer among 20,000 customers', async () => {
    const { name, shop, run } = await start()
    await run(`insert into customers (email) select concat('Customer', seq, '@example.com') from seq_1_to_20000;
      insert into subscriptions (customer_id, name, status, next_delivery, every_weeks)
        select id, 'Tea', 'active', '${inDays(9)}', 4 from customers where id > 5;
      insert into codes (code, percent) select concat('Code', seq), 5 from seq_1_to_20000;
      insert into subscription_lines (subscription_id, product_id, quantity) select id, 1, 1 from subscriptions where id > 8;
      analyze table customers, subscriptions, subscription_lines, codes`)
    await run(`set global log_output = 'TABLE'; truncate mysql.general_log; set global general_log = 1`)
    const one = { email: 'customer17@example.com' }
    await shop.getDiscount({ discount_code: 'code12345' })
    await shop.addProduct({ ...one, product_id: '2', discount_code: 'code12345' })
    await shop.sendNow(one)
    await shop.undoAddProduct({ ...one, product_id: '2' }).catch(() => {})
    await run('set global general_log = 0')
    const logged = await query(`select argument from mysql.general_log where command_type = 'Query'
      and argument regexp '^(select|update|delete).*(customers|subscription|codes|adds)'`)
    expect(logged.length).toBeGreaterThan(15)
    for (const { argument } of logged) {
      const rows = (await run(`explain ${argument}`)) ?? []
      expect(
        rows.filter((row: RowDataPacket) => row['rows'] > 10),
        argument,
      ).toEqual([])
    }

    // A click waits at its last statement. It has locked only few rows, and a customer with the same products does not wait.
    const end = await block(name, 'start transaction; select 1 from storeport_adds for update')
    const waiting = shop.addProduct({ ...one, product_id: '1' })
    await expect.poll(locked, { interval: 200 }).toHaveLength(1)
    const [{ locked: count } = { locked: 99 }] = await locked()
    expect(Number(count)).toBeLessThan(10)
    await shop.delaySubscription({ email: 'customer18@example.com', new_date: addDays(today, 40) })
    await run(`insert into subscriptions (customer_id, name, status, next_delivery, every_weeks)
      values (21, 'Tea', 'active', now(), 4)`)
    expect(await locked()).toHaveLength(1)
    await end()
    await waiting
  })

  it('runs a click again after a deadlock', async () => {
    const { name, shop } = await start()
    // The database rolls back the smaller transaction, which is the click.
    const end = await block(
      name,
      `start transaction; insert into codes (code) select seq from seq_1_to_1000;
        select 1 from subscriptions where id = 7 for update`,
    )
    const click = shop.delaySubscription({ email: 'writer@example.com', new_date: addDays(today, 9) })
    await expect.poll(locked, { interval: 200 }).toHaveLength(1)
    await end('update storeport_clicks set version = version; rollback')
    await click
  })

  it('recovers within 15 s from connections that end silently, also if a click holds a lock', async () => {
    const { name, shop, run } = await start()
    const email = 'writer@example.com'
    await Promise.all(Array.from({ length: 40 }, () => shop.getSubscription({ email })))
    const end = await block(name, 'start transaction; select 1 from subscriptions where id = 7 for update')
    const lost = codeOf(shop.delaySubscription({ email, new_date: addDays(today, 20) }))
    await expect.poll(locked, { interval: 200 }).toHaveLength(1)
    proxy.stall()
    const diedAt = performance.now()
    await end()
    for (const each of [email, 'jose@example.com']) {
      const click = () => shop.delaySubscription({ email: each, new_date: addDays(today, 21) })
      await expect.poll(() => codeOf(click())).toBe('done')
    }
    expect(performance.now() - diedAt).toBeLessThan(15_000)
    expect(await lost).toBe('store_unavailable')
    expect(await run('select 1 from storeport_clicks')).toHaveLength(3)
  })

  it('returns 503 with Retry-After while no connection is free', async () => {
    const { name, url } = await start()
    const end = await block(name, 'lock tables subscriptions write, customers read')
    const send = () =>
      fetch(`${url}/integration/customer-portal/subscription?email=jose@example.com`, {
        headers: { 'X-Integration-API-Key': keys.first },
      })
    const responses = await Promise.all(Array.from({ length: 100 }, send))
    await end('unlock tables')
    const found = responses.map(({ status, headers }) => `${status} ${headers.get('retry-after')}`)
    expect([...new Set(found)]).toEqual(['503 5'])
    expect((await send()).status).toBe(200)
  })

  it('charges once if the payment provider declines, loses its response, or hangs', async () => {
    const { shop, run } = await start()
    const email = 'jose@example.com'
    const send = () => codeOf(shop.sendNow({ email }))
    payments.charges.clear()
    payments.status = 402
    expect(await send()).toBe('payment_failed')
    payments.status = 200
    payments.hangs = true
    expect(await send()).toBe('upstream_error')
    payments.hangs = false
    // The pending order would not contain the change.
    const changes = [
      () => shop.addProduct({ email, product_id: '3', one_time: true }),
      () => shop.undoAddProduct({ email, product_id: '3' }),
      () => shop.swapProduct({ email, current_item_id: '1', new_product_id: '3' }),
      () => shop.delaySubscription({ email, new_date: addDays(today, 20) }),
    ]
    for (const change of changes) await expect(change()).rejects.toMatchObject({ code: 'store_unavailable' })
    expect(await send()).toBe('done')
    await shop.addProduct({ email, product_id: '3', one_time: true })
    // The provider received the same key twice. The declined order had another key.
    expect([...payments.charges]).toEqual([['order-2', 2]])
    expect(await run('select status, total from orders order by id')).toEqual([
      { status: 'declined', total: '39.95' },
      { status: 'paid', total: '39.95' },
    ])
  })
})
