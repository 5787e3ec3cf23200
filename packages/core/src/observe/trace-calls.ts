import type { Observe } from './observe.ts'

/** What of an OpenTelemetry span is used. */
export interface TraceSpan {
  /** Adds what is known at the end. */
  setAttributes(attributes: Record<string, string | number | boolean>): unknown
  /** Names the span once the endpoint is known. */
  updateName(name: string): unknown
  /** Marks a failure; 2 is OpenTelemetry's error. */
  setStatus(status: { code: number }): unknown
  /** Ends the span. */
  end(): void
}

/** What of an OpenTelemetry tracer is used: `trace.getTracer('storeport')` of `@opentelemetry/api` is one. */
export interface CallTracer {
  /** Runs a function inside a new span. */
  startActiveSpan<Result>(name: string, options: { kind: number }, run: (span: TraceSpan) => Result): Result
}

const serverKind = 1
const errorStatus = 2

/** An observer that makes each call an OpenTelemetry span, without any customer data; the store's own spans lie inside it. */
export function traceCalls(tracer: CallTracer): Observe {
  return (call, run) =>
    tracer.startActiveSpan(call.method, { kind: serverKind }, async (span) => {
      try {
        const outcome = await run()
        const { answer, endpoint, code, replayed, requestId } = outcome
        span.setAttributes({
          'http.request.method': call.method,
          'http.response.status_code': answer.status,
          'storeport.request_id': requestId,
          'storeport.replayed': replayed,
          ...(endpoint !== undefined && { 'storeport.endpoint': endpoint }),
          ...(code !== undefined && { 'error.type': code }),
        })
        if (endpoint !== undefined) span.updateName(`${call.method} ${endpoint}`)
        if (answer.status >= 500) span.setStatus({ code: errorStatus })
        return outcome
      } finally {
        span.end()
      }
    })
}
