import { createIntegration, type IntegrationOptions } from '@storeport/core'
import { createMemoryStore } from '@storeport/store-memory'
import { sendTo } from '../src/index.ts'
import type { RunningShop } from '../src/vitest.ts'

/** The two keys that the shops of these tests accept. */
export const apiKey = 'conformance-key-0001'
/** The second of the two keys. */
export const secondApiKey = 'conformance-key-0002'

/** A shop with the seed in memory, as a fetch handler. */
export function createShop(options: Partial<IntegrationOptions> = {}): (request: Request) => Promise<Response> {
  const integration = createIntegration({ store: createMemoryStore(), apiKeys: [apiKey, secondApiKey], ...options })
  return (request) => integration.fetch(request)
}

/** The same as a mount starts it. */
export async function startShop(options: Partial<IntegrationOptions> = {}): Promise<RunningShop> {
  return { send: sendTo(createShop(options)), apiKey, secondApiKey }
}
