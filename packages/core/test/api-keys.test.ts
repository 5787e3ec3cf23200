import { createHash } from 'node:crypto'
import { describe, expect, it, vi } from 'vitest'
import { createIntegration, type IntegrationOptions, type StorePort } from '@storeport/core'
import { integrationOf, key, send, subscription } from './support.ts'

const portal = '/integration/customer-portal/subscription?email=a@b.example'

const store: StorePort = { getSubscription: async () => subscription }

/** Returns the status of a request with an API key. */
async function statusWith(sent: string, apiKeys: readonly (string | undefined)[]) {
  return (await send(integrationOf(store, { apiKeys }), portal, { headers: { 'x-integration-api-key': sent } })).status
}

describe('API keys (AUTH-1 to AUTH-12)', () => {
  it('accepts any of several API keys, whether configured as plain text or as a digest', async () => {
    const digest = createHash('sha256').update('the-second-key-0002').digest('hex')
    const sent = [key, 'the-second-key-0002', digest]
    const keys = [key, `sha256:${digest.toUpperCase()}`]
    expect(await Promise.all(sent.map((each) => statusWith(each, keys)))).toEqual([200, 200, 401])
  })

  it('rejects every request if all API keys are unset or empty, and reports the missing key once', async () => {
    const onError = vi.fn<NonNullable<IntegrationOptions['onError']>>()
    const integration = createIntegration({ store, apiKeys: [undefined, ''], onError })
    for (const headers of [{}, { 'x-integration-api-key': '' }])
      expect((await send(integration, portal, { headers })).status).toBe(401)
    expect(onError.mock.calls.map(([, { message }]) => message)).toEqual([
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
    const sent = [key, `${key}x`].map((each) =>
      send(integration, portal, { headers: { 'x-integration-api-key': each } }),
    )
    expect((await Promise.all(sent)).map(({ status }) => status)).toEqual([200, 401])
  })
})
