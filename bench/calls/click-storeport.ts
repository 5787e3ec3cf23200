import { createIntegration } from '@storeport/core'
import { openSqlStore } from '@storeport/store-sql'
import { runClicks } from '../measure/run-clicks.ts'
import { apiKey, timeoutMs } from '../shop.ts'
import { databaseUrl } from '../store/database-url.ts'
import { firstDay } from '../store/first-day.ts'

/** As it comes: the store keeps its clicks. */
const store = await openSqlStore({ url: databaseUrl(), today: () => firstDay })
const { answer } = createIntegration({ store, apiKeys: [apiKey], timeoutMs, onError: () => {} })
runClicks((call) => answer(call))
