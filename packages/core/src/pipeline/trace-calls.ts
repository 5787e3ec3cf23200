import { withoutEmails } from '../contract/errors.ts'
import { type Call, maskPath } from '../http/call.ts'
import type { Observe, TraceReference } from './integration.ts'

/** Values of span attributes by name. */
export type TraceAttributes = Record<string, string | number | boolean>

/** The part of an OpenTelemetry span that `traceCalls` uses. */
export interface TraceSpan {
  /** Returns the ids of the span. */
  spanContext(): { readonly traceId: string; readonly traceFlags: number }
  /** Adds attributes to the span. */
  setAttributes(attributes: TraceAttributes): unknown
  /** Sets the name of the span. */
  updateName(name: string): unknown
  /** Sets the status; 2 is OpenTelemetry's code for an error. */
  setStatus(status: { code: number }): unknown
  /** Ends the span. */
  end(): void
}

/** The part of an OpenTelemetry tracer that `traceCalls` uses. */
export interface CallTracer<Context> {
  /** Runs a function inside a new span. */
  startActiveSpan<Result>(
    name: string,
    options: { readonly kind: number; readonly attributes: TraceAttributes },
    parent: Context,
    run: (span: TraceSpan) => Result,
  ): Result
}

/** Reads headers for a propagator. */
interface HeaderGetter {
  get(call: Call, name: string): string | undefined
  keys(call: Call): string[]
}

/** The part of the module `@opentelemetry/api` that `traceCalls` uses. */
export interface TracingApi<Context> {
  readonly trace: { getTracer(name: string): CallTracer<Context>; getSpan(context: Context): unknown }
  readonly context: { active(): Context }
  readonly propagation: { extract(context: Context, call: Call, getter: HeaderGetter): Context }
}

/** Options of `traceCalls`. */
export interface TraceOptions {
  /** Methods that spans contain; other methods become `_OTHER`. Default: the methods of RFC 9110, PATCH and QUERY. */
  readonly knownMethods?: readonly string[] | undefined
}

const defaultMethods = ['CONNECT', 'DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT', 'QUERY', 'TRACE']
const kinds = { internal: 0, server: 1 } as const
const errorStatus = 2
/** Trace id of a span that no SDK records. */
const noTrace = '0'.repeat(32)

const headers: HeaderGetter = { get: (call, name) => call.header(name) ?? undefined, keys: () => [] }

/**
 * Creates an observer that records each request as an OpenTelemetry span without customer data, for example
 * `traceCalls(api)` after `import * as api from '@opentelemetry/api'`. The span continues the trace in the request's
 * headers. Spans that the store creates are children of this span. The attributes follow the HTTP semantic conventions 1.44.
 */
export function traceCalls<Context>(api: TracingApi<Context>, options: TraceOptions = {}): Observe {
  const { trace, context, propagation } = api
  const tracer = trace.getTracer('storeport')
  const known = new Set(options.knownMethods ?? defaultMethods)

  return (call, run) => {
    const active = context.active()
    // With a span of the web framework, a second server span would count the request twice.
    const isInside = trace.getSpan(active) !== undefined
    const parent = isInside ? active : propagation.extract(active, call, headers)
    const kind = isInside ? kinds.internal : kinds.server
    const isKnown = known.has(call.method)
    const method = isKnown ? call.method : 'HTTP'
    // A sampler decides with these attributes. The query is omitted, because it contains the customer's email.
    const attributes = {
      'http.request.method': isKnown ? call.method : '_OTHER',
      ...(!isKnown && { 'http.request.method_original': withoutEmails(call.method).slice(0, 40) }),
      'url.path': maskPath(call.path),
      'url.scheme': readScheme(call),
    }
    return tracer.startActiveSpan(method, { kind, attributes }, parent, async (span) => {
      try {
        const { traceId, traceFlags } = span.spanContext()
        const isRecorded = traceId !== noTrace
        const outcome = await run(isRecorded ? { id: traceId, isSampled: isSampled(traceFlags) } : undefined)
        const { answer, endpoint, route, code, replayed, requestId } = outcome
        const isError = answer.status >= 500
        span.setAttributes({
          'http.response.status_code': answer.status,
          'storeport.request_id': requestId,
          'storeport.replayed': replayed,
          ...(endpoint !== undefined && { 'storeport.endpoint': endpoint }),
          ...(code !== undefined && { 'storeport.code': code }),
          ...(route !== undefined && { 'http.route': route, 'url.path': route }),
          ...(isError && { 'error.type': String(answer.status) }),
        })
        const target = route ?? endpoint
        if (target !== undefined) span.updateName(`${method} ${target}`)
        if (isError) span.setStatus({ code: errorStatus })
        return outcome
      } catch (error) {
        span.setAttributes({ 'error.type': error instanceof Error ? error.name : '_OTHER' })
        span.setStatus({ code: errorStatus })
        throw error
      } finally {
        span.end()
      }
    })
  }
}

/** Returns the scheme that the client used, as the outermost proxy reports it. */
function readScheme(call: Call): 'http' | 'https' {
  const [forwarded] = (call.header('x-forwarded-proto') ?? '').split(',', 1)
  if (forwarded === 'https' || forwarded === 'http') return forwarded
  return call.scheme ?? 'http'
}

/** Returns the trace in the header `traceparent` (W3C Trace Context); `undefined` if the header is missing or malformed. */
export function readTrace(call: Call): TraceReference | undefined {
  const parts = /^([\da-f]{2})-(?!0{32})([\da-f]{32})-(?!0{16})[\da-f]{16}-([\da-f]{2})(-.*)?$/.exec(
    call.header('traceparent') ?? '',
  )
  if (parts === null) return undefined
  const [, version, id = '', flags = '', more] = parts
  // Only a later version than 00 can have more fields. Version ff is invalid.
  if (version === 'ff' || (version === '00' && more !== undefined)) return undefined
  return { id, isSampled: isSampled(Number.parseInt(flags, 16)) }
}

/** Whether the lowest bit of the trace flags is set. */
function isSampled(flags: number): boolean {
  return flags % 2 === 1
}
