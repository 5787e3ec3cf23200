import { context, propagation, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { type Call, type CallOutcome, type Observe, traceCalls, type TraceOptions } from '@storeport/core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { integrationOf, key, send, subscription } from './support.ts'

const email = 'nobody.known@shop.example'
const portal = '/integration/customer-portal/subscription'
const traceId = '0af7651916cd43dd8448eb211c80319c'
const parentId = 'b7ad6b7169203331'

const exporter = new InMemorySpanExporter()
/** Attributes that each span had when it was created. */
let atCreation: unknown[] = []
const noteCreation = { forceFlush: async () => {}, shutdown: async () => {}, onEnd: () => {} }
const provider = new BasicTracerProvider({
  spanProcessors: [
    { ...noteCreation, onStart: (span) => void atCreation.push({ ...span.attributes }) },
    new SimpleSpanProcessor(exporter),
  ],
})

describe('traceCalls', () => {
  beforeAll(() => {
    trace.setGlobalTracerProvider(provider)
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
    propagation.setGlobalPropagator(new W3CTraceContextPropagator())
  })
  afterAll(() => {
    trace.disable()
    context.disable()
    propagation.disable()
  })
  afterEach(() => {
    exporter.reset()
    atCreation = []
  })

  const traced = (options?: TraceOptions) =>
    integrationOf(
      {
        getSubscription: async () => subscription,
        listProducts: () => Promise.reject(new Error(`no row for ${email}`)),
      },
      { onError: () => {}, observe: traceCalls({ trace, context, propagation }, options) },
    )

  it('sets method, path and scheme at creation, and route, status and codes at the end', async () => {
    await send(traced(), `${portal}?email=${email}`, { headers: { 'x-request-id': 'r1' } })
    const created = { 'http.request.method': 'GET', 'url.path': portal, 'url.scheme': 'https' }
    expect(atCreation).toEqual([created])
    expect(exporter.getFinishedSpans()).toMatchObject([{ name: `GET ${portal}`, kind: 1, status: { code: 0 } }])
    expect(exporter.getFinishedSpans()[0]?.attributes).toEqual({
      ...created,
      'http.route': portal,
      'http.response.status_code': 200,
      'storeport.endpoint': 'getSubscription',
      'storeport.request_id': 'r1',
      'storeport.replayed': false,
    })
  })

  const products = '/integration/upsells/products'
  const masked = { 'http.route': undefined, 'url.path': '/integration/…/…/subscription' }
  const purge = { 'http.request.method': '_OTHER', 'http.request.method_original': 'PURGE' }
  it.each<[what: string, path: string, method: string, name: string, code: 0 | 2, attributes: object]>([
    [
      ...(['a failure of the store is an error', products, 'GET', `GET ${products}`, 2] as const),
      { 'error.type': '500', 'storeport.code': 'internal_error', 'http.response.status_code': 500 },
    ],
    [
      ...(['a rejected request is not an error', portal, 'GET', `GET ${portal}`, 0] as const),
      { 'error.type': undefined, 'storeport.code': 'invalid_request' },
    ],
    ['an unknown path is masked', `/integration/${email}/${key}/subscription`, 'GET', 'GET', 0, masked],
    ['an unknown method is _OTHER', portal, 'PURGE', `HTTP ${portal}`, 0, purge],
  ])('%s', async (_what, path, method, name, code, attributes) => {
    await send(traced(), path, { method })
    const [span] = exporter.getFinishedSpans()
    expect([span?.name, span?.status.code]).toEqual([name, code])
    const found = Object.keys(attributes).map((each) => [each, span?.attributes[each]])
    expect(Object.fromEntries(found)).toEqual(attributes)
    expect(JSON.stringify([span?.name, span?.attributes, span?.events])).not.toMatch(/@|%40|a-key-of/)
  })

  it('uses the given list of known methods', async () => {
    await send(traced({ knownMethods: ['PURGE'] }), portal, { method: 'PURGE' })
    await send(traced({ knownMethods: ['PURGE'] }), portal)
    expect(exporter.getFinishedSpans().map(({ name }) => name)).toEqual([`PURGE ${portal}`, `HTTP ${portal}`])
  })

  it('reads the scheme from X-Forwarded-Proto, without other values', async () => {
    for (const sent of ['http', 'http, https', email])
      await send(traced(), portal, { headers: { 'x-forwarded-proto': sent } })
    const schemes = exporter.getFinishedSpans().map(({ attributes }) => attributes['url.scheme'])
    expect(schemes).toEqual(['http', 'http', 'https'])
  })

  it('names a request to a handler after the endpoint, because StorePort does not know its route', async () => {
    const { handlers } = traced()
    const request = new Request(`http://shop.example/${email}`, { headers: { 'x-integration-api-key': key } })
    await handlers.getSubscription(request)
    const [span] = exporter.getFinishedSpans()
    expect([span?.name, span?.attributes['url.path']]).toEqual(['GET getSubscription', '/…'])
    expect(span?.attributes).not.toHaveProperty(['http.route'])
  })

  it('continues the trace of the request, or is inside the span of the web framework', async () => {
    await send(traced(), portal, { headers: { traceparent: `00-${traceId}-${parentId}-01` } })
    await trace.getTracer('framework').startActiveSpan('request', async (outer) => {
      await send(traced(), portal, { headers: { traceparent: `00-${traceId}-${parentId}-01` } })
      outer.end()
    })
    const [remote, inner, outer] = exporter.getFinishedSpans()
    expect(remote).toMatchObject({ kind: 1, parentSpanContext: { traceId, spanId: parentId } })
    expect(inner).toMatchObject({ kind: 0, parentSpanContext: { spanId: outer?.spanContext().spanId } })
  })

  it('records an exception of an inner observer', async () => {
    const failing: Observe = (call) =>
      traceCalls({ trace, context, propagation })(call, () => Promise.reject(new RangeError(email)))
    await send(integrationOf({}, { onError: () => {}, observe: failing }), portal)
    expect(exporter.getFinishedSpans()).toMatchObject([
      { status: { code: 2 }, attributes: { 'error.type': 'RangeError' } },
    ])
  })

  it('adds the trace of the span to the outcome', async () => {
    const outcome = await outcomeOf({}, traceCalls({ trace, context, propagation }))
    expect(outcome?.trace).toEqual({ id: exporter.getFinishedSpans()[0]?.spanContext().traceId, isSampled: true })
  })
})

/** Returns the outcome of one request with the given headers. */
async function outcomeOf(headers: Record<string, string>, inner: Observe = (_call, run) => run()) {
  const outcomes: CallOutcome[] = []
  const observe = async (call: Call, run: () => Promise<CallOutcome>) => {
    const outcome = await inner(call, run)
    outcomes.push(outcome)
    return outcome
  }
  await send(integrationOf({}, { observe }), portal, { headers })
  return outcomes[0]
}

describe('the trace of an outcome, without OpenTelemetry', () => {
  it.each<[string, object | undefined]>([
    [`00-${traceId}-${parentId}-01`, { id: traceId, isSampled: true }],
    [`00-${traceId}-${parentId}-00`, { id: traceId, isSampled: false }],
    [`01-${traceId}-${parentId}-03-more`, { id: traceId, isSampled: true }],
    [`00-${traceId}-${parentId}-01-more`, undefined],
    [`00-${traceId}-${parentId}-01, 00-${traceId}-${parentId}-01`, undefined],
    [`ff-${traceId}-${parentId}-01`, undefined],
    [`00-${'0'.repeat(32)}-${parentId}-01`, undefined],
    [`00-${traceId}-${'0'.repeat(16)}-01`, undefined],
    [`00-${traceId.toUpperCase()}-${parentId}-01`, undefined],
    [email, undefined],
  ])('of traceparent %s is %j', async (traceparent, expected) => {
    expect((await outcomeOf({ traceparent }))?.trace).toEqual(expected)
  })

  it('is kept by traceCalls if no SDK is installed', async () => {
    const observe = traceCalls({ trace, context, propagation })
    const traceparent = `00-${traceId}-${parentId}-01`
    expect((await outcomeOf({ traceparent }, observe))?.trace?.id).toBe(traceId)
  })
})
