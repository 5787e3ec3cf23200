import { existsSync } from 'node:fs'
import { createIntegration } from '@storeport/core'
import { createStore } from './store.ts'

// Loads the settings from `.env` in development. In production, set them as environment variables.
if (existsSync('.env')) process.loadEnvFile('.env')

export const integration = createIntegration({
  store: createStore(process.env['STOREPORT_URL']),
  apiKeys: [process.env['STOREPORT_API_KEY']],
})
