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
 * Serves a shop in a child process and sends the shop's URL to the parent. If the parent sends a positive number, the
 * process restarts its count of SQLite statements and kills itself when the count reaches the number. The process
 * replies to every number with the previous count. If the parent sends 0, the process only replies.
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
  const count = statements
  if (number !== 0) {
    statements = 0
    killAfter = Number(number)
  }
  process.send?.(String(count))
})
// Exits when the test process exits.
process.on('disconnect', () => process.exit())
process.send?.(server.url)

async function openStore(): Promise<StorePort> {
  if (url === undefined) return platformStore(settings.platform ?? 'reconcile', effects)
  const { poolSize, statementTimeoutMs } = settings
  const action = outsideAction(effects)
  const actions = { beans: action, cups: action, filters: action }
  const store = await openSqlStore({
    url,
    today,
    poolSize,
    statementTimeoutMs,
    ...(outside === 'action' && { actions }),
  })
  return outside === 'addProduct' ? { ...store, ...platformStore('reconcile', effects) } : store
}
