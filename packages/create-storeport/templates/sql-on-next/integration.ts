import { createIntegration } from '@storeport/core'
import { openStore } from './store.ts'

const { DATABASE_URL = 'sqlite:store.db', SEED, STOREPORT_API_KEY, NEXT_PHASE } = process.env

// `next build` loads this file too, where there may be no database.
const store = NEXT_PHASE === 'phase-production-build' ? undefined : await openStore(DATABASE_URL, SEED === 'yes')

export const integration = createIntegration({
  store: store ?? {},
  apiKeys: [STOREPORT_API_KEY],
  // A click counts once among all servers that share the database.
})
