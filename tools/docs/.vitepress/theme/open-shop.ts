import { h, shallowRef } from 'vue'
import type { PageRequest } from '../adapt-markdown.ts'
import type { PageResponse, SendToShop, SentRequest } from './page-shop.ts'

const opened = new Map<string, ReturnType<typeof createShop>>()

/** Returns the shop with a name. All examples of a visit share it, so that later requests return earlier changes. */
export function openShop(name: string) {
  const shop = opened.get(name) ?? createShop(name)
  opened.set(name, shop)
  return shop
}

/** Creates a shop in the page, which is loaded at its first request. */
function createShop(name: string) {
  /** All requests since the last reset, oldest first. */
  const log = shallowRef<readonly SentRequest[]>([])
  let loading: Promise<SendToShop> | undefined

  async function load(): Promise<SendToShop> {
    try {
      const { createPageShop } = await import('./page-shop.ts')
      return createPageShop(name, (sent) => (log.value = [...log.value, sent]))
    } catch (error) {
      // The next request loads the shop again.
      loading = undefined
      throw error
    }
  }

  return {
    log,
    async send(request: PageRequest): Promise<PageResponse> {
      const sendToShop = await (loading ??= load())
      return sendToShop(request)
    },
    /** Restores the example data. */
    reset() {
      loading = undefined
      log.value = []
    },
  }
}

/** Renders the requests to a shop in the page. */
export function renderLog(log: readonly SentRequest[]) {
  return h('details', { open: true }, [
    h('summary', `Requests to this shop: ${log.length}`),
    h(
      'ol',
      log.map(({ line, status, hasRun }) =>
        h('li', `${line} → ${status}, ${hasRun ? 'the store method ran' : 'the store method did not run'}`),
      ),
    ),
  ])
}
