import { createIntegration } from '@storeport/core'
import { openSqlStore } from '@storeport/store-sql'
import { runClicks } from '../measure/follow-orders.ts'
import { plainCall, post } from '../measure/requests.ts'
import { apiKey, firstDay } from '../shop.ts'

// Uses default options, so the SQL store records clicks in its own transactions.
const store = await openSqlStore({ url: process.env['BENCH_DATABASE'] ?? '', today: () => firstDay })
const { answer } = createIntegration({ store, apiKeys: [apiKey] })
const call = plainCall(post('upsells/add-product', {}))

runClicks((body) => answer({ ...call, text: () => Promise.resolve(body) }))
