import { readFile } from 'node:fs/promises'
import { parseProfile, sendTo } from '@storeport/conformance'
import { behavesLikeStorePort } from '@storeport/conformance/vitest'
import { createIntegration } from '@storeport/core'
import { createStore } from '../store.ts'

const apiKey = 'a-key-for-tests-only'
const profile = parseProfile(JSON.parse(await readFile('conformance-profile.json', 'utf8')))

await behavesLikeStorePort('my-shop', {
  fresh: true,
  start: async () => {
    const integration = createIntegration({ store: createStore(), apiKeys: [apiKey] })
    return { send: sendTo((request) => integration.fetch(request)), apiKey, profile }
  },
})
