import { createIntegration, type Integration } from '@storeport/core'
import { createStore } from './store.ts'

interface Env {
  readonly STOREPORT_API_KEY?: string
}

let integration: Integration | undefined

export default {
  fetch(request: Request, env: Env): Promise<Response> {
    integration ??= createIntegration({ store: createStore(), apiKeys: [env.STOREPORT_API_KEY] })
    return integration.fetch(request)
  },
}
