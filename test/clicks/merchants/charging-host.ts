import { appendFileSync } from 'node:fs'
import { createIntegration, createSqlLedger, StoreError } from '@storeport/core'
import { serve } from '@storeport/node'
import { bindRules, type CustomerAccount, readShopData, readShopOptions, seed } from '@storeport/rules'
import pg from 'pg'
import { key } from '../shop.ts'

/** Settings of a shop that charges its orders. */
export interface ChargingSettings {
  readonly url: string
  readonly provider: string
  /** Port to listen on. 0 means any free port. */
  readonly port: number
  /** Probability that the process is killed before or after a statement or a charge, from 0 to 1. */
  readonly killRate: number
  /** File that records the step of each kill. */
  readonly kills: string
}

/*
 * Serves a shop that stores accounts as JSON in PostgreSQL and charges orders through a payment provider. Kills itself at random
 * steps. Sends its URL to the parent.
 */

const settings: ChargingSettings = JSON.parse(process.argv[2] ?? '{}')
const pool = new pg.Pool({ connectionString: settings.url, max: 10 })
pool.on('error', () => {})

function mayKill(step: string): void {
  if (Math.random() >= settings.killRate) return
  appendFileSync(settings.kills, `${step}\n`)
  process.kill(process.pid, 'SIGKILL')
}

async function query(client: pg.Pool | pg.PoolClient, text: string, parameters: readonly unknown[] = []) {
  const step = text.trim().split(/\s+/, 3).join(' ')
  mayKill(`before ${step}`)
  const result = await client.query<Record<string, unknown>>(text, [...parameters])
  mayKill(`after ${step}`)
  return result
}

const runOn = (client: pg.Pool | pg.PoolClient) => async (text: string, parameters: readonly unknown[]) => {
  const { rows, rowCount } = await query(client, text, parameters)
  return { rows, changes: rowCount ?? 0 }
}

async function transact(work: (client: pg.PoolClient) => Promise<unknown>): Promise<void> {
  const client = await pool.connect()
  try {
    await query(client, 'begin')
    await work(client)
    await query(client, 'commit')
    client.release()
  } catch (error) {
    await client.query('rollback').catch(() => {})
    client.release(true)
    throw error
  }
}

async function loadAccount(client: pg.PoolClient, email: string): Promise<CustomerAccount | undefined> {
  const { rows } = await query(client, 'select account from accounts where email = $1 for update', [email])
  const [row] = rows
  // oxlint-disable-next-line typescript/consistent-type-assertions -- only this file writes the column
  return row?.['account'] as CustomerAccount | undefined
}

async function saveAccount(client: pg.PoolClient, before: CustomerAccount, after: CustomerAccount): Promise<void> {
  for (const { id, total_minor } of after.orders.filter((order) => !before.orders.includes(order))) {
    await query(client, 'insert into shop_orders (id, email, total) values ($1, $2, $3)', [
      id,
      after.email,
      total_minor,
    ])
  }
  await query(client, 'update accounts set account = $2 where email = $1', [after.email, JSON.stringify(after)])
}

const clicks = createSqlLedger({ dialect: 'postgres', run: runOn(pool) })
const { products } = readShopData(seed('2026-03-10'), 'USD')
const { createShop } = readShopOptions({ today: '2026-03-10' })
const shop = createShop({ product: (id) => products.find((product) => product.id === id) })

const store = bindRules({
  read: () => Promise.reject(new StoreError('store_unavailable')),
  storesClicks: true,
  change: (_name, input, context, rule) =>
    transact((client) =>
      clicks.once(runOn(client), context, async () => {
        const account = await loadAccount(client, input.email)
        const after = rule(account, input, shop)
        if (account !== undefined && after !== account) await saveAccount(client, account, after)
      }),
    ),
  charge: async ({ email, order, idempotencyKey }) => {
    mayKill('before charge')
    const body = JSON.stringify({ email, idempotencyKey, total: order.total_minor })
    const response = await fetch(`${settings.provider}/charge`, { method: 'POST', body }).catch(() => undefined)
    mayKill('after charge')
    if (response?.status === 402) throw new StoreError('payment_failed')
    if (response?.status !== 200) throw new StoreError('upstream_error')
  },
})

const integration = createIntegration({
  store,
  apiKeys: [key],
  scope: 'charges',
  retries: { ledger: clicks },
  onError: () => {},
})
const server = await serve(integration, { port: settings.port })
// Exits with the test process.
process.on('disconnect', () => process.exit())
process.send?.(server.url)
