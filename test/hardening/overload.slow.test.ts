import { expect, it, onTestFinished, vi } from 'vitest'
import { createIntegration, type StorePort } from '@storeport/core'
import { serve } from '@storeport/node'

const key = 'a-key-of-the-tests-0001'
const headers = { 'x-integration-api-key': key, 'content-type': 'application/json' }

/** Opens a shop with a limit of ten concurrent requests. Requests stay pending until the test releases them. */
async function busyShop() {
  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  const runCustomAction = vi.fn(() => released)
  const store: StorePort = {
    runCustomAction,
    getDiscount: async () => ({ discount_type: 'percentage', discount_percentage: 10 }),
  }
  const integration = createIntegration({ store, apiKeys: [key], maxConcurrent: 10, onError: () => {} })
  const { url, close } = await serve(integration, { port: 0, closeTimeoutMs: 100 })
  onTestFinished(close)
  const act = async (customer: number) => {
    const body = JSON.stringify({ email: `customer-${customer}@shop.example`, action_id: 'a' })
    const response = await fetch(`${url}/integration/custom-action`, { method: 'POST', headers, body })
    return { status: response.status, retryAfter: response.headers.get('retry-after'), text: await response.text() }
  }
  const read = async () =>
    (await fetch(`${url}/integration/discounts/get-discount?discount_code=A`, { headers })).status
  return { act, read, release, runCustomAction }
}

it('immediately rejects requests above the limit with Retry-After, and completes the running requests', async () => {
  const { act, read, release, runCustomAction } = await busyShop()
  const running = Array.from({ length: 10 }, (_, customer) => act(customer))
  await vi.waitUntil(() => runCustomAction.mock.calls.length === 10)
  // The ten requests are still pending, so the rejections did not wait for them.
  const rejected = await Promise.all(Array.from({ length: 200 }, (_, customer) => act(100 + customer)))
  for (const { status, retryAfter, text } of rejected) {
    expect([status, retryAfter]).toEqual([503, '5'])
    expect(JSON.parse(text)).toMatchObject({ success: false, error: { code: 'store_unavailable' } })
  }
  expect(await read()).toBe(503)
  release()
  expect((await Promise.all(running)).map(({ status }) => status)).toEqual(Array(10).fill(200))
  expect(await read()).toBe(200)
  // The store method did not run for the rejected requests.
  expect(runCustomAction).toHaveBeenCalledTimes(10)
  expect((await act(100)).status).toBe(200)
  expect(runCustomAction).toHaveBeenCalledTimes(11)
})
