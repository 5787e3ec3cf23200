import { createIntegration, StoreError } from '@storeport/core'
import { serve } from '@storeport/node'
import { openSqlStore } from '@storeport/store-sql'
import { key } from '../shop.ts'
import { createKiller } from './may-kill.ts'
import type { MerchantSettings } from './merchant-host.ts'

/*
 * Serves a SQL store that charges orders through a payment provider. Kills itself at random: before or after a charge,
 * after a statement, or within 5 ms after a statement such as a commit. Sends its URL to the parent.
 */

const settings: Pick<MerchantSettings, 'url' | 'provider' | 'killRate' | 'kills' | 'port'> = JSON.parse(
  process.argv[2] ?? '{}',
)

/**
 * Whether the process listens. Before that, the process does not kill itself, because the test would not start it
 * again.
 */
let isServing = false
const kill = createKiller(settings)

function mayKill(step: string, afterMs = 0): void {
  if (isServing) kill(step, afterMs)
}

const store = await openSqlStore({
  url: settings.url,
  today: '2026-03-10',
  onStatement: (sql) => {
    mayKill(`after ${sql.trim().split(/\s+/, 4).join(' ')}`)
    mayKill('at a random time after a statement', 5 * Math.random())
  },
  charge: async ({ email, order, idempotencyKey }) => {
    mayKill('before charge')
    const body = JSON.stringify({ email, idempotencyKey, total: order.total_minor })
    const response = await fetch(`${settings.provider}/charge`, { method: 'POST', body }).catch(() => undefined)
    mayKill('after charge')
    if (response?.status === 402) throw new StoreError('payment_failed')
    if (response?.status !== 200) throw new StoreError('upstream_error')
  },
})

const integration = createIntegration({ store, apiKeys: [key], onError: () => {} })
const server = await serve(integration, { port: settings.port ?? 0 })
isServing = true
// Exits when the test process exits.
process.on('disconnect', () => process.exit())
process.send?.(server.url)
