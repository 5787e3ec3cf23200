import type { IntegrationOptions, Observe } from '@storeport/core'
import { isUnauthenticated, logCalls } from './log-calls.ts'
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
    observe: logCalls({ log, unauthenticated, trustedProxies }),
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
