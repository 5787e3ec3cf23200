import { key } from '@storeport/testing/send'
import { expect, onTestFinished } from 'vitest'
import { createIntegration, type IntegrationOptions, type StorePort } from '@storeport/core'

export { deferred } from '@storeport/testing/deferred'
export { key, send } from '@storeport/testing/send'

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
