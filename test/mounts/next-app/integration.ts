import { createIntegration, forEachEndpoint, type Integration } from '@storeport/core'
import { createMemoryStore } from '@storeport/store-memory'

/** Integration for `next build`, and for the edge runtime, where tests cannot set a different integration. */
const own = createIntegration({ store: createMemoryStore(), apiKeys: [process.env['STOREPORT_API_KEY']] })

const current = () => globalThis.storeportUnderTest ?? own

/** Passes every request to the integration that a test has set, or to the default integration. */
export const integration: Integration = {
  ...own,
  answer: (call, endpoint) => current().answer(call, endpoint),
  fetch: (request) => current().fetch(request),
  handlers: forEachEndpoint((name) => (request: Request) => current().handlers[name](request)),
}
