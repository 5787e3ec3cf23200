import { get } from 'node:http'
import { createIntegration, endpointNames, type StorePort } from '@storeport/core'
import { behavesLikeStorePort } from '@storeport/conformance/vitest'
import { createMemoryStore } from '@storeport/store-memory'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { keys } from '@storeport/testing/keys'
import type { MountKind } from '@storeport/testing/stores/mount-kind'
import { checkMountOverStore } from '@storeport/testing/stores/run-conformance'
import { memoryKind } from '@storeport/testing/stores/stores'
import { createNextApp } from './next.ts'

process.env['STOREPORT_API_KEY'] = keys.first
const app = createNextApp()
const tests = { describe, it, afterAll }

beforeAll(() => app.start(), 180_000)
afterAll(() => app.stop())

await checkMountOverStore('next, App Router', app.catchAll, memoryKind)
await checkMountOverStore('next, Pages Router', app.pages, memoryKind)
// The edge runtime uses the adapter of the App Router, and differs only in how it reads requests.
await behavesLikeStorePort('next, edge runtime', app.edge, tests)
// Next itself handles paths without a route, so only the checks that send requests to endpoints run.
await behavesLikeStorePort('next, single routes', { ...app.single, only: endpointNames }, tests)

const headers = { 'X-Integration-API-Key': keys.first, 'Content-Type': 'application/json' }

async function serveStore(mount: MountKind, store: StorePort) {
  const failures: string[] = []
  const onError = (_error: unknown, { code, message }: { code: string; message: string }) => {
    failures.push(`${code}: ${message}`)
  }
  const { url } = await mount.start(createIntegration({ store, apiKeys: [keys.first], onError }))
  return { url: `${url}/integration`, failures }
}

describe('Pages Router with its body parser', () => {
  it('reads the parsed body, and recognizes a StoreError from another copy of core', async () => {
    const { url, failures } = await serveStore(app.pagesParsed, createMemoryStore())
    const post = async (body: string, type = 'application/json') => {
      const init = { method: 'POST', headers: { ...headers, 'Content-Type': type }, body }
      const response = await fetch(`${url}/upsells/add-product`, init)
      return `${response.status} ${await response.text()}`
    }
    const add = JSON.stringify({ email: 'test@example.com', product_id: 'test_12345' })
    expect(await post(add)).toBe('200 {"success":true}')
    expect(await post(add, 'text/plain')).toContain('415 {"success":false')
    expect(await post('{"email":"a"}')).toContain('email: must be an email address')
    expect(await post(JSON.stringify({ padding: 'x'.repeat(70_000) }))).toContain('payload_too_large')
    expect(failures).toEqual([])
    // Next rejects this body itself, so docs/guide/mount.md disables Next's body parser.
    expect(await post('{"email":')).toBe('400 Invalid JSON')
  })
})

it.each([
  ['App', app.catchAll],
  ['Pages', app.pages],
])(
  'aborts the signal when a client disconnects from the %s Router, and reports a later error',
  async (_name, mount) => {
    let entered = () => {}
    const inStore = new Promise<void>((resolve) => (entered = resolve))
    let recordReason: (reason: unknown) => void = () => {}
    const outcome = new Promise<unknown>((resolve) => (recordReason = resolve))
    const { url, failures } = await serveStore(mount, {
      listProducts: async () => ({ products: [] }),
      getSubscription: async (_input, { signal }) => {
        signal.addEventListener('abort', () => recordReason(signal.reason))
        entered()
        await outcome
        throw new Error('the database is unreachable')
      },
    })
    const disconnecting = get(`${url}/customer-portal/subscription?email=test%40example.com`, { headers })
    disconnecting.on('error', () => {})
    await inStore
    disconnecting.destroy()
    expect(await outcome).toMatchObject({ name: 'AbortError' })
    expect((await fetch(`${url}/upsells/products`, { headers })).status).toBe(200)
    expect(failures).toEqual(['internal_error: Error: the database is unreachable'])
  },
)
