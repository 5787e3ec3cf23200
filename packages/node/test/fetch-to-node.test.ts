import { toFetchResponse, toReqRes } from 'fetch-to-node'
import { expect, test } from 'vitest'
import { toNodeListener } from '../src/index.ts'
import { integrationOf, key, subscription } from './support.ts'

const { integration } = integrationOf({
  getSubscription: async () => subscription,
  runCustomAction: async () => {},
})

/** Drives the listener without a socket. */
function call(path: string, init: RequestInit = {}): Promise<Response> {
  const { req, res } = toReqRes(
    new Request(`http://shop.example${path}`, {
      ...init,
      headers: { 'x-integration-api-key': key, 'content-type': 'application/json' },
    }),
  )
  toNodeListener(integration)(req, res)
  return toFetchResponse(res)
}

test('a GET', async () => {
  const response = await call('/integration/customer-portal/subscription?email=a@example.com')
  expect(response.status).toBe(200)
  expect(await response.json()).toEqual({ success: true, data: subscription })
})

test('a HEAD', async () => {
  const response = await call('/integration/customer-portal/subscription?email=a@example.com', { method: 'HEAD' })
  expect([response.status, await response.text()]).toEqual([200, ''])
})

test('a POST', async () => {
  const body = '{"email":"a@example.com","action_id":"a"}'
  expect(await (await call('/integration/custom-action', { method: 'POST', body })).json()).toEqual({ success: true })
})

test('a POST whose body is too large', async () => {
  const response = await call('/integration/custom-action', { method: 'POST', body: 'x'.repeat(65_537) })
  expect(response.status).toBe(413)
  expect(await response.json()).toMatchObject({ error: { code: 'payload_too_large' } })
})

test('a POST that is refused unread', async () => {
  expect((await call('/integration/nothing', { method: 'POST', body: '{}' })).status).toBe(404)
})
