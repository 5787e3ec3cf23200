import { type Context, createIntegration, StoreError, type StorePort, storesClicks } from '@storeport/core'
import { createSqlLedger } from '@storeport/core/sql'
import { serve } from '@storeport/node'
import { redisLedger } from '@storeport/redis'
import type { ChargeOrder } from '@storeport/rules'
import { openSqlStore, type RunAction } from '@storeport/store-sql'
import { Redis } from 'ioredis'
import { type OwnDatabase, openOwnTables } from './own-tables.ts'
import type { PlatformCall } from './platform.ts'
import { apiKey, type ShopSettings } from './start-host.ts'

/* Serves a shop in a child process and sends the shop's URL to the parent. */

const { shop, platform, timeoutMs }: ShopSettings = JSON.parse(process.argv[2] ?? '{}')
/** Number of fences that `reconcile` has set for a request, which its method passes on. */
const epochs = new Map<string, number>()

async function callPlatform(call: PlatformCall): Promise<void> {
  const response = await fetch(platform.url, { method: 'POST', body: JSON.stringify(call) }).catch(() => undefined)
  // The platform has fenced this attempt, so it has had no effect.
  if (response?.status === 409) throw new StoreError('upstream_error', undefined, { outcome: 'refused' })
  if (response?.status !== 200) throw new StoreError('upstream_error')
}

function openStore(): StorePort | Promise<StorePort> {
  if (shop.kind === 'platform') return platformStore()
  if (shop.kind !== 'store-sql') return ownStore(shop.database)
  const gift: RunAction = ({ email }, { idempotencyKey: key }) => callPlatform({ key, email, change: 'gift', epoch: 0 })
  const charge: ChargeOrder = ({ email, idempotencyKey: key }) =>
    callPlatform({ key, email, change: 'send now', epoch: 0 })
  return openSqlStore({ url: shop.url, today: '2026-03-10', statementTimeoutMs: 3000, actions: { gift }, charge })
}

/** A store whose every method is a call of the platform. */
function platformStore(): StorePort {
  const change = async (email: string, name: string, { idempotencyKey: key, requestId }: Context) => {
    const epoch = epochs.get(requestId) ?? 0
    epochs.delete(requestId)
    await callPlatform({ key, email, change: name, epoch })
  }
  const store: StorePort = {
    addProduct: ({ email, product_id }, context) => change(email, `add ${product_id}`, context),
    undoAddProduct: ({ email, product_id }, context) => change(email, `undo ${product_id}`, context),
    runCustomAction: ({ email, action_id }, context) => change(email, action_id, context),
  }
  if (platform.kind === 'plain') return store
  if (platform.kind === 'honours') return { ...store, honoursIdempotencyKey: true }
  return {
    ...store,
    reconcile: async (_name, _input, { idempotencyKey: key, requestId }) => {
      const response = await fetch(`${platform.url}/reconcile`, { method: 'POST', body: JSON.stringify({ key }) })
      const epoch = Number(await response.text())
      if (epoch === -1) return 'applied'
      epochs.set(requestId, epoch)
      return 'not_applied'
    },
  }
}

/** A store with its own tables. An add and an undo change only rows. A custom action also calls the platform (rule 22). */
function ownStore(database: OwnDatabase): StorePort {
  const { dialect, run, transact } = openOwnTables(database)
  const clicks = createSqlLedger({ dialect, run })
  const [email$, change$] = dialect === 'postgres' ? ['$1', '$2'] : ['?', '?']
  const insert = `insert into effects (email, change_name) values (${email$}, ${change$})`
  const marked = <Input extends { readonly email: string }>(nameOf: (input: Input) => string) =>
    storesClicks<Input>((input, context) =>
      transact((tx) => clicks.once(tx, context, () => tx(insert, [input.email, nameOf(input)]))),
    )
  return {
    ledger: clicks,
    honoursIdempotencyKey: true,
    addProduct: marked(({ product_id }) => `add ${product_id}`),
    undoAddProduct: marked(({ product_id }) => `undo ${product_id}`),
    runCustomAction: async ({ email, action_id: change }, context) => {
      await callPlatform({ key: context.idempotencyKey, email, change, epoch: 0 })
      await transact((tx) => clicks.once(tx, context, () => tx(insert, [email, change]))).catch((cause: unknown) => {
        // A database that cannot be reached is no rejection here, because the platform has been called.
        throw new StoreError('store_unavailable', undefined, { cause, outcome: 'unknown' })
      })
    },
  }
}

/** Windows in milliseconds, longer than the repeats of a click. */
const windowMs = 600_000
const windows = { addProduct: windowMs, undoAddProduct: windowMs, runCustomAction: windowMs, sendNow: windowMs }
const ledger = shop.kind === 'platform' ? redisLedger(new Redis(shop.redis).on('error', () => {})) : undefined
const integration = createIntegration({
  store: await openStore(),
  apiKeys: [apiKey],
  scope: 'clicks',
  timeoutMs,
  retries: { windows, ...(ledger !== undefined && { ledger }) },
  onError: (error) => console.error(error),
})
const server = await serve(integration, { port: 0 })
// Exits when the test process exits.
process.on('disconnect', () => process.exit())
process.send?.(server.url)
