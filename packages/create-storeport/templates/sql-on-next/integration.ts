import { createIntegration } from '@storeport/core'
import { openStore } from './store.ts'

const { DATABASE_URL = 'sqlite:store.db', SEED, STOREPORT_API_KEY, NEXT_PHASE } = process.env

// Does not open the store during `next build`, because the build loads this file but may have no database.
const store = NEXT_PHASE === 'phase-production-build' ? undefined : await openStore(DATABASE_URL, SEED === 'yes')

export const integration = createIntegration({
  store: store ?? {},
  apiKeys: [STOREPORT_API_KEY],
  // No `retries.ledger` is required, because the store records clicks in the database that all servers share.
})
