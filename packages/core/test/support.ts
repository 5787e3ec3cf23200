import { expect, onTestFinished } from 'vitest'
import { createIntegration, type IntegrationOptions, type StorePort } from '@storeport/core'

export { deferred } from '@storeport/testing/deferred'

export const key = 'a-key-of-the-tests-0001'

export const subscription = {
  next_billing_date: '2026-12-04',
  items: [{ id: 'item_1', title: 'Product A', price: 19.95, images: ['https://shop.example/a.svg'], quantity: 2 }],
}

/**
 * Creates an integration with a valid API key. Each error that the integration reports fails the test, unless the test
 * sets `onError`.
 */
export function integrationOf(store: StorePort, options: Partial<IntegrationOptions> = {}) {
  const errors: unknown[] = []
  if (options.onError === undefined) onTestFinished(() => expect(errors).toEqual([]))
  return createIntegration({ store, apiKeys: [key], onError: (error) => void errors.push(error), ...options })
}

interface Sent {
  method?: string
  headers?: Record<string, string>
  body?: unknown
}

/** Sends a request to an integration in this process. A body that is not a string is sent as JSON. */
export async function send(
  integration: { fetch(request: Request): Promise<Response> },
  path: string,
  { method, headers = {}, body }: Sent = {},
) {
  const response = await integration.fetch(
    new Request(`https://shop.example${path}`, {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      headers: {
        'x-integration-api-key': key,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    }),
  )
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, json: parsed(text) }
}

function parsed(text: string): { success?: unknown; data?: unknown; error?: { code?: unknown; message?: unknown } } {
  return text === '' ? {} : JSON.parse(text)
}
