import { describe, it, afterAll } from 'vitest'
import { createMemoryStore } from '@storeport/store-memory'
import { behavesLikeStorePort } from '../../src/vitest.ts'
import { startShop } from '../shop.ts'

await behavesLikeStorePort(
  'a shop under names of its own, with a test store',
  {
    start: async () => {
      const names = { vendor: 'acme-mail', basePath: '/api/mail' }
      return { ...(await startShop({ ...names, testStore: createMemoryStore() })), names }
    },
    fresh: true,
    only: ['authentication', 'routing', 'answers', 'testMode', 'ROUTE-1'],
  },
  { describe, it, afterAll },
)
