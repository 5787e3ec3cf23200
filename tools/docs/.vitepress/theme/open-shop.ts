import { h, type Ref, shallowRef } from 'vue'
import type { SendToShop, SentRequest } from './page-shop.ts'

/** A shop in the page, which is loaded at its first request. */
export interface OpenShop {
  readonly send: SendToShop
  /** All requests since the last reset, oldest first. */
  readonly log: Readonly<Ref<readonly SentRequest[]>>
  /** Restores the example data. */
  reset(): void
}

const opened = new Map<string, OpenShop>()

/** Returns the shop with a name. All examples of a visit share it, so that later requests return earlier changes. */
export function openShop(name: string): OpenShop {
  const shop = opened.get(name) ?? createShop(name)
  opened.set(name, shop)
  return shop
}

function createShop(name: string): OpenShop {
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
    async send(request) {
      const sendToShop = await (loading ??= load())
      return sendToShop(request)
    },
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
