import { createIntegration, storesClicks, StoreError, type StorePort } from '@storeport/core'
import { createSqlLedger } from '@storeport/core/sql'
import { serve } from '@storeport/node'
import { bindRules, type CustomerAccount, readShopData, readShopOptions, seed } from '@storeport/rules'
import pg from 'pg'
import { key, today } from '../shop.ts'
import { createKiller } from './may-kill.ts'

/** Settings of a shop with its own tables, including how it prevents duplicate clicks. */
export interface MerchantSettings {
  readonly url: string
  readonly provider: string
  readonly approach: 'ledger' | 'own-transaction' | 'memory' | 'charge-named' | 'charge-outside' | 'rules' | 'reconcile'
  readonly windowMs: number
  readonly timeoutMs: number
  /** Fraction of ledger writes with a lost response, from 0 to 1. */
  readonly lostResponseRate: number
  /** Probability that the process kills itself before or after a statement or a charge, from 0 to 1. */
  readonly killRate: number
  /** File that records the step of each kill. */
  readonly kills: string
  /** Port on which the process listens. Default: any free port. */
  readonly port?: number
}

/*
 * Serves a shop from the merchant's own PostgreSQL tables, with its own connection pool. Kills itself at random steps.
 * Sends its URL to the parent.
 */

const settings: MerchantSettings = JSON.parse(process.argv[2] ?? '{}')
type Client = pg.Pool | pg.PoolClient
const createPool = () => new pg.Pool({ connectionString: settings.url, max: 20 }).on('error', () => {})
const pool = createPool()
// Uses a separate pool. In a shared pool, transactions that wait for a second connection could hold all connections.
const ledgerPool = createPool()

const mayKill = createKiller(settings)

async function query(client: Client, text: string, parameters: readonly unknown[] = []) {
  const step = text.trim().split(/\s+/, 3).join(' ')
  mayKill(`before ${step}`)
  const result = await client.query<Record<string, unknown>>(text, [...parameters])
  mayKill(`after ${step}`)
  return result
}

/** Adapts a pool or a connection to `createSqlLedger`. */
const runOn = (client: Client) => async (text: string, parameters: readonly unknown[]) => {
  const { rows, rowCount } = await query(client, text, parameters)
  // Simulates a successful write whose response is lost.
  const isWrite = client === ledgerPool && !/^\s*select/i.test(text)
  if (isWrite && Math.random() < settings.lostResponseRate) throw new Error('the response was lost')
  return { rows, changes: rowCount ?? 0 }
}

const clicks = createSqlLedger({ dialect: 'postgres', run: runOn(ledgerPool) })

async function order(client: Client, email: string, total = 0, id: string = crypto.randomUUID()): Promise<void> {
  await query(client, 'insert into shop_orders (id, email, total) values ($1, $2, $3)', [id, email, total])
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

/** Charges a customer through the payment provider, which ignores repeated keys. */
async function charge(email: string, idempotencyKey: string, total = 0): Promise<void> {
  mayKill('before charge')
  const body = JSON.stringify({ email, idempotencyKey, total })
  const response = await fetch(`${settings.provider}/charge`, { method: 'POST', body }).catch(() => undefined)
  mayKill('after charge')
  if (response?.status === 402) throw new StoreError('payment_failed')
  if (response?.status !== 200) throw new StoreError('upstream_error')
}

/** Charges and inserts an order in one transaction. With `outside`, `once` commits the attempt first. */
const chargeInTransaction = (options: { outside?: ReturnType<typeof runOn> }): StorePort => ({
  addProduct: storesClicks(({ email }, context) =>
    transact((client) =>
      clicks.once(
        runOn(client),
        context,
        async () => {
          await charge(email, context.idempotencyKey)
          await order(client, email)
        },
        options,
      ),
    ),
  ),
})

/** Stores accounts as JSON, and charges an order under the key of its billing cycle. */
function rulesStore(): StorePort {
  const { products } = readShopData(seed(today), 'USD')
  const { createShop } = readShopOptions({ today })
  const shop = createShop({ product: (id) => products.find((product) => product.id === id) })
  return bindRules({
    read: () => Promise.reject(new StoreError('store_unavailable')),
    storesClicks: true,
    change: (_name, input, context, rule) =>
      transact((client) =>
        clicks.once(runOn(client), context, async () => {
          const { rows } = await query(client, 'select account from accounts where email = $1 for update', [
            input.email,
          ])
          // oxlint-disable-next-line typescript/consistent-type-assertions -- only this file and its test write the column
          const before = rows[0]?.['account'] as CustomerAccount | undefined
          const after = rule(before, input, shop)
          if (before === undefined || after === before) return
          const added = after.orders.filter((each) => !before.orders.includes(each))
          for (const { id, total_minor } of added) await order(client, after.email, total_minor, id)
          const update = 'update accounts set account = $2 where email = $1'
          await query(client, update, [after.email, JSON.stringify(after)])
        }),
      ),
    charge: ({ email, order: { total_minor }, idempotencyKey }) => charge(email, idempotencyKey, total_minor),
  })
}

const stores: Readonly<Record<MerchantSettings['approach'], () => StorePort>> = {
  ledger: () => ({ addProduct: ({ email }) => order(pool, email) }),
  memory: () => ({ addProduct: ({ email }) => order(pool, email) }),
  'own-transaction': () => ({
    addProduct: storesClicks(({ email }, context) =>
      transact((client) => clicks.once(runOn(client), context, () => order(client, email))),
    ),
  }),
  'charge-named': () => chargeInTransaction({}),
  'charge-outside': () => chargeInTransaction({ outside: runOn(ledgerPool) }),
  rules: rulesStore,
  reconcile: () => ({
    addProduct: ({ email }, { idempotencyKey }) => charge(email, idempotencyKey),
    reconcile: async (_name, _input, { idempotencyKey }) => {
      const response = await fetch(`${settings.provider}/charges/${idempotencyKey}`)
      return response.status === 200 ? 'applied' : 'not_applied'
    },
  }),
}

const { approach, windowMs, timeoutMs } = settings
const integration = createIntegration({
  store: stores[approach](),
  apiKeys: [key],
  scope: 'merchants',
  timeoutMs,
  retries: { windows: { addProduct: windowMs }, ...(approach !== 'memory' && { ledger: clicks }) },
  onError: () => {},
})
const server = await serve(integration, { port: settings.port ?? 0 })
// Exits when the test process exits.
process.on('disconnect', () => process.exit())
process.send?.(server.url)
