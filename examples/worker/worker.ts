import { createIntegration, type Integration } from '@storeport/core'
import { createMemoryStore } from '@storeport/store-memory'

interface Env {
  readonly STOREPORT_API_KEY?: string
}

let integration: Integration | undefined

// oxlint-disable-next-line import/no-default-export -- Workers require a default export
export default {
  fetch(request: Request, env: Env, context: { waitUntil(promise: Promise<unknown>): void }): Promise<Response> {
    integration ??= createIntegration({ store: createMemoryStore(), apiKeys: [env.STOREPORT_API_KEY] })
    return integration.fetch(request, context)
  },
}
