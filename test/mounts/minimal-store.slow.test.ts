import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const key = 'minimal-store-key-0001'

/** The store of the README, started as the README says. */
describe('examples/minimal-store', () => {
  const child = spawn('npm', ['start', '-w', 'examples/minimal-store'], {
    env: { ...process.env, PORT: '0', STOREPORT_API_KEY: key },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  })
  let url = ''
  beforeAll(async () => {
    for await (const chunk of child.stdout) {
      url = /listening on (\S+)/.exec(String(chunk))?.[1] ?? url
      if (url !== '') break
    }
  }, 30_000)
  afterAll(async () => {
    if (child.pid !== undefined) process.kill(-child.pid)
    await once(child, 'exit')
  })

  const call = async (path: string, init: RequestInit = {}) => {
    const headers = { 'x-integration-api-key': key, 'content-type': 'application/json' }
    const response = await fetch(`${url}/integration${path}`, { headers, ...init })
    const body: unknown = await response.json()
    return { status: response.status, body }
  }
  const add = (body: object) => call('/upsells/add-product', { method: 'POST', body: JSON.stringify(body) })

  it('offers what is not bought yet', async () => {
    const email = 'somebody@example.com'
    const listed = async (query: string) => JSON.stringify((await call(`/upsells/products${query}`)).body)
    expect(await listed(`?email=${email}`)).toContain('"beans"')
    expect(await add({ email, product_id: 'beans' })).toEqual({ status: 200, body: { success: true } })
    expect(await listed(`?email=${email.toUpperCase()}`)).not.toContain('"beans"')
    expect(await listed('')).toContain('"beans"')
  })

  it('refuses what it does not have', async () => {
    expect((await add({ email: 'a@example.com', product_id: 'tea' })).status).toBe(404)
    expect((await add({ email: 'a@example.com', product_id: 'beans', quantity: 11 })).status).toBe(400)
    expect((await call('/customer-portal/subscription?email=a@example.com')).status).toBe(404)
  })
})
