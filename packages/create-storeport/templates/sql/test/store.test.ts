import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sendTo } from '@storeport/conformance'
import { behavesLikeStorePort } from '@storeport/conformance/vitest'
import { createIntegration } from '@storeport/core'
import { openStore } from '../store.ts'

const apiKey = 'a-key-for-tests-only'

await behavesLikeStorePort('my-shop', {
  start: async () => {
    const folder = await mkdtemp(join(tmpdir(), 'my-shop-'))
    const url = process.env['TEST_DATABASE_URL'] ?? `sqlite:${join(folder, 'store.db')}`
    const store = await openStore(url, true)
    const integration = createIntegration({ store, apiKeys: [apiKey] })
    return {
      send: sendTo((request) => integration.fetch(request)),
      apiKey,
      stop: async () => {
        await store.close()
        await rm(folder, { recursive: true })
      },
    }
  },
})
