import { readFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { compileFunction } from 'node:vm'
import * as core from '@storeport/core'
import { createIntegration, type StorePort } from '@storeport/core'
import { listening } from '@storeport/testing/listen'
import ts from 'typescript'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'

const page = 'docs/guide/from-your-platform.md'
const apiKey = 'a-key-of-these-tests'

/** A block of the page, as its readers copy it; that it compiles is checked with the other documents. */
function runBlock(heading: string): Record<string, unknown> {
  const section = readFileSync(page, 'utf8')
    .split(/^#+ /m)
    .find((text) => text.startsWith(heading))
  const [, code = ''] = /^```ts\n([^]*?)^```/m.exec(section ?? '') ?? []
  const options = { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 }
  const { outputText } = ts.transpileModule(code, { compilerOptions: options })
  const exports: Record<string, unknown> = {}
  compileFunction(outputText, ['exports', 'require'])(exports, () => core)
  return exports
}

function isFunction(value: unknown): value is (...values: unknown[]) => unknown {
  return typeof value === 'function'
}

interface PlatformState {
  readonly lines: object[]
  readonly orders: object[]
  readonly dates: string[]
  fate: Fate
}

/** The subscriptions' ids and whose they are; the neighbour's is found first. */
const customers = { mary: 'mary-jane@example.com', jane: 'Jane@Example.com' }

/** What becomes of the next change: done or not, and what is answered. */
type Fate = 'answered' | 'cut before' | 'cut after' | 'a page of a proxy' | 'refused for its rate'

/** A platform with a subscription of the customer's, and one of somebody whose email contains the same. */
async function startPlatform() {
  const state: PlatformState = { lines: [], orders: [], dates: [], fate: 'answered' }
  const change = (response: ServerResponse, apply: () => void) => {
    const { fate } = state
    state.fate = 'answered'
    if (fate === 'answered' || fate === 'cut after') apply()
    if (fate === 'cut before' || fate === 'cut after') response.destroy()
    else if (fate === 'a page of a proxy') response.writeHead(200).end('<html>Please wait</html>')
    else if (fate === 'refused for its rate') response.writeHead(429).end()
    else response.end('{}')
  }
  const { url: address, stop } = await listening((request, response) => {
    let text = ''
    request.on('data', (chunk) => (text += String(chunk)))
    request.on('end', () => {
      const body = text === '' ? {} : JSON.parse(text)
      const { method, url = '' } = request
      const next_order_at = state.dates.at(-1) ?? '2030-01-05T12:00:00Z'
      const email = new URL(url, 'http://platform').searchParams.get('email')
      if (email !== null) {
        // It finds whoever has the text somewhere, as a search does.
        const found = Object.entries(customers).filter(([, each]) => each.toLowerCase().includes(email))
        const subscriptions = found.map(([id, each]) => ({ id, email: each, next_order_at, lines: state.lines }))
        response.end(JSON.stringify(subscriptions))
      } else if (!url.startsWith('/subscriptions/jane')) response.writeHead(500).end()
      else if (method === 'PATCH') change(response, () => state.dates.push(body.next_order_at))
      else if (method === 'GET') response.end(JSON.stringify(state.orders))
      else if (url.endsWith('/lines')) change(response, () => state.lines.push(body))
      else change(response, () => state.orders.push({ ...body, placed_at: new Date().toISOString() }))
    })
  })
  onTestFinished(async () => stop?.())
  vi.stubEnv('PLATFORM_URL', address)
  return state
}

/** The page's store behind an integration. */
function openShop() {
  const { platformStore } = runBlock('From your platform')
  // oxlint-disable-next-line typescript/consistent-type-assertions -- that the block exports a store is checked with the other documents
  const integration = createIntegration({ store: platformStore as StorePort, apiKeys: [apiKey], onError: () => {} })
  return async (path: string, body: object) => {
    const response = await integration.fetch(
      new Request(`http://shop/integration/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-integration-api-key': apiKey },
        body: JSON.stringify({ email: 'jane@example.com', ...body }),
      }),
    )
    return response.status
  }
}

afterEach(() => {
  vi.unstubAllEnvs()
})

describe(`the store of ${page}`, () => {
  describe.each(['cut before', 'cut after', 'a page of a proxy'] as const)('whose answer is %s', (fate) => {
    it.each([
      ['addProduct', 'upsells/add-product', { product_id: 'tea' }, 'lines'],
      ['sendNow', 'customer-portal/send-now', {}, 'orders'],
    ] as const)('does %s once, also when it is tried again', async (_, path, body, made) => {
      const state = await startPlatform()
      const call = openShop()
      state.fate = fate
      expect(await call(path, body)).toBe(502)
      expect(await call(path, body)).toBe(200)
      expect(state[made]).toHaveLength(1)
    })

    it('delays to the date that was asked for', async () => {
      const state = await startPlatform()
      const call = openShop()
      state.fate = fate
      expect(await call('customer-portal/delay', { new_date: '2030-02-01' })).toBe(502)
      expect(await call('customer-portal/delay', { new_date: '2030-02-01' })).toBe(200)
      expect(new Set(state.dates)).toEqual(new Set(['2030-02-01T12:00:00Z']))
    })
  })

  it('sends no second order on a day', async () => {
    const state = await startPlatform()
    expect(await openShop()('customer-portal/send-now', {})).toBe(200)
    // Another process, which knows nothing of the first click.
    expect(await openShop()('customer-portal/send-now', {})).toBe(400)
    expect(state.orders).toHaveLength(1)
  })

  it('hands on that the platform takes no more calls', async () => {
    const state = await startPlatform()
    state.fate = 'refused for its rate'
    expect(await openShop()('upsells/add-product', { product_id: 'tea' })).toBe(429)
  })

  it('takes nobody for somebody else', async () => {
    await startPlatform()
    expect(await openShop()('customer-portal/send-now', { email: 'ane@example.com' })).toBe(404)
  })
})

describe(`the dates of ${page}`, () => {
  const { dayOf, momentOf } = runBlock('Dates and zones')
  if (!isFunction(dayOf) || !isFunction(momentOf)) throw new Error('the page has no dates')

  it('are days of the zone', () => {
    expect(dayOf('2026-03-01T23:30:00Z', 'Europe/Berlin')).toBe('2026-03-02')
    expect(dayOf('2026-03-01T23:30:00Z', 'America/New_York')).toBe('2026-03-01')
  })

  it.each([
    'Pacific/Kiritimati',
    'Pacific/Auckland',
    'Asia/Kolkata',
    'Europe/Berlin',
    'America/New_York',
    'Etc/GMT+12',
  ])('come back as they were in %s', (zone) => {
    for (let day = Date.UTC(2026, 0, 1); day < Date.UTC(2027, 0, 1); day += 86_400_000) {
      const text = new Date(day).toISOString().slice(0, 10)
      expect(dayOf(momentOf(text, zone), zone)).toBe(text)
    }
  })
})

it(`the amounts of ${page} have the decimals of their currency`, () => {
  const { toAmount } = runBlock('Money')
  if (!isFunction(toAmount)) throw new Error('the page has no amounts')
  expect(toAmount(1999, 'EUR')).toBe(19.99)
  expect(toAmount(500, 'JPY')).toBe(500)
  expect(toAmount(1234, 'KWD')).toBe(1.234)
})
