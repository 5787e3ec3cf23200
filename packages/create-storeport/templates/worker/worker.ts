import { createIntegration, type Integration } from '@storeport/core'
import { drawImage } from './images.ts'
import { createStore } from './store.ts'

interface Env {
  readonly STOREPORT_API_KEY?: string
  /** Further accepted keys, comma-separated. */
  readonly STOREPORT_API_KEYS?: string
  readonly STOREPORT_URL?: string
}

let integration: Integration | undefined

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    const { pathname } = new URL(request.url)
    if (pathname === '/healthz') return new Response('ok')
    if (pathname.startsWith('/images/')) {
      return new Response(drawImage(pathname.slice(8)), { headers: { 'Content-Type': 'image/svg+xml' } })
    }
    integration ??= createIntegration({
      store: createStore(env.STOREPORT_URL),
      apiKeys: [env.STOREPORT_API_KEY, ...(env.STOREPORT_API_KEYS ?? '').split(',')],
    })
    return integration.fetch(request)
  },
}
