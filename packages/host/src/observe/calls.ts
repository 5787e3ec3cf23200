import { type Call, type CallOutcome, type Observe, traceCalls } from '@storeport/core'
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { Logger } from 'pino'
import type { LineLimit } from './log.ts'

const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/**
 * Creates metrics for requests, durations, dropped log lines and the process. `observe` counts requests, and `text`
 * returns all metrics in the Prometheus text format.
 */
export function countCalls(droppedLines: () => number) {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const calls = new Counter({
    name: 'storeport_calls_total',
    help: 'Requests by endpoint, status and error code.',
    labelNames: ['endpoint', 'status', 'code'],
    registers,
  })
  const replays = new Counter({
    name: 'storeport_replayed_calls_total',
    help: 'Repeated requests that received a stored response.',
    labelNames: ['endpoint'],
    registers,
  })
  const dropped = new Counter({
    name: 'storeport_log_lines_dropped_total',
    help: 'Log lines dropped because the output was too slow.',
    registers,
    collect: () => {
      dropped.reset()
      dropped.inc(droppedLines())
    },
  })
  const inFlight = new Gauge({ name: 'storeport_calls_in_flight', help: 'Requests in flight.', registers })
  const duration = new Histogram({
    name: 'storeport_call_duration_seconds',
    help: 'Duration of a request.',
    labelNames: ['endpoint'],
    buckets,
    registers,
  })
  const storeDuration = new Histogram({
    name: 'storeport_store_duration_seconds',
    help: 'Time spent in the store per request.',
    labelNames: ['endpoint'],
    buckets,
    registers,
  })

  const observe: Observe = async (_call, run) => {
    const start = performance.now()
    inFlight.inc()
    try {
      const outcome = await run()
      const { code = '', replayed, storeMs } = outcome
      const endpoint = outcome.endpoint ?? 'none'
      calls.inc({ endpoint, status: String(outcome.answer.status), code })
      duration.observe({ endpoint }, (performance.now() - start) / 1000)
      if (storeMs !== undefined) storeDuration.observe({ endpoint }, storeMs / 1000)
      if (replayed) replays.inc({ endpoint })
      return outcome
    } finally {
      inFlight.dec()
    }
  }
  return { observe, text: () => registry.metrics(), contentType: registry.contentType }
}

interface CallLog {
  /** Log to write to. */
  readonly log: Logger
  /** Limits the log lines for requests without a valid key. */
  readonly unauthenticated: LineLimit
  /** Returns the client address of a request. */
  clientAddressOf(call: Call): string
}

/**
 * Logs one line per request, without emails, keys or bodies. A line with code `unauthorized` includes the client
 * address. A line with code `endpoint_not_found` includes the masked path.
 */
export function logCalls({ log, unauthenticated, clientAddressOf }: CallLog): Observe {
  return async (call, run) => {
    const start = performance.now()
    const outcome = await run()
    if (isUnauthenticated(outcome) && !unauthenticated.admits()) return outcome
    const { requestId, endpoint, code, replayed, testMode, storeMs } = outcome
    const { status } = outcome.answer
    const line = {
      requestId,
      method: call.method,
      endpoint,
      status,
      code,
      path: code === 'endpoint_not_found' ? filterPath(call.path) : undefined,
      advice: code === 'endpoint_not_found' ? readAdvice(outcome.answer.body) : undefined,
      ms: round(performance.now() - start),
      storeMs: round(storeMs),
      address: code === 'unauthorized' ? clientAddressOf(call) : undefined,
    }
    log[status >= 500 ? 'error' : 'info'](
      { ...line, ...(replayed && { replayed }), ...(testMode && { testMode }) },
      'request completed',
    )
    return outcome
  }
}

/** Returns whether a request was rejected without a verified key. */
export function isUnauthenticated({ code, endpoint }: Pick<CallOutcome, 'code' | 'endpoint'>): boolean {
  return code === 'unauthorized' || (code === 'store_unavailable' && endpoint === undefined)
}

/** Returns advice for a path that was not found. The advice names endpoints, never the requested path. */
function readAdvice(body: string): string | undefined {
  const { error }: { error: { message: string } } = JSON.parse(body)
  return error.message.replace(/^No endpoint at this path\.\s*/, '') || undefined
}

/**
 * Returns at most 100 characters of a path, for example to diagnose an incorrect base URL. Replaces each segment that
 * is not a lower-case word by `…`, because the segment can contain an email or a key.
 */
function filterPath(path: string): string {
  const segments = path
    .split('/')
    .map((segment) => (/^(?:[a-z]{1,20}(?:-[a-z]{1,20}){0,3})?$/.test(segment) ? segment : '…'))
  return segments.join('/').slice(0, 100)
}

function round(ms: number | undefined): number | undefined {
  return ms === undefined ? undefined : Math.round(ms * 100) / 100
}

/** Combines observers; the first is the outermost. */
export function observeAll(observers: readonly Observe[]): Observe {
  return (call, run) =>
    observers.reduceRight<() => Promise<CallOutcome>>((inner, observe) => () => observe(call, inner), run)()
}

/** Returns an observer that creates OpenTelemetry spans if `@opentelemetry/api` is installed. */
export async function tracingIfInstalled(): Promise<readonly Observe[]> {
  try {
    const { trace } = await import('@opentelemetry/api')
    return [traceCalls(trace.getTracer('storeport'))]
  } catch {
    return []
  }
}
