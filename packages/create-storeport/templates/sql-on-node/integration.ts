import { existsSync } from 'node:fs'
import { createIntegration } from '@storeport/core'
import { openStore } from './store.ts'

// Where it is deployed, the settings come from the environment; here they are in a file.
if (existsSync('.env')) process.loadEnvFile('.env')

const { DATABASE_URL = 'sqlite:store.db', SEED, STOREPORT_API_KEY } = process.env
const store = await openStore(DATABASE_URL, SEED === 'yes')

export const integration = createIntegration({
  store,
  apiKeys: [STOREPORT_API_KEY],
  // A click counts once among all servers that share the database.
})
