import type { ServerResponse } from 'node:http'
import { compileFunction } from 'node:vm'
import * as core from '@storeport/core'
import { createIntegration, type StorePort } from '@storeport/core'
import * as memory from '@storeport/store-memory'
import { listening } from '@storeport/testing/listen'
import { readBlock } from '@storeport/testing/read-block'
import { key, send } from '@storeport/testing/send'
import ts from 'typescript'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'

const page = 'docs/guide/from-your-platform.md'

/**
 * Runs the first code block below a heading of a page, and returns the exports of the block. docs.test.ts checks the
 * code's types.
 */
function runBlock(heading: string, file = page): Record<string, (...values: unknown[]) => unknown> {
  const compilerOptions = { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 }
  const { outputText } = ts.transpileModule(readBlock(file, 'ts', heading), { compilerOptions })
  const exports: ReturnType<typeof runBlock> = {}
  compileFunction(outputText, ['exports', 'require'])(exports, (name: string) =>
    name === '@storeport/store-memory' ? memory : core,
  )
  return exports
}

interface PlatformState {
  readonly lines: object[]
  readonly orders: object[]
  readonly dates: string[]
  nextOutcome: Outcome
}

/** Emails by subscription id. A search for Jane's email finds Mary first. */
const customers = { mary: 'mary-jane@example.com', jane: 'Jane@Example.com' }

/** How the platform handles the next change. */
type Outcome =
  | 'success'
  | 'disconnects before the change'
  | 'disconnects after the change'
  | 'returns an HTML page'
  | 'rate limited'

