import { createIntegration } from '@storeport/core'
import { serve } from '@storeport/node'
import { openSqlStore } from '@storeport/store-sql'
import { reportPort } from '../measure/follow-orders.ts'
import { apiKey, firstDay } from '../shop.ts'

const store = await openSqlStore({ url: process.env['BENCH_DATABASE'] ?? '', today: () => firstDay })
reportPort((await serve(createIntegration({ store, apiKeys: [apiKey] }), { port: 0 })).port)
