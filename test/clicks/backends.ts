import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sqlLedgerTable } from '@storeport/core/sql'
import { openSqlStore } from '@storeport/store-sql'
import { fastSettings } from '@storeport/testing/postgres-on-demand'
import { startMariadb } from '@storeport/testing/start-mariadb'
import { startPostgres } from '@storeport/testing/start-postgres'
import { type Proxy, startPostgresProxy, startProxy } from '@storeport/testing/start-proxy'
import { startRedis } from '@storeport/testing/start-redis'
import { Redis } from 'ioredis'
import Libsql from 'libsql'
import mysql from 'mysql2/promise'
import pg from 'pg'
import type { ShopSettings } from './start-host.ts'

export type Storage = 'SQLite' | 'PostgreSQL' | 'MariaDB' | 'Redis'
/** Change of a click. */
export type Change = 'add beans' | 'undo beans' | 'add cups' | 'gift' | 'send now'

/** The storage of a shop, which the processes of the shop share. */
export interface Backend {
  readonly shop: ShopSettings['shop']
  readonly proxy?: Proxy
  /** Returns how often the storage contains a change. */
  count(email: string, change: Change): Promise<number>
  /** Kills the server and starts it again with its data. */
  restart?(): Promise<void>
  /** Blocks the storage. Returns a function that ends the blockade. */
  block?(): () => void
  empty?(): Promise<void>
  stop(): Promise<void>
}

type SqlKind = Exclude<ShopSettings['shop']['kind'], 'platform'>
const today = '2026-03-10'

/** Whether a customer of store-sql has a subscription. */
export const isSubscriber = (index: number) => index % 4 === 3

const endAll = async (...ends: ((() => unknown) | undefined)[]) => {
  for (const end of ends) await end?.()
}

export const emailOf = (index: number) => `customer-${index}@shop.example`

export function openBackend(storage: Storage, kind: SqlKind | 'platform', customers: number): Promise<Backend> {
  if (kind === 'platform') return openRedis()
  if (storage === 'SQLite') return openSqlite(kind, customers)
  return storage === 'MariaDB' ? openMariadb(kind) : openPostgres(kind, customers)
}

const schema = 'create table effects (email varchar(80) not null, change_name varchar(80) not null)'
const counted = 'select 1 from effects where email'

/** Opens a store for the test process, which creates the customers. Without a subscription, each add is an order. */
async function openCounter(url: string, customers: number) {
  const data = {
    products: ['beans', 'cups'].map((id) => ({ id, title: id, price: 4.5, images: [] })),
    customers: Array.from({ length: customers }, (_, index) => {
      const items = [{ id: `item_${index}`, product_id: 'cups' }]
      const subscription = { id: `sub_${index}`, next_billing_date: '2026-04-20', items }
      return { email: emailOf(index), subscriptions: isSubscriber(index) ? [subscription] : [] }
    }),
    actions: ['gift'],
  }
  const store = await openSqlStore({ url, data, today, seed: 'if-empty' })
  return {
    close: store.close,
    count: async (email: string, change: Change) => {
      if (change === 'gift') return (await store.actionsRun(email, { limit: 1000 })).length
      const [verb, product] = change.split(' ')
      const orders = await store.orders(email, { limit: 1000 })
      const isCounted = (status: string) => verb === 'add' || status === 'cancelled'
      if (change === 'send now') return orders.length
      return orders.filter(({ lines, status }) => lines[0]?.product_id === product && isCounted(status)).length
    },
  }
}

async function openSqlite(kind: SqlKind, customers: number): Promise<Backend> {
  const folder = await mkdtemp(join(tmpdir(), 'clicks-'))
  const file = join(folder, 'shop.db')
  const connection = new Libsql(file, { timeout: 30_000 })
  connection.exec('pragma journal_mode = wal')
  const store = kind === 'store-sql' ? await openCounter(`sqlite:${file}`, customers) : undefined
  if (store === undefined) connection.exec(`${schema};${sqlLedgerTable('sqlite')}`)
  return {
    shop: kind === 'store-sql' ? { kind, url: `sqlite:${file}` } : { kind, database: { dialect: 'sqlite', file } },
    count: async (email, change) => {
      if (store !== undefined) return store.count(email, change)
      return connection.prepare(`${counted} = ? and change_name = ?`).all([email, change]).length
    },
    block: () => {
      const blocking = new Libsql(file, { timeout: 30_000 })
      blocking.exec('begin immediate')
      return () => void blocking.close()
    },
    stop: () =>
      endAll(
        () => void connection.close(),
        store?.close,
        () => rm(folder, { recursive: true }),
      ),
  }
}

async function openPostgres(kind: SqlKind, customers: number): Promise<Backend> {
  // Acknowledged commits survive a crash of the server, but not of the machine.
  const server = await startPostgres(fastSettings.filter((setting) => setting !== 'synchronous_commit=off'))
  const url = await server.createDatabase()
  const pool = new pg.Pool({ connectionString: url, max: 4 }).on('error', () => {})
  const store = kind === 'store-sql' ? await openCounter(url, customers) : undefined
  if (store === undefined) await pool.query(`${schema};${sqlLedgerTable('postgres')}`)
  const proxy = await startPostgresProxy(url)
  return {
    shop: kind === 'store-sql' ? { kind, url: proxy.url } : { kind, database: { dialect: 'postgres', url: proxy.url } },
    proxy,
    count: async (email, change) => {
      if (store !== undefined) return store.count(email, change)
      return (await pool.query(`${counted} = $1 and change_name = $2`, [email, change])).rows.length
    },
    restart: server.crash,
    stop: () => endAll(proxy.stop, store?.close, () => pool.end(), server.stop),
  }
}

async function openMariadb(kind: SqlKind): Promise<Backend> {
  if (kind === 'store-sql') throw new Error('store-sql does not support MariaDB.')
  // The later setting applies: acknowledged commits survive a crash of the server, but not of the machine.
  const server = await startMariadb(['--innodb-flush-log-at-trx-commit=2'])
  const pool = mysql.createPool({ ...server.connection, connectionLimit: 4 })
  for (const statement of [schema, sqlLedgerTable('mysql')]) await pool.query(statement)
  const { socketPath, ...account } = server.connection
  const proxy = await startProxy({ path: socketPath })
  const connection = { host: '127.0.0.1', port: proxy.port, ...account }
  return {
    shop: { kind, database: { dialect: 'mysql', connection } },
    proxy,
    count: async (email, change) => {
      const [rows] = await pool.query<mysql.RowDataPacket[]>(`${counted} = ? and change_name = ?`, [email, change])
      return rows.length
    },
    restart: server.restart,
    stop: () => endAll(proxy.stop, () => pool.end(), server.stop),
  }
}

async function openRedis(): Promise<Backend> {
  const server = await startRedis()
  const proxy = await startProxy({ path: server.path })
  return {
    shop: { kind: 'platform', redis: { host: '127.0.0.1', port: proxy.port } },
    proxy,
    count: async () => 0,
    restart: () => endAll(server.kill, server.start),
    empty: async () => {
      const client = new Redis({ path: server.path })
      await client.flushall()
      client.disconnect()
    },
    stop: () => endAll(proxy.stop, server.stop),
  }
}
