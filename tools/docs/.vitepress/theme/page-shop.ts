import { createIntegration, type StorePort } from '@storeport/core'
import { createMemoryStore, seed } from '@storeport/store-memory'
import { tutorialStores } from 'virtual:tutorial-stores'
import type { PageRequest } from '../adapt-markdown.ts'

/** A request that a shop in the page has received. */
export interface SentRequest {
  /** Method and path. */
  readonly line: string
  readonly status: number
  /** Whether the store method ran. A repeated click does not run the method again. */
  readonly hasRun: boolean
}

/** A response of a shop in the page. */
export interface PageResponse {
  readonly status: number
  readonly body: string
}

/** Sends a request to a shop in the memory of the page. */
export type SendToShop = (request: PageRequest) => Promise<PageResponse>

const apiKey = 'the-key-of-the-examples'

const images: Readonly<Record<string, string>> = import.meta.glob('../../../../packages/host/images/*.svg', {
  eager: true,
  query: '?url',
  import: 'default',
})

/** Creates the stores, by the name of the shop. */
const stores: Readonly<Record<string, () => StorePort>> = {
  // The date of the examples in the API reference.
  api: () => createMemoryStore({ today: '2026-12-01' }),
  email: createStoreWithImages,
  ...Object.fromEntries(tutorialStores.map((createStore, step) => [`tutorial-${step}`, () => createStore()])),
}

/** Creates the shop with a name. Calls `onRequest` after each request. */
export function createPageShop(name: string, onRequest: (sent: SentRequest) => void): SendToShop {
  const createStore = stores[name]
  if (createStore === undefined) throw new Error(`There is no shop ${name}.`)
  const integration = createIntegration({
    store: createStore(),
    apiKeys: [apiKey],
    async observe({ method, path, query }, run) {
      const outcome = await run()
      const hasRun = outcome.storeMs !== undefined && !outcome.replayed
      const line = `${method} ${path}${query === '' ? '' : `?${query}`}`
      onRequest({ line, status: outcome.answer.status, hasRun })
      return outcome
    },
  })
  return async ({ method, path, body }) => {
    const response = await integration.fetch(
      new Request(new URL(path, 'https://shop.example'), {
        method,
        headers: { 'X-Integration-API-Key': apiKey, 'Content-Type': 'application/json' },
        ...(method !== 'GET' && { body }),
      }),
    )
    return { status: response.status, body: await response.text() }
  }
}

/** Creates the example store on the current date. Its images are files of the site. */
function createStoreWithImages(): StorePort {
  const data = seed(new Date().toISOString().slice(0, 10))
  const products = data.products.map((product) => {
    const image = images[`../../../../packages/host/images/${product.id}.svg`] ?? ''
    return { ...product, images: [new URL(image, location.href).href] }
  })
  return createMemoryStore({ data: { ...data, products } })
}
