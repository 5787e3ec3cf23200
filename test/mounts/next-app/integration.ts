import { createIntegration, forEachEndpoint, type Integration } from '@storeport/core'
import { createMemoryStore } from '@storeport/store-memory'

/** Default integration: for the Next build, which has no API key, and for the edge runtime, where tests cannot set another. */
const own = createIntegration({ store: createMemoryStore(), apiKeys: [process.env['STOREPORT_API_KEY']] })

const current = () => globalThis.storeportUnderTest ?? own

/** Passes every request to the integration that a test has set most recently. */
export const integration: Integration = {
  ...own,
  answer: (call, endpoint) => current().answer(call, endpoint),
  fetch: (request) => current().fetch(request),
  handlers: forEachEndpoint((name) => (request: Request) => current().handlers[name](request)),
}