/** Starts a platform with two customers. Mary's email contains Jane's email. */
async function startPlatform() {
  const state: PlatformState = { lines: [], orders: [], dates: [], nextOutcome: 'success' }
  const change = (response: ServerResponse, apply: () => void) => {
    const outcome = state.nextOutcome
    state.nextOutcome = 'success'
    if (outcome === 'success' || outcome === 'disconnects after the change') apply()
    if (outcome.startsWith('disconnects')) response.destroy()
    else if (outcome === 'returns an HTML page') response.writeHead(200).end('<html>Please wait</html>')
    else if (outcome === 'rate limited') response.writeHead(429).end()
    else response.end('{}')
  }
  const { url: platformUrl, stop } = await listening((request, response) => {
    let text = ''
    request.on('data', (chunk) => (text += String(chunk)))
    request.on('end', () => {
      const body = text === '' ? {} : JSON.parse(text)
      const { method, url = '' } = request
      const next_order_at = state.dates.at(-1) ?? '2030-01-05T12:00:00Z'
      const email = new URL(url, 'http://platform').searchParams.get('email')
      if (email !== null) {
        // The platform searches for emails that contain the string.
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
  vi.stubEnv('PLATFORM_URL', platformUrl)
  return state
}

/** Mounts the store from the page. Returns a function that sends a request and returns the status. */
function openShop() {
  const { platformStore } = runBlock('From your platform')
  const integration = createIntegration({ store: Object(platformStore), apiKeys: [key], onError: () => {} })
  return async (path: string, body: object) =>
    (await send(integration, `/integration/${path}`, { body: { email: 'jane@example.com', ...body } })).status
}

afterEach(() => {
  vi.unstubAllEnvs()
})

describe(`store from ${page}`, () => {
  describe.each(['disconnects before the change', 'disconnects after the change', 'returns an HTML page'] as const)(
    'platform that %s',
    (outcome) => {
      it.each([
        ['addProduct', 'upsells/add-product', { product_id: 'tea' }, 'lines'],
        ['sendNow', 'customer-portal/send-now', {}, 'orders'],
      ] as const)('runs %s once when the request is retried', async (_, path, body, changes) => {
        const state = await startPlatform()
        const post = openShop()
        state.nextOutcome = outcome
        expect(await post(path, body)).toBe(502)
        expect(await post(path, body)).toBe(200)
        expect(state[changes]).toHaveLength(1)
      })

      it('delays the subscription to the requested date after a retry', async () => {
        const state = await startPlatform()
        const post = openShop()
        state.nextOutcome = outcome
        expect(await post('customer-portal/delay', { new_date: '2030-02-01' })).toBe(502)
        expect(await post('customer-portal/delay', { new_date: '2030-02-01' })).toBe(200)
        expect(new Set(state.dates)).toEqual(new Set(['2030-02-01T12:00:00Z']))
      })
    },
  )

  it('returns 429 when the platform returns 429', async () => {
    const state = await startPlatform()
    state.nextOutcome = 'rate limited'
    expect(await openShop()('upsells/add-product', { product_id: 'tea' })).toBe(429)
  })

  it('returns 404 for a partial email address', async () => {
    await startPlatform()
    expect(await openShop()('customer-portal/send-now', { email: 'ane@example.com' })).toBe(404)
  })
})

describe(`date functions from ${page}`, () => {
  const { dayOf, momentOf } = runBlock('Dates and zones')

  it('converts a time to the date in the time zone', () => {
    expect(dayOf?.('2026-03-01T23:30:00Z', 'Europe/Berlin')).toBe('2026-03-02')
    expect(dayOf?.('2026-03-01T23:30:00Z', 'America/New_York')).toBe('2026-03-01')
  })

  it.each([
    'Pacific/Kiritimati',
    'Pacific/Auckland',
    'Asia/Kolkata',
    'Europe/Berlin',
    'America/New_York',
    'Etc/GMT+12',
  ])('converts every date of a year to a time and back in %s', (zone) => {
    for (let day = Date.UTC(2026, 0, 1); day < Date.UTC(2027, 0, 1); day += 86_400_000) {
      const text = new Date(day).toISOString().slice(0, 10)
      expect(dayOf?.(momentOf?.(text, zone), zone)).toBe(text)
    }
  })
})

it(`converts minor units to amounts with the code from ${page}`, () => {
  const { toAmount } = runBlock('Money')
  expect(toAmount?.(1999, 'EUR')).toBe(19.99)
  expect(toAmount?.(500, 'JPY')).toBe(500)
  expect(toAmount?.(1234, 'KWD')).toBe(1.234)
})

it('maps item ids to lines with the code from docs/guide/your-store/portal.md', () => {
  const { linesByItemId } = runBlock('Line ids of your platform', 'docs/guide/your-store/portal.md')
  const lines = [
    { id: '9001', sku: 'tea', nextOrderOnly: false },
    { id: '9002', sku: 'pot', nextOrderOnly: false },
    { id: '9003', sku: 'tea', nextOrderOnly: true },
    { id: '9004', sku: 'tea', nextOrderOnly: false },
  ]
  const [tea, pot, once, more] = lines
  expect(linesByItemId?.(lines)).toEqual(
    new Map([
      ['tea', [tea, more]],
      ['pot', [pot]],
      ['tea~once', [once]],
    ]),
  )
  expect(linesByItemId?.([])).toEqual(new Map())
})

describe('code from docs/guide/faq.md', () => {
  const faq = 'docs/guide/faq.md'
  const shop = () => memory.createMemoryStore({ today: '2026-12-01' })

  /** Sends a POST request to an integration. Returns the error code, or the status of a success. */
  async function post(integration: core.Integration, path: string, body: object) {
    const { status, json } = await send(integration, `/integration${path}`, { body })
    return json.error?.code ?? status
  }

  it('converts only valid product ids to integers', () => {
    const { toProductId } = runBlock('My ids are integers', faq)
    expect(toProductId?.('12')).toBe(12)
    for (const id of ['12abc', '012', '1e3', '-1', '', '12~once'])
      expect(() => toProductId?.(id)).toThrow(expect.objectContaining({ code: 'product_not_found' }))
  })

  it('offers a gift only to its recipient', async () => {
    const { withGifts } = runBlock('How do I offer a product to one customer only', faq)
    const added: string[] = []
    const store: StorePort = Object(
      withGifts?.({ ...shop(), addProduct: async ({ email }: { email: string }) => void added.push(email) }),
    )
    const integration = createIntegration({ store, apiKeys: [key] })
    const add = (email: string) => post(integration, '/upsells/add-product', { email, product_id: 'mug-2031' })
    expect(await add('subscription@example.com')).toBe('product_unavailable')
    expect(await add('Jane@example.com')).toBe(200)
    const swap = { email: 'mary@example.com', current_item_id: 'test_12345', new_product_id: 'mug-2031' }
    expect(await post(integration, '/customer-portal/swap-product', swap)).toBe('product_unavailable')
    expect(added).toEqual(['Jane@example.com'])
  })
})
