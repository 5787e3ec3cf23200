import { isIP } from 'node:net'
import { type Call, type CallOutcome, type IntegrationOptions, maskPath, type Observe } from '@storeport/core'
import { createLog, flushOutput, limitLines, type LineLimit, type Log, type LogLevel, type LogLine } from './log.ts'
import { onFirstSignal } from './process-events.ts'

/** Options of a monitor. `readServerSettings` returns the first two. */
export interface MonitorOptions {
  /** Minimum level of the log. */
  readonly log: LogLevel
  /** Number of proxies whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies: number
  /** Returns whether the store can be read and written. */
  isReady(): Promise<boolean>
  /** Time limit of `isReady`, in milliseconds; default 2,000. */
  readonly readyTimeoutMs?: number | undefined
  /** Writes a log line; by default, prints it as JSON with `console.log`. */
  readonly write?: ((line: LogLine) => void) | undefined
}

/** Log and readiness of a server. */
export interface Monitor {
  /** Log that passes its lines to the option `write`. */
  readonly log: Log
  /** Logs one line per request. Pass it to `createIntegration`. */
  readonly observe: Observe
  /** Logs the failures of the store. Pass it to `createIntegration`. */
  readonly onError: NonNullable<IntegrationOptions['onError']>
  /** Limits the log lines that clients without a key cause. */
  readonly unauthenticated: LineLimit
  /** Returns whether the store is ready. Never rejects. */
  isReady(): Promise<boolean>
  /**
   * On the first SIGINT, SIGTERM or SIGHUP, calls `close`, waits for at most 11 s, writes the log and exits. A later
   * signal exits immediately.
   */
  stopOnSignal(close: () => Promise<unknown>): void
  /** Logs the end of the server, and waits until the log is written, for at most 1 s. */
  close(): Promise<void>
}

/** Maximum time to close a server, in milliseconds. `serve` and `prepareClose` end connections after 10 s. */
const closeTimeoutMs = 11_000

/** Creates the request log and the readiness check of a server. */
export function createMonitor(options: MonitorOptions): Monitor {
  const { readyTimeoutMs = 2000, trustedProxies } = options
  const log = createLog(options.log, options.write)
  const unauthenticated = limitLines(log)

  async function close(): Promise<void> {
    unauthenticated.report()
    log.info('stopped')
    await flushOutput()
  }

  async function stop(closeServer: () => Promise<unknown>): Promise<void> {
    const isClosed = await endsWithin(closeTimeoutMs, closeServer)
    await close()
    process.exit(isClosed ? 0 : 1)
  }

  return {
    log,
    observe: logCalls(log, unauthenticated, trustedProxies),
    onError: (_error, summary) => {
      // The request log already contains these failures, at most 10 per second.
      if (isUnauthenticated(summary) && summary.code !== 'unauthorized') return
      const { requestId, trace, ...others } = summary
      const fields = { requestId, trace_id: trace?.id, ...others }
      if (others.isLeftOut) log.warn(fields, 'invalid data left out of a response')
      else log.error(fields, 'request failed')
    },
    unauthenticated,
    isReady: () => endsWithin(readyTimeoutMs, options.isReady),
    stopOnSignal: (closeServer) => onFirstSignal(() => void stop(closeServer)),
    close,
  }
}

/** Returns whether `run` resolves in at most `ms` milliseconds, to a value other than false. Never rejects. */
export async function endsWithin(ms: number, run: () => Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, ms, false)
  })
  try {
    return (await Promise.race([run(), late])) !== false
  } catch {
    return false
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Logs one line per request, without emails, keys or bodies. A line with code `unauthorized` includes the client
 * address. A line with code `endpoint_not_found` includes the masked path.
 */
function logCalls(log: Log, unauthenticated: LineLimit, trustedProxies: number): Observe {
  let hasWarned = trustedProxies > 0

  /** Warns once of an unknown proxy. Without a client address, the framework may have added the header itself. */
  function warnOfProxy({ clientAddress, header }: Call): void {
    if (hasWarned || clientAddress === undefined || !header('x-forwarded-for')) return
    hasWarned = true
    log.warn(
      'requests have X-Forwarded-For, but no proxy is trusted. Set STOREPORT_TRUST_PROXY. Otherwise, all requests are treated as one client',
    )
  }

  return async (call, run) => {
    const start = performance.now()
    const outcome = await run()
    if (isUnauthenticated(outcome) && !unauthenticated.admits()) return outcome
    if (outcome.code === 'unauthorized') warnOfProxy(call)
    const { requestId, endpoint, code, replayed, testMode, paused, storeMs, trace } = outcome
    const { status } = outcome.answer
    const line = {
      requestId,
      trace_id: trace?.id,
      method: call.method,
      endpoint,
      status,
      code,
      path: code === 'endpoint_not_found' ? maskPath(call.path) : undefined,
      advice: code === 'endpoint_not_found' ? readAdvice(outcome.answer.body) : undefined,
      ms: round(performance.now() - start),
      storeMs: round(storeMs),
      address: code === 'unauthorized' ? clientAddressOf(call, trustedProxies) : undefined,
    }
    log[status >= 500 && !paused ? 'error' : 'info'](
      { ...line, ...(replayed && { replayed }), ...(testMode && { testMode }), ...(paused && { paused }) },
      'request completed',
    )
    return outcome
  }
}

/** Returns whether a request was rejected without a verified key. */
function isUnauthenticated({ code, endpoint }: Pick<CallOutcome, 'code' | 'endpoint'>): boolean {
  return code === 'unauthorized' || (code === 'store_unavailable' && endpoint === undefined)
}

/** Returns advice for a path that was not found. The advice names endpoints, never the requested path. */
function readAdvice(body: string): string | undefined {
  const { error }: { error: { message: string } } = JSON.parse(body)
  return error.message.replace(/^No endpoint at this path\.\s*/, '') || undefined
}

function round(ms: number | undefined): number | undefined {
  return ms === undefined ? undefined : Math.round(ms * 100) / 100
}

/** Returns the client address. Each trusted proxy has appended the address of its client to `X-Forwarded-For`. */
export function clientAddressOf(call: Pick<Call, 'clientAddress' | 'header'>, trustedProxies: number): string {
  const forwarded = trustedProxies === 0 ? [] : (call.header('x-forwarded-for') ?? '').split(',')
  return addressIn(forwarded.at(-trustedProxies) ?? '') ?? call.clientAddress ?? 'unknown'
}

/** Returns the IP address in an `X-Forwarded-For` entry, without the port that some proxies append. */
function addressIn(entry: string): string | undefined {
  const text = entry.trim()
  const address = /^\[(.+)\](?::\d+)?$/.exec(text)?.[1] ?? /^([^:]+):\d+$/.exec(text)?.[1] ?? text
  return isIP(address) === 0 ? undefined : address
}
