import { existsSync } from 'node:fs'
import { createIntegration } from '@storeport/core'
import { openStore } from './store.ts'

// In production, the settings are environment variables. In development, the settings are in `.env`.
if (existsSync('.env')) process.loadEnvFile('.env')

const { DATABASE_URL = 'sqlite:store.db', SEED, STOREPORT_API_KEY } = process.env
const store = await openStore(DATABASE_URL, SEED === 'yes')

export const integration = createIntegration({
  store,
  apiKeys: [STOREPORT_API_KEY],
  // The store also records clicks, so a click counts once across all servers that share the database.
})
