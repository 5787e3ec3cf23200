import { context, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { startPostgres } from '@storeport/testing/start-postgres'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { send } from '@storeport/testing/send'
import { openHost } from './open-host.ts'
import { hostForTest } from '@storeport/testing/start-host-process'

const email = 'subscription@example.com'
const portal = `/integration/customer-portal/subscription?email=${email}`

it("logs a failure's cause without customer data, and adds a stack trace except in production", async () => {
  const postgres = await startPostgres()
  onTestFinished(() => postgres.stop())
  const STOREPORT_STORE = await postgres.createDatabase()
  const start = (NODE_ENV: string) => hostForTest({ STOREPORT_STORE, NODE_ENV })
  const hosts = [await start('development'), await start('production')] as const
  await postgres.pause()
  const failures = await Promise.all(
    hosts.map(async ({ url, output, stop }) => {
      expect((await send(url, portal)).status).toBe(503)
      await vi.waitUntil(() => output.stdout.includes('"request failed"'), 30_000)
      const { lines, text } = await stop()
      expect(text).not.toMatch(/@|%40/)
      return lines.find(({ msg }) => msg === 'request failed') ?? {}
    }),
  )
  await postgres.resume()
  for (const failure of failures) {
    // A paused PostgreSQL server has no socket file and has closed its connections.
    expect(failure['cause']).toMatch(/^(?:ENOENT|ECONNREFUSED|ECONNRESET|57P0[123])$/)
    expect(failure).toMatchObject({ code: 'store_unavailable', endpoint: 'getSubscription' })
  }
  expect(failures[0]?.['at']).toContainEqual(expect.stringMatching(/^at /))
  expect(failures[1]).not.toHaveProperty('at')
})

describe('/metrics', () => {
  /** Returns the value of a metric, or 0 if the metric is missing. */
  const count = (text: string, line: string) =>
    Number(
      text
        .split('\n')
        .find((each) => each.startsWith(line))
        ?.split(' ')
        .at(-1) ?? 0,
    )

  it('counts requests by endpoint, status and code, and reports in-flight requests, repeats and durations', async () => {
    let release = () => {}
    const sendNow = vi.fn(() => new Promise<void>((resolve) => (release = resolve)))
    const { url, metricsUrl = '' } = await openHost({ STOREPORT_METRICS: '127.0.0.1:0' }, { store: { sendNow } })
    await send(url, portal)
    await send(url, '/integration/nothing')
    const body = { email, product_id: 'test_12345' }
    for (let sent = 0; sent < 2; sent += 1) await send(url, '/integration/upsells/add-product', { body })
    const running = send(url, '/integration/customer-portal/send-now', { body: { email } })
    await vi.waitUntil(() => sendNow.mock.calls.length > 0, 30_000)
    const response = await fetch(metricsUrl)
    const text = await response.text()
    release()
    expect((await running).status).toBe(200)
    expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
    // The store itself records clicks, so a repeated request also has a store duration.
    expect({
      found: count(text, 'storeport_calls_total{endpoint="getSubscription",status="200",code=""}'),
      rejected: count(text, 'storeport_calls_total{endpoint="none",status="404",code="endpoint_not_found"}'),
      added: count(text, 'storeport_calls_total{endpoint="addProduct",status="200",code=""}'),
      repeats: count(text, 'storeport_replayed_calls_total{endpoint="addProduct"}'),
      running: count(text, 'storeport_calls_in_flight'),
      times: count(text, 'storeport_call_duration_seconds_count{endpoint="addProduct"}'),
      storeTimes: count(text, 'storeport_store_duration_seconds_count{endpoint="addProduct"}'),
    }).toEqual({ found: 1, rejected: 1, added: 2, repeats: 1, running: 1, times: 2, storeTimes: 2 })
    expect(count(text, 'nodejs_heap_size_used_bytes')).toBeGreaterThan(0)
    expect(text).not.toMatch(/@|%40/)
  })
})

describe('OpenTelemetry spans', () => {
  const exporter = new InMemorySpanExporter()
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
  const contextManager = new AsyncLocalStorageContextManager()
  beforeAll(() => {
    trace.setGlobalTracerProvider(provider)
    context.setGlobalContextManager(contextManager.enable())
  })
  afterAll(async () => {
    trace.disable()
    context.disable()
    await provider.shutdown()
  })

  it("include the store's spans", async () => {
    const getSubscription = vi.fn(async () => {
      trace.getTracer('shop').startSpan('query').end()
      throw new Error(`no row for ${email}`)
    })
    const { url } = await openHost({}, { store: { getSubscription } })
    await send(url, portal)
    const [query, failed] = exporter.getFinishedSpans()
    expect(query?.parentSpanContext?.spanId).toBe(failed?.spanContext().spanId)
    expect(failed).toMatchObject({
      name: 'GET /integration/customer-portal/subscription',
      status: { code: 2 },
      attributes: { 'url.scheme': 'http', 'http.response.status_code': 500, 'error.type': '500' },
    })
  })
})
