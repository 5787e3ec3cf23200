import { createIntegration, type StorePort } from '@storeport/core'
import { serve } from '@storeport/node'
import { redisLedger } from '@storeport/redis'
import { openSqlStore } from '@storeport/store-sql'
import { countSqliteStatements } from '@storeport/testing/count-sqlite-statements'
import { Redis } from 'ioredis'
import { outsideAction } from './outside-effects.ts'
import { platformStore } from './platform-store.ts'
import type { HostSettings } from './start-click-host.ts'
import { key } from './shop.ts'

/*
 * A process of its own that serves a shop and sends where it listens. A number that it receives is after how many
 * statements over SQLite from then it ends as a crash would; 0 asks how many there were since the last number.
 */

const settings: HostSettings = JSON.parse(process.argv[2] ?? '{}')
let statements = 0
let killAfter = 0
countSqliteStatements(() => {
  statements += 1
  if (statements === killAfter) process.kill(process.pid, 'SIGKILL')
})

const { url, redis, today, windowMs, timeoutMs = 10_000, outside, effects = '' } = settings
const windows =
  windowMs === undefined
    ? {}
    : { addProduct: windowMs, undoAddProduct: windowMs, sendNow: windowMs, runCustomAction: windowMs }
const integration = createIntegration({
  store: await openStore(),
  apiKeys: [key],
  scope: 'clicks',
  timeoutMs,
  retries: {
    windows,
    ...(redis !== undefined && { ledger: redisLedger(new Redis({ path: redis }).on('error', () => {})) }),
  },
  onError: () => {},
})
const server = await serve(integration, { port: 0 })

process.on('message', (number) => {
  const seen = statements
  if (number !== 0) {
    statements = 0
    killAfter = Number(number)
  }
  process.send?.(String(seen))
})
// The tests are gone.
process.on('disconnect', () => process.exit())
process.send?.(server.url)

async function openStore(): Promise<StorePort> {
  if (url === undefined) return platformStore(settings.platform ?? 'reconcile', effects)
  const { poolSize, statementTimeoutMs } = settings
  const stamp = outsideAction(effects)
  const actions = { beans: stamp, cups: stamp, filters: stamp }
  const store = await openSqlStore({
    url,
    today,
    poolSize,
    statementTimeoutMs,
    ...(outside === 'action' && { actions }),
  })
  return outside === 'addProduct' ? { ...store, ...platformStore('reconcile', effects) } : store
}
