import { createIntegration } from '@storeport/core'
import { openStore } from './store.ts'

const { DATABASE_URL = 'sqlite:store.db', SEED, STOREPORT_API_KEY, NEXT_PHASE } = process.env

// `next build` also loads this file, possibly without a database.
const store = NEXT_PHASE === 'phase-production-build' ? undefined : await openStore(DATABASE_URL, SEED === 'yes')

export const integration = createIntegration({
  store: store ?? {},
  apiKeys: [STOREPORT_API_KEY],
  // The store also records clicks, so a click counts once across all servers that share the database.
})
