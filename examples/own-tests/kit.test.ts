import { parseProfile, sendTo } from '@storeport/conformance'
import { behavesLikeStorePort } from '@storeport/conformance/vitest'
import { createIntegration } from '@storeport/core'
import { createStore } from './store.ts'

const apiKey = 'a-key-for-tests-only'
const today = '2026-03-10'
const profile = parseProfile({
  today,
  customers: { subscribed: 'customer@example.com', otherCustomer: 'another@example.com' },
  interval: { weeks: 2 },
})

// Vitest, Jest and node:test run this file.
await behavesLikeStorePort('my store', {
  // Starts a new shop for each check.
  fresh: true,
  async start() {
    const integration = createIntegration({ store: createStore(() => today), apiKeys: [apiKey] })
    return { send: sendTo((request) => integration.fetch(request)), apiKey, profile }
  },
})
