import { createIntegration, createSqlLedger, storesClicks, StoreError, type StorePort } from '@storeport/core'
import { serve } from '@storeport/node'
import pg from 'pg'
import { key } from '../shop.ts'

/** Settings of a shop with its own tables, including how it prevents duplicate clicks. */
export interface MerchantSettings {
  readonly url: string
  readonly provider: string
  readonly approach: 'ledger' | 'own-transaction' | 'memory' | 'charge-named' | 'charge-outside' | 'reconcile'
  readonly windowMs: number
  readonly timeoutMs: number
  /** Fraction of ledger writes with a lost response, from 0 to 1. */
  readonly lostResponseRate: number
  /** Port to listen on. 0 means any free port. */
  readonly port: number
}

/*
 * Serves a shop from the merchant's own PostgreSQL tables, with its own connection pool. Sends its URL to the parent.
 */

const settings: MerchantSettings = JSON.parse(process.argv[2] ?? '{}')
const pool = new pg.Pool({ connectionString: settings.url, max: 20 })
pool.on('error', () => {})

/** Adapts a pool or a connection to `createSqlLedger`. */
const runOn = (client: pg.Pool | pg.PoolClient) => async (text: string, parameters: readonly unknown[]) => {
  const { rows, rowCount } = await client.query<Record<string, unknown>>(text, [...parameters])
  // Simulates a write that succeeds but whose response is lost.
  const isWrite = client === pool && !/^\s*select/i.test(text)
  if (isWrite && Math.random() < settings.lostResponseRate) throw new Error('the response was lost')
  return { rows, changes: rowCount ?? 0 }
}

const clicks = createSqlLedger({ dialect: 'postgres', run: runOn(pool) })

async function order(client: pg.Pool | pg.PoolClient, email: string, product: string): Promise<void> {
  await client.query('insert into shop_orders (email, product) values ($1, $2)', [email, product])
}

async function transact(work: (client: pg.PoolClient) => Promise<unknown>): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    await work(client)
    await client.query('commit')
    client.release()
  } catch (error) {
    await client.query('rollback').catch(() => {})
    client.release(true)
    throw error
  }
}

/** Charges a customer through the payment provider, which ignores repeated keys. */
async function charge(email: string, product: string, idempotencyKey: string): Promise<void> {
  const body = JSON.stringify({ email, product, idempotencyKey })
  const response = await fetch(`${settings.provider}/charge`, { method: 'POST', body })
  if (!response.ok) throw new StoreError('upstream_error')
}

const stores: Readonly<Record<MerchantSettings['approach'], StorePort>> = {
  ledger: { addProduct: ({ email, product_id }) => order(pool, email, product_id) },
  memory: { addProduct: ({ email, product_id }) => order(pool, email, product_id) },
  'own-transaction': {
    addProduct: storesClicks(({ email, product_id }, context) =>
      transact((client) => clicks.once(runOn(client), context, () => order(client, email, product_id))),
    ),
  },
  'charge-named': {
    addProduct: storesClicks(({ email, product_id }, context) =>
      transact((client) =>
        clicks.once(runOn(client), context, async () => {
          await charge(email, product_id, context.idempotencyKey)
          await order(client, email, product_id)
        }),
      ),
    ),
  },
  'charge-outside': {
    addProduct: storesClicks(({ email, product_id }, context) =>
      transact((client) =>
        clicks.once(
          runOn(client),
          context,
          async () => {
            await charge(email, product_id, context.idempotencyKey)
            await order(client, email, product_id)
          },
          { outside: runOn(pool) },
        ),
      ),
    ),
  },
  reconcile: {
    addProduct: ({ email, product_id }, { idempotencyKey }) => charge(email, product_id, idempotencyKey),
    reconcile: async (_name, _input, { idempotencyKey }) => {
      const response = await fetch(`${settings.provider}/charges/${idempotencyKey}`)
      return response.status === 200 ? 'applied' : 'not_applied'
    },
  },
}

const { approach, windowMs, timeoutMs } = settings
const integration = createIntegration({
  store: stores[approach],
  apiKeys: [key],
  scope: 'merchants',
  timeoutMs,
  retries: {
    windows: { addProduct: windowMs, undoAddProduct: windowMs },
    ...(approach !== 'memory' && { ledger: clicks }),
  },
  onError: () => {},
})
const server = await serve(integration, { port: settings.port })
// Exits with the test process.
process.on('disconnect', () => process.exit())
process.send?.(server.url)
