import { type Observe, traceCalls } from '@storeport/core'
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry, type RegistryContentType } from 'prom-client'

const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** State of the host that the metrics report. */
export interface HostState {
  /** Labels of `storeport_build_info`. */
  readonly build: Readonly<Record<'version' | 'node' | 'store', string>>
  /** Returns the number of log lines dropped because the output was too slow. */
  droppedLines(): number
  /** The paused operations. */
  readonly paused: readonly string[]
  /** Returns whether the host can handle requests. Never rejects. */
  isReady(): Promise<boolean>
}

/**
 * Creates metrics for requests, durations, the state of the host and the process. `observe` counts requests, and `render`
 * returns all metrics: in the OpenMetrics format if `accept` contains it, otherwise in the Prometheus text format.
 */
export function countCalls(host: HostState) {
  // The library allows exemplars only in a registry for this format.
  const registry = new Registry<RegistryContentType>()
  registry.setContentType(Registry.OPENMETRICS_CONTENT_TYPE)
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
      dropped.inc(host.droppedLines())
    },
  })
  const paused = new Gauge({
    name: 'storeport_paused',
    help: '1 for each paused operation.',
    labelNames: ['endpoint'],
    registers,
  })
  for (const endpoint of host.paused) paused.set({ endpoint }, 1)
  const build = Object.keys(host.build)
  new Gauge({ name: 'storeport_build_info', help: 'Always 1.', labelNames: build, registers }).set(host.build, 1)
  const ready = new Gauge({
    name: 'storeport_ready',
    help: '1 if the host can handle requests, as in /readyz.',
    registers,
    collect: async () => {
      ready.set((await host.isReady()) ? 1 : 0)
    },
  })
  const inFlight = new Gauge({ name: 'storeport_calls_in_flight', help: 'Requests in flight.', registers })
  const duration = new Histogram<'endpoint' | 'trace_id'>({
    name: 'storeport_call_duration_seconds',
    help: 'Duration of a request.',
    labelNames: ['endpoint'],
    enableExemplars: true,
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
      const { code = '', replayed, storeMs, trace } = outcome
      const endpoint = outcome.endpoint ?? 'none'
      calls.inc({ endpoint, status: String(outcome.answer.status), code })
      duration.observe({
        labels: { endpoint },
        value: (performance.now() - start) / 1000,
        // A trace that is not recorded cannot be opened.
        exemplarLabels: trace?.isSampled === true ? { trace_id: trace.id } : {},
      })
      if (storeMs !== undefined) storeDuration.observe({ endpoint }, storeMs / 1000)
      if (replayed) replays.inc({ endpoint })
      return outcome
    } finally {
      inFlight.dec()
    }
  }
  const render = async (accept: string) => {
    const isOpen = accept.toLowerCase().includes('application/openmetrics-text')
    const contentType = isOpen ? Registry.OPENMETRICS_CONTENT_TYPE : Registry.PROMETHEUS_CONTENT_TYPE
    // Contains objects that inherit from the metrics, because OpenMetrics removes `_total` from the names of its counters.
    const copy = new Registry<RegistryContentType>()
    copy.setContentType(contentType)
    for (const metric of registry.getMetricsAsArray()) copy.registerMetric(Object.create(metric))
    return { contentType, body: await copy.metrics() }
  }
  return { observe, render }
}

/** Combines observers; the first is the outermost. */
export function observeAll(observers: readonly Observe[]): Observe {
  return (call, run) => observers.reduceRight<typeof run>((inner, observe) => () => observe(call, inner), run)()
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
