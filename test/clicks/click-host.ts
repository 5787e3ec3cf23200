import { createIntegration } from '@storeport/core'
import { serve } from '@storeport/node'
import { openSqlStore } from '@storeport/store-sql'
import { countSqliteStatements } from '@storeport/testing/count-sqlite-statements'
import { outsideAction, outsideStore } from './outside-effects.ts'
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

const { url, today, windowMs, timeoutMs = 10_000, poolSize, statementTimeoutMs, outside, effects = '' } = settings
const stamp = outsideAction(effects)
const actions = { beans: stamp, cups: stamp, filters: stamp }
const store = await openSqlStore({ url, today, poolSize, statementTimeoutMs, ...(outside === 'action' && { actions }) })
const windows =
  windowMs === undefined
    ? {}
    : { addProduct: windowMs, undoAddProduct: windowMs, sendNow: windowMs, runCustomAction: windowMs }
const integration = createIntegration({
  store: outside === 'addProduct' ? outsideStore(store, effects) : store,
  apiKeys: [key],
  timeoutMs,
  retries: { windows },
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
