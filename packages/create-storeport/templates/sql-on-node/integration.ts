import { existsSync } from 'node:fs'
import { createIntegration } from '@storeport/core'
import { openStore } from './store.ts'

// Loads the settings from `.env` in development. In production, set them as environment variables.
if (existsSync('.env')) process.loadEnvFile('.env')

const { DATABASE_URL = 'sqlite:store.db', SEED, STOREPORT_API_KEY } = process.env
const store = await openStore(DATABASE_URL, SEED === 'yes')

export const integration = createIntegration({
  store,
  apiKeys: [STOREPORT_API_KEY],
  // No `retries.ledger` is required, because the store records clicks in the database that all servers share.
})
