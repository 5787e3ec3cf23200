import { StoreError } from '@storeport/core'
import type { OutgoingRequest } from './build-request.ts'
import type { Fetch } from './client.ts'
import { NetworkFailure } from './network-failure.ts'
import { type RawAnswer, readResponse } from './read-response.ts'
import type { Settings } from './settings.ts'

const retriedStatuses: readonly number[] = [429, 502, 503, 504]
const firstBackOffMs = 100
const longestBackOffMs = 2000

type Limits = Pick<Settings, 'fetch' | 'timeoutMs' | 'retries' | 'maxAnswerBytes'>

/**
 * Sends a request, a GET until its answer is no passing failure, waiting longer each time, with full jitter.
 *
 * A wait that would end later than `timeoutMs` after the start is not begun, so a call takes 2 × `timeoutMs` at most and
 * neither `Retry-After` nor a slow server can stretch it.
 *
 * Throws StoreError: `store_timeout`, `store_unavailable` or `upstream_error`; the caller's signal rejects with its reason.
 */
export async function send(request: OutgoingRequest, limits: Limits, signal?: AbortSignal): Promise<RawAnswer> {
  const retries = request.method === 'GET' ? limits.retries : 0
  const latest = performance.now() + limits.timeoutMs
  for (let retry = 0; ; retry += 1) {
    const outcome = await attempt(request, limits, signal).catch(keepNetworkFailure)
    const backOff = Math.random() * Math.min(longestBackOffMs, firstBackOffMs * 2 ** retry)
    const wait = 1000 * (outcome.retryAfter ?? 0) + backOff
    if (retry < retries && isWorthRetrying(outcome) && performance.now() + wait < latest) {
      await sleep(wait, signal)
      continue
    }
    if (outcome instanceof NetworkFailure) throw outcome
    return outcome
  }
}

function isWorthRetrying(outcome: RawAnswer | NetworkFailure): boolean {
  return outcome instanceof NetworkFailure || retriedStatuses.includes(outcome.status)
}

function keepNetworkFailure(error: unknown): NetworkFailure {
  if (error instanceof NetworkFailure) return error
  throw error
}

function attempt({ url, ...request }: OutgoingRequest, limits: Limits, signal?: AbortSignal): Promise<RawAnswer> {
  return limitTime(limits.timeoutMs, signal, async (attemptSignal) => {
    // A followed redirect would hand the key to whatever address the server names.
    const response = await callFetch(limits.fetch, url, { ...request, redirect: 'manual', signal: attemptSignal })
    if (isRedirect(response)) {
      await response.body?.cancel().catch(() => {})
      throw new StoreError('upstream_error', 'The shop answered with a redirect, which is not followed: check baseUrl.')
    }
    return readResponse(response, limits.maxAnswerBytes)
  })
}

async function callFetch(fetch: Fetch, url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init)
  } catch (error) {
    throw new NetworkFailure(error)
  }
}

/** Browsers hide the status of a redirect that they do not follow. */
function isRedirect(response: Response): boolean {
  return response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400)
}

/** Runs something that can be aborted; throws StoreError `store_timeout` when the time is up and the reason of the signal when it fires. */
async function limitTime<Value>(
  timeoutMs: number,
  signal: AbortSignal | undefined,
  run: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  signal?.throwIfAborted()
  const controller = new AbortController()
  const leave = () => controller.abort(signal?.reason)
  const timer = setTimeout(() => {
    controller.abort(new StoreError('store_timeout', `The shop did not answer within ${timeoutMs} ms.`))
  }, timeoutMs)
  signal?.addEventListener('abort', leave, { once: true })
  try {
    // The signal's own rejection comes first: what fetch makes of an abort, or whether it checks the signal, does not matter.
    return await Promise.race([run(controller.signal), rejectOnAbort(controller.signal)])
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', leave)
  }
}

function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}

/** Waits some milliseconds; rejects with the signal's reason as soon as it is aborted. */
async function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted()
  await new Promise<void>((resolve, reject) => {
    const leave = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', leave)
      resolve()
    }, ms)
    signal?.addEventListener('abort', leave, { once: true })
  })
}
