import { createHistory, createIntegration } from '@storeport/core'
import { serve } from '@storeport/node'
import { openSqlStore } from '@storeport/store-sql'
import { followOrders } from '../measure/follow-orders.ts'
import { apiKey, firstDay } from '../shop.ts'

const store = await openSqlStore({ url: process.env['BENCH_DATABASE'] ?? '', today: () => firstDay })
const history = createHistory(store.history, { keys: ['k'.repeat(32)] })
const plain = await serve(createIntegration({ store, apiKeys: [apiKey] }), { port: 0 })
const recorded = await serve(createIntegration({ store, apiKeys: [apiKey], history }), { port: 0 })

// Replies with the port of the server with a history, or with the CPU time after all records are written.
followOrders(plain.port, async (order: 'port' | 'cpu') => {
  if (order === 'port') return recorded.port
  await history.flush()
  const { user, system } = process.cpuUsage()
  return user + system
})
