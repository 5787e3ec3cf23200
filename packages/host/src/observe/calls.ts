import { type CallOutcome, type Observe, traceCalls } from '@storeport/core'
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'

const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/**
 * Creates metrics for requests, durations, dropped log lines, paused operations and the process. `observe` counts requests, and `text`
 * returns all metrics in the Prometheus text format.
 */
export function countCalls(droppedLines: () => number, pausedOperations: () => readonly string[] = () => []) {
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
  const paused = new Gauge({
    name: 'storeport_paused',
    help: '1 for each paused operation.',
    labelNames: ['endpoint'],
    registers,
    collect: () => {
      paused.reset()
      for (const endpoint of pausedOperations()) paused.set({ endpoint }, 1)
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

/** Combines observers; the first is the outermost. */
export function observeAll(observers: readonly Observe[]): Observe {
  return (call, run) =>
    observers.reduceRight<() => Promise<CallOutcome>>((inner, observe) => () => observe(call, inner), run)()
}

/**
 * Returns an observer that creates OpenTelemetry spans if `@opentelemetry/api` is installed. `knownMethods` is the
 * comma-separated list of OTEL_INSTRUMENTATION_HTTP_KNOWN_METHODS.
 */
export async function tracingIfInstalled(knownMethods: string | undefined): Promise<readonly Observe[]> {
  try {
    const api = await import('@opentelemetry/api')
    return [traceCalls(api, { knownMethods: knownMethods?.split(',') })]
  } catch {
    return []
  }
}
