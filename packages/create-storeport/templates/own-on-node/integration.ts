import { existsSync } from 'node:fs'
import { createIntegration } from '@storeport/core'
import { createStore } from './store.ts'

// In production, the settings are environment variables. In development, the settings are in `.env`.
if (existsSync('.env')) process.loadEnvFile('.env')

export const integration = createIntegration({
  store: createStore(process.env['STOREPORT_URL']),
  apiKeys: [process.env['STOREPORT_API_KEY']],
})
