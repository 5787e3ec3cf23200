import { createIntegration } from '@storeport/core'
import { createMemoryStore } from '@storeport/store-memory'
import type { PageRequest } from '../adapt-markdown.ts'

/** A request that the shop in the page has received. */
export interface SentRequest {
  /** Method and path. */
  readonly line: string
  readonly status: number
  /** Number of store methods that ran for this request. A repeated click runs none. */
  readonly methodCalls: number
}

/** A shop with example data in the memory of the page. */
export interface PageShop {
  /** Sends a request; returns status and body as text. */
  send(request: PageRequest): Promise<string>
  /** Returns all requests, oldest first. */
  log(): readonly SentRequest[]
}

const apiKey = 'the-key-of-the-examples'

/** Creates a shop on the date of the examples in the API reference. */
export function createPageShop(): PageShop {
  const store = createMemoryStore({ today: '2026-12-01' })
  const integration = createIntegration({ store, apiKeys: [apiKey] })
  const sent: SentRequest[] = []
  return {
    log: () => [...sent],
    async send({ method, path, body }) {
      const before = store.calls.length
      const response = await integration.fetch(
        new Request(new URL(path, 'https://shop.example'), {
          method,
          headers: { 'X-Integration-API-Key': apiKey, 'Content-Type': 'application/json' },
          ...(method !== 'GET' && { body }),
        }),
      )
      const text = await response.text()
      sent.push({ line: `${method} ${path}`, status: response.status, methodCalls: store.calls.length - before })
      return `${response.status}\n${JSON.stringify(JSON.parse(text), null, 2)}`
    },
  }
}
