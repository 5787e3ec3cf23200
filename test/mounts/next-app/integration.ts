import { createIntegration, forEachEndpoint, type Integration } from '@storeport/core'
import { createMemoryStore } from '@storeport/store-memory'

/** While Next builds there is no key; on the edge runtime, which tests cannot reach into, this one serves the calls. */
const own = createIntegration({ store: createMemoryStore(), apiKeys: [process.env['STOREPORT_API_KEY']] })

const current = () => globalThis.storeportUnderTest ?? own

/** Hands every call to the integration that a test has put there last. */
export const integration: Integration = {
  ...own,
  answer: (call, endpoint) => current().answer(call, endpoint),
  fetch: (request) => current().fetch(request),
  handlers: forEachEndpoint((name) => (request: Request) => current().handlers[name](request)),
}
