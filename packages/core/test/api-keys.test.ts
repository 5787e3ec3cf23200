import { createHash } from 'node:crypto'
import { describe, expect, it, vi } from 'vitest'
import { createIntegration, type ErrorSummary, type StorePort } from '@storeport/core'
import { integrationOf, key, send, subscription } from './support.ts'

const portal = '/integration/customer-portal/subscription?email=a@b.example'

describe('API keys (AUTH-1 to AUTH-12)', () => {
  const store: StorePort = { getSubscription: async () => subscription }

  it('accepts any of several API keys, whether configured as plain text or as a digest', async () => {
    const digest = createHash('sha256').update('the-second-key-0002').digest('hex')
    const integration = integrationOf(store, { apiKeys: [key, `sha256:${digest.toUpperCase()}`] })
    expect((await send(integration, portal)).status).toBe(200)
    expect(
      (await send(integration, portal, { headers: { 'x-integration-api-key': 'the-second-key-0002' } })).status,
    ).toBe(200)
    expect((await send(integration, portal, { headers: { 'x-integration-api-key': digest } })).status).toBe(401)
  })

  it('rejects every request if all API keys are unset or empty, and reports the missing key once', async () => {
    const reported: ErrorSummary[] = []
    const integration = createIntegration({
      store,
      apiKeys: [undefined, ''],
      onError: (_, summary) => reported.push(summary),
    })
    expect((await send(integration, portal)).status).toBe(401)
    expect((await send(integration, portal, { headers: { 'x-integration-api-key': '' } })).status).toBe(401)
    expect(reported.map((summary) => summary.message)).toEqual([
      'TypeError: apiKeys: no API key is set, so every request is rejected. Set a key.',
    ])
  })

  it.each([
    ['short', /at least 16 characters/],
    ['sha256:abc', /64 hex digits/],
    ['a key with spaces in it', /visible ASCII/],
    ['a-key-with-a-newline\n', /visible ASCII/],
  ])('rejects the invalid key %j at creation, and omits the key from the error message', (bad, message) => {
    const start = () => createIntegration({ store, apiKeys: [bad] })
    expect(start).toThrow(message)
    expect(start).not.toThrow(bad)
  })

  it('hashes keys with WebCrypto if node:crypto is unavailable', async () => {
    vi.stubGlobal('process', undefined)
    vi.resetModules()
    const edge = await import('@storeport/core')
    vi.unstubAllGlobals()
    const integration = edge.createIntegration({ store, apiKeys: [key] })
    expect((await send(integration, portal)).status).toBe(200)
    expect((await send(integration, portal, { headers: { 'x-integration-api-key': `${key}x` } })).status).toBe(401)
  })
})
