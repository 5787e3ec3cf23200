import { isIP } from 'node:net'
import { type Call, type CallOutcome, maskPath, type Observe } from '@storeport/core'
import type { LineLimit, Log } from './log.ts'

interface CallLog {
  /** Log to write to. */
  readonly log: Log
  /** Limits the log lines for requests without a valid key. */
  readonly unauthenticated: LineLimit
  /** Number of proxies whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies: number
}

/**
 * Logs one line per request, without emails, keys or bodies. A line with code `unauthorized` includes the client
 * address. A line with code `endpoint_not_found` includes the masked path.
 */
export function logCalls({ log, unauthenticated, trustedProxies }: CallLog): Observe {
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
export function isUnauthenticated({ code, endpoint }: Pick<CallOutcome, 'code' | 'endpoint'>): boolean {
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
