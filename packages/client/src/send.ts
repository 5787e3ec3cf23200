import { StoreError } from '@storeport/core'
import type { OutgoingRequest } from './build-request.ts'
import type { Fetch } from './client.ts'
import { NetworkFailure } from './network-failure.ts'
import { type RawAnswer, readResponse } from './read-response.ts'
import type { Settings } from './settings.ts'

const retriedStatuses: readonly number[] = [429, 502, 503, 504]
const firstBackOffMs = 100
const longestBackOffMs = 2000

type Limits = Pick<Settings, 'fetch' | 'timeoutMs' | 'retries' | 'maxResponseBytes'>

/** Clock, timer and random numbers, which tests replace. */
export interface Runtime {
  /** Returns a time in milliseconds. */
  now(): number
  /** Returns a number from 0 to 1. */
  random(): number
  /** Schedules a function to run after `ms` milliseconds. Returns a function that cancels the timer. */
  schedule(run: () => void, ms: number): () => void
}

const realRuntime: Runtime = {
  now: () => performance.now(),
  random: () => Math.random(),
  schedule: (run, ms) => {
    const timer = setTimeout(run, ms)
    return () => clearTimeout(timer)
  },
}

/**
 * Sends a request. Retries a GET after temporary failures, with exponential back-off and full jitter.
 *
 * Does not wait if the wait would end more than `timeoutMs` after the first attempt. A call therefore takes at most 2 ×
 * `timeoutMs`, even if the server is slow or sends a long `Retry-After`.
 *
 * Throws StoreError `store_timeout`, `store_unavailable` or `upstream_error`, or the reason of an aborted signal.
 */
export async function send(
  request: OutgoingRequest,
  limits: Limits,
  signal?: AbortSignal,
  runtime = realRuntime,
): Promise<RawAnswer> {
  const retries = request.method === 'GET' ? limits.retries : 0
  const deadline = runtime.now() + limits.timeoutMs
  for (let retry = 0; ; retry += 1) {
    const outcome = await attempt(request, limits, runtime, signal).catch(returnNetworkFailure)
    const backOff = runtime.random() * Math.min(longestBackOffMs, firstBackOffMs * 2 ** retry)
    const wait = 1000 * (outcome.retryAfter ?? 0) + backOff
    if (retry < retries && isTemporary(outcome) && runtime.now() + wait < deadline) {
      await sleep(wait, runtime, signal)
      continue
    }
    if (outcome instanceof NetworkFailure) throw outcome
    return outcome
  }
}

function isTemporary(outcome: RawAnswer | NetworkFailure): boolean {
  return outcome instanceof NetworkFailure || retriedStatuses.includes(outcome.status)
}

function returnNetworkFailure(error: unknown): NetworkFailure {
  if (error instanceof NetworkFailure) return error
  throw error
}

function attempt(
  { url, ...request }: OutgoingRequest,
  limits: Limits,
  runtime: Runtime,
  signal: AbortSignal | undefined,
): Promise<RawAnswer> {
  return limitTime(limits.timeoutMs, runtime, signal, async (attemptSignal) => {
    // Does not follow redirects, because the API key could be sent to another server.
    const response = await callFetch(limits.fetch, url, { ...request, redirect: 'manual', signal: attemptSignal })
    if (isRedirect(response)) {
      await response.body?.cancel().catch(() => {})
      throw new StoreError(
        'upstream_error',
        'The shop returned a redirect. The client does not follow redirects. Check baseUrl.',
      )
    }
    return readResponse(response, limits.maxResponseBytes)
  })
}

async function callFetch(fetch: Fetch, url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init)
  } catch (error) {
    throw new NetworkFailure(error)
  }
}

/** Also checks the response type, because browsers hide the status of a redirect that they do not follow. */
function isRedirect(response: Response): boolean {
  return response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400)
}

/** Runs a function with a time limit. Throws StoreError `store_timeout`, or the reason of an aborted `signal`. */
async function limitTime<Value>(
  timeoutMs: number,
  runtime: Runtime,
  signal: AbortSignal | undefined,
  run: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  signal?.throwIfAborted()
  const controller = new AbortController()
  const onAbort = () => controller.abort(signal?.reason)
  const cancel = runtime.schedule(() => {
    controller.abort(new StoreError('store_timeout', `The shop did not respond within ${timeoutMs} ms.`))
  }, timeoutMs)
  signal?.addEventListener('abort', onAbort, { once: true })
  try {
    // Rejects with the signal's reason even if `fetch` ignores the signal or throws another error.
    return await Promise.race([run(controller.signal), rejectOnAbort(controller.signal)])
  } finally {
    cancel()
    signal?.removeEventListener('abort', onAbort)
  }
}

function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}

/** Waits for `ms` milliseconds; rejects with the signal's reason if the signal is aborted. */
async function sleep(ms: number, runtime: Runtime, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted()
  await new Promise<void>((resolve, reject) => {
    const onAbort = () => {
      cancel()
      reject(signal?.reason)
    }
    const cancel = runtime.schedule(() => {
      signal?.removeEventListener('abort', onAbort)
      resolve()
    }, ms)
    signal?.addEventListener('abort', onAbort, { once: true })
  })
}
