import { type Call, type CallOutcome, type Observe, traceCalls } from '@storeport/core'
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { Logger } from 'pino'
import type { LineLimit } from './log.ts'

/** What the host counts. */
export interface CallCounts {
  /** Counts a call; wraps it. */
  readonly observe: Observe
  /** Everything counted, in the text format of Prometheus. */
  text(): Promise<string>
  /** The media type of that text. */
  readonly contentType: string
}

const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Counts calls by endpoint and status, how long they and the store took, lines that the log dropped, and the metrics of the process. */
export function countCalls(droppedLines: () => number): CallCounts {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const calls = new Counter({
    name: 'storeport_calls_total',
    help: 'Calls by endpoint, status and error code.',
    labelNames: ['endpoint', 'status', 'code'],
    registers,
  })
  const replays = new Counter({
    name: 'storeport_replayed_calls_total',
    help: 'Repeats that were answered without running again.',
    labelNames: ['endpoint'],
    registers,
  })
  const dropped = new Counter({
    name: 'storeport_log_lines_dropped_total',
    help: 'Lines of the log that nobody took in time.',
    registers,
    collect: () => {
      dropped.reset()
      dropped.inc(droppedLines())
    },
  })
  const inFlight = new Gauge({ name: 'storeport_calls_in_flight', help: 'Calls that run now.', registers })
  const duration = new Histogram({
    name: 'storeport_call_duration_seconds',
    help: 'Time of a call.',
    labelNames: ['endpoint'],
    buckets,
    registers,
  })
  const storeDuration = new Histogram({
    name: 'storeport_store_duration_seconds',
    help: 'Time that the store took of a call.',
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

/** Where calls are logged, and how many of those that anybody can make. */
interface CallLog {
  /** Takes the lines. */
  readonly log: Logger
  /** Bounds the lines of refused calls that came without a valid key. */
  readonly strangers: LineLimit
  /** The address that a call came from. */
  addressOf(call: Call): string
}

/** Writes one line for each call: no email, no key, no body. The line of a call without a valid key names its address, and there are only so many of them. */
export function logCalls({ log, strangers, addressOf }: CallLog): Observe {
  return async (call, run) => {
    const start = performance.now()
    const outcome = await run()
    if (isForAnybody(outcome) && !strangers.admits()) return outcome
    const { requestId, endpoint, code, replayed, testMode, storeMs } = outcome
    const { status } = outcome.answer
    const line = {
      requestId,
      endpoint,
      status,
      code,
      ms: round(performance.now() - start),
      storeMs: round(storeMs),
      address: code === 'unauthorized' ? addressOf(call) : undefined,
    }
    log[status >= 500 ? 'error' : 'info'](
      { ...line, ...(replayed && { replayed }), ...(testMode && { testMode }) },
      'call',
    )
    return outcome
  }
}

/** Whether a call was refused before it was known whether its key is right: such calls cost nothing to make. */
export function isForAnybody({ code, endpoint }: Pick<CallOutcome, 'code' | 'endpoint'>): boolean {
  return code === 'unauthorized' || (code === 'store_unavailable' && endpoint === undefined)
}

function round(ms: number | undefined): number | undefined {
  return ms === undefined ? undefined : Math.round(ms * 100) / 100
}

/** One observer out of several: the first is the outermost. */
export function observeAll(observers: readonly Observe[]): Observe {
  return (call, run) =>
    observers.reduceRight<() => Promise<CallOutcome>>((inner, observe) => () => observe(call, inner), run)()
}

/** Makes calls into OpenTelemetry spans when `@opentelemetry/api` is installed; without it there is nothing to do. */
export async function tracingIfInstalled(): Promise<readonly Observe[]> {
  try {
    const { trace } = await import('@opentelemetry/api')
    return [traceCalls(trace.getTracer('storeport'))]
  } catch {
    return []
  }
}
