import { describe, it, afterAll } from 'vitest'
import { createMemoryStore } from '@storeport/store-memory'
import { behavesLikeStorePort } from '../../src/vitest.ts'
import { startShop } from '../shop.ts'

const tests = { describe, it, afterAll }

await behavesLikeStorePort('a new memory store for each check', { start: () => startShop(), fresh: true }, tests)

await behavesLikeStorePort('one memory store for all checks', { start: () => startShop() }, tests)

await behavesLikeStorePort(
  'a memory store without the retry guard',
  { start: () => startShop({ retries: false }), fresh: true, cannot: ['retries'] },
  tests,
)

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
  tests,
)
