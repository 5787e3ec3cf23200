import { createIntegration, StoreError, type StorePort } from '@storeport/core'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createMonitor, type MonitorOptions, serve } from '../src/index.ts'
import { limitLines } from '../src/log.ts'

const key = 'a-key-of-the-tests-0001'
const email = 'customer@example.com'

/** Starts a server with a monitor. Returns the lines of its log. */
async function openServer(store: StorePort, options: Partial<MonitorOptions> = {}) {
  const lines: Record<string, unknown>[] = []
  const print = vi.spyOn(console, 'log').mockImplementation((line) => void lines.push(JSON.parse(line)))
  onTestFinished(() => print.mockRestore())
  const monitor = createMonitor({ isReady: async () => true, trustedProxies: 0, log: 'info', ...options })
  const { observe, onError } = monitor
  const server = await serve(createIntegration({ store, apiKeys: [key], observe, onError }), { port: 0 })
  onTestFinished(() => server.close())
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(`${server.url}${path}`, { headers: { 'x-integration-api-key': key, ...headers } })
  return { lines, get, monitor }
}

it('logs one line per request, without customer data', async () => {
  const { lines, get, monitor } = await openServer({ listProducts: async () => ({ products: [] }) })
  const traceId = '0af7651916cd43dd8448eb211c80319c'
  await get(`/integration/upsells/products?email=${email}`, { traceparent: `00-${traceId}-b7ad6b7169203331-00` })
  await get(`/integration/upsell/products/${email}`)
  await monitor.close()
  expect(lines).toEqual([
    {
      ...{ level: 30, time: expect.any(Number), requestId: expect.any(String), trace_id: traceId, method: 'GET' },
      ...{ endpoint: 'listProducts', status: 200, ms: expect.any(Number), storeMs: expect.any(Number) },
      msg: 'request completed',
    },
    expect.objectContaining({ status: 404, code: 'endpoint_not_found', path: '/integration/upsell/products/…' }),
    expect.objectContaining({ msg: 'stopped' }),
  ])
})

it('logs a failure of the store at the level error', async () => {
  const fail = async () => {
    throw new StoreError('store_unavailable', undefined, { cause: new Error(`no account of ${email}`) })
  }
  const { lines, get } = await openServer({ listProducts: fail }, { log: 'error' })
  const traceId = '0af7651916cd43dd8448eb211c80319c'
  await get('/integration/upsells/products', { traceparent: `00-${traceId}-b7ad6b7169203331-00` })
  expect(lines.map(({ level, msg, code, trace_id }) => [level, msg, code, trace_id])).toEqual([
    [50, 'request failed', 'store_unavailable', traceId],
    [50, 'request completed', 'store_unavailable', traceId],
  ])
  expect(JSON.stringify(lines)).not.toContain(email)
})

const invalid = { 'x-integration-api-key': 'an-invalid-key-of-the-tests', 'x-forwarded-for': '6.6.6.6, 203.0.113.9' }

it('warns once of a proxy that is not trusted', async () => {
  const { lines, get } = await openServer({})
  for (let turn = 0; turn < 2; turn += 1) await get('/integration/upsells/products', invalid)
  expect(lines.map(({ msg, address }) => [msg, address])).toEqual([
    [expect.stringContaining('Set STOREPORT_TRUST_PROXY'), undefined],
    ['request completed', '127.0.0.1'],
    ['request completed', '127.0.0.1'],
  ])
})

it('passes its lines to `write`', async () => {
  const write = vi.fn()
  const { get, monitor } = await openServer({}, { write })
  await get('/integration/nothing')
  monitor.log.warn('late')
  const fields = expect.objectContaining({ status: 404 })
  expect(write.mock.calls).toEqual([
    [{ level: 'info', message: 'request completed', fields }],
    [{ level: 'warn', message: 'late', fields: {} }],
  ])
})

it('admits 10 lines per second for requests without a key, and logs the number of suppressed lines', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const warn = vi.fn()
  const limit = limitLines({ warn })
  const admitted = () => Array.from({ length: 25 }, () => limit.admits()).filter(Boolean).length
  expect([admitted(), warn.mock.calls.length]).toEqual([10, 0])
  await vi.advanceTimersByTimeAsync(1000)
  expect(warn).toHaveBeenCalledExactlyOnceWith({ unloggedCalls: 15 }, expect.any(String))
  await vi.advanceTimersByTimeAsync(10_000)
  expect(limit.admits()).toBe(true)
  await vi.advanceTimersByTimeAsync(1000)
  expect(warn).toHaveBeenCalledTimes(1)
  expect(admitted()).toBe(10)
  limit.report()
  limit.report()
  expect(warn.mock.calls.slice(1)).toEqual([[{ unloggedCalls: 15 }, expect.any(String)]])
})
