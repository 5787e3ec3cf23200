import { join } from 'node:path'
import { sqlLedgerTable } from '@storeport/core/sql'
import { openSqlStore } from '@storeport/store-sql'
import { makeFolder } from '@storeport/testing/make-folder'
import { fastSettings } from '@storeport/testing/postgres-on-demand'
import { startMariadb } from '@storeport/testing/start-mariadb'
import { startPostgres } from '@storeport/testing/start-postgres'
import { type Proxy, startPostgresProxy, startProxy } from '@storeport/testing/start-proxy'
import { startRedis } from '@storeport/testing/start-redis'
import Libsql from 'libsql'
import { execute, openOwnTables, type OwnDatabase } from './own-tables.ts'
import type { ShopSettings } from './start-host.ts'

export type Storage = 'SQLite' | 'PostgreSQL' | 'MariaDB' | 'Redis'
/** Change of a click. */
export type Change = 'add beans' | 'undo beans' | 'gift' | 'send now'

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

/** Counts the changes in a storage. */
interface Counter {
  count(email: string, change: Change): Promise<number>
  close(): Promise<void>
}

/** Opens a store for the test process, which creates the customers. Without a subscription, each add is an order. */
async function openStore(url: string, customers: number): Promise<Counter> {
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

/** Opens the tables of a shop for the test process, which creates them. */
async function openCounter(kind: SqlKind, database: OwnDatabase, customers: number): Promise<Counter> {
  if (kind === 'store-sql') return openStore(urlOf(database), customers)
  const { dialect, run, close } = openOwnTables(database, 4)
  const schema = 'create table effects (email varchar(80) not null, change_name varchar(80) not null)'
  await execute({ run }, `${schema};${sqlLedgerTable(dialect)}`)
  const [email$, change$] = dialect === 'postgres' ? ['$1', '$2'] : ['?', '?']
  const counted = `select 1 from effects where email = ${email$} and change_name = ${change$}`
  return { close, count: async (email, change) => (await run(counted, [email, change])).rows.length }
}

function urlOf(database: OwnDatabase): string {
  if (database.dialect === 'mysql') throw new Error('store-sql does not support MariaDB.')
  return database.dialect === 'sqlite' ? `sqlite:${database.file}` : database.url
}

function shopOf(kind: SqlKind, database: OwnDatabase): ShopSettings['shop'] {
  return kind === 'store-sql' ? { kind, url: urlOf(database) } : { kind, database }
}

async function openSqlite(kind: SqlKind, customers: number): Promise<Backend> {
  const database = { dialect: 'sqlite', file: join(await makeFolder('clicks'), 'shop.db') } as const
  const { count, close } = await openCounter(kind, database, customers)
  return {
    shop: shopOf(kind, database),
    count,
    block: () => {
      const blocking = new Libsql(database.file, { timeout: 30_000 })
      blocking.exec('begin immediate')
      return () => void blocking.close()
    },
    stop: close,
  }
}

async function openPostgres(kind: SqlKind, customers: number): Promise<Backend> {
  // Acknowledged commits survive a crash of the server, but not of the machine.
  const server = await startPostgres(fastSettings.filter((setting) => setting !== 'synchronous_commit=off'))
  const url = await server.createDatabase()
  const { count, close } = await openCounter(kind, { dialect: 'postgres', url }, customers)
  const proxy = await startPostgresProxy(url)
  return {
    shop: shopOf(kind, { dialect: 'postgres', url: proxy.url }),
    proxy,
    count,
    restart: server.crash,
    stop: () => endAll(proxy.stop, close, server.stop),
  }
}

async function openMariadb(kind: SqlKind): Promise<Backend> {
  // The later setting applies: acknowledged commits survive a crash of the server, but not of the machine.
  const server = await startMariadb(['--innodb-flush-log-at-trx-commit=2'])
  const { count, close } = await openCounter(kind, { dialect: 'mysql', connection: server.connection }, 0)
  const { socketPath, ...account } = server.connection
  const proxy = await startProxy({ path: socketPath })
  const connection = { host: '127.0.0.1', port: proxy.port, ...account }
  return {
    shop: shopOf(kind, { dialect: 'mysql', connection }),
    proxy,
    count,
    restart: server.restart,
    stop: () => endAll(proxy.stop, close, server.stop),
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
    stop: () => endAll(proxy.stop, server.stop),
  }
}
