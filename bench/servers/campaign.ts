import { createIntegration } from '@storeport/core'
import { serve } from '@storeport/node'
import { openSqlStore } from '@storeport/store-sql'
import { reportPort } from '../measure/run-server.ts'
import { apiKey } from '../shop.ts'
import { firstDay } from '../store/first-day.ts'

/** The SQL store behind StorePort's own server, as a merchant would run it; `BENCH_STORE_URL` names the database. */
const store = await openSqlStore({ url: process.env['BENCH_STORE_URL'] ?? '', today: () => firstDay })
const integration = createIntegration({ store, apiKeys: [apiKey] })

reportPort((await serve(integration, { port: 0 })).port)
