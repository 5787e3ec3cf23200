import { StoreError } from '@storeport/core'
import type { OutgoingRequest } from './build-request.ts'
import type { Fetch } from './client-options.ts'
import { NetworkFailure } from './network-failure.ts'
import { readText } from './read-text.ts'
import { parseRetryAfter } from './parse-retry-after.ts'
import { type Limits, withinTime } from './within-time.ts'

/** What a server answered, read to its end and not yet understood. */
export interface RawAnswer {
  readonly status: number
  /** The `Content-Type` without its parameters. */
  readonly mediaType: string
  /** Seconds that `Retry-After` asks for. */
  readonly retryAfter: number | undefined
  readonly text: string
}

/** What one attempt needs. */
export interface SendLimits extends Limits {
  readonly fetch: Fetch
  readonly maxAnswerBytes: number
}

/**
 * Sends a request once.
 *
 * Throws StoreError `store_timeout`, a NetworkFailure, or StoreError `upstream_error` for a redirect or an answer that is
 * too long; the caller's signal rejects with its reason.
 */
export function send({ url, ...request }: OutgoingRequest, limits: SendLimits): Promise<RawAnswer> {
  return withinTime(async (signal) => {
    // A followed redirect would hand the key to whatever address the server names.
    const response = await respond(limits.fetch, url, { ...request, redirect: 'manual', signal })
    if (isRedirect(response)) {
      await response.body?.cancel().catch(() => {})
      throw new StoreError('upstream_error', 'The shop answered with a redirect, which is not followed: check baseUrl.')
    }
    return {
      status: response.status,
      mediaType: mediaTypeOf(response),
      retryAfter: parseRetryAfter(response.headers.get('retry-after'), limits.timing.now()),
      text: await readText(response, limits.maxAnswerBytes),
    }
  }, limits)
}

async function respond(fetch: Fetch, url: string, init: RequestInit): Promise<Response> {
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

function mediaTypeOf(response: Response): string {
  const type = response.headers.get('content-type') ?? ''
  return /^[\w.+-]+\/[\w.+-]+/.exec(type)?.[0] ?? 'unknown'
}
