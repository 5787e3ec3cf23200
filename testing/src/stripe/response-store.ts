import type { ParsedQs } from 'qs'
import { StripeFailure } from './stripe-failure.ts'

/** A request that the stand-in received. */
export interface StandInRequest {
  readonly method: string
  /** Path, for example `/v1/subscriptions/sub_1`. */
  readonly path: string
  /** Query and form parameters as nested strings. */
  readonly params: ParsedQs
  readonly idempotencyKey: string | undefined
  /** Status of the response; `undefined` while the request is in flight, or if a fault prevented the response. */
  status: number | undefined
}

/** "Keys are removed after they're at least 24 hours old" (docs.stripe.com/api/idempotent_requests). */
const retentionSeconds = 24 * 3600

/** A response stored under an idempotency key. */
export interface StoredResponse {
  readonly status: number
  readonly text: string
  /** Whether the response was stored for an earlier request. */
  readonly isReplayed?: boolean
}

/** Storage for responses, by idempotency key. Stripe ignores the keys of GET and DELETE. */
export type ResponseStore = ReturnType<typeof createResponseStore>

/** Creates storage that ignores responses older than 24 hours. `now` returns seconds since 1970. */
export function createResponseStore(now: () => number) {
  const entries = new Map<string, { readonly body: string; readonly time: number; response?: StoredResponse }>()
  const keyOf = ({ method, idempotencyKey = '' }: StandInRequest) => (method === 'POST' ? idempotencyKey : '')

  /**
   * Claims the key of a request. Returns the stored response for the key, or `undefined` if the request must run. Throws
   * 400 if an earlier request with the key was different, and 409 while an earlier request is in progress.
   */
  function claim(request: StandInRequest): StoredResponse | undefined {
    const key = keyOf(request)
    const body = JSON.stringify([request.method, request.path, request.params])
    const entry = entries.get(key)
    if (key === '' || entry === undefined || now() - entry.time >= retentionSeconds) {
      entries.set(key, { body, time: now() })
      return undefined
    }
    const type = 'idempotency_error'
    if (entry.body !== body)
      throw new StripeFailure(400, { type, message: 'The key was first used with different parameters.' })
    if (entry.response !== undefined) return entry.response
    // See docs.stripe.com/error-codes#idempotency-key-in-use.
    const message = 'There is currently another in-progress request using this Idempotent Key.'
    throw new StripeFailure(409, { type, code: 'idempotency_key_in_use', message })
  }

  return {
    claim,
    /** Claims a key and returns whether the key was free, because a fault must not replace a stored response. */
    isClaimed: (request: StandInRequest): boolean => {
      try {
        return claim(request) === undefined
      } catch (error) {
        if (error instanceof StripeFailure) return false
        throw error
      }
    },
    /** Stores a response, even a failure: "regardless of whether it succeeds or fails, including 500 errors". */
    store: (request: StandInRequest, response: StoredResponse): void => {
      const entry = entries.get(keyOf(request))
      if (entry !== undefined) entry.response = response
    },
    /** Releases the key of a request that did not run: "we save results only after the execution … begins". */
    release: (request: StandInRequest): void => void entries.delete(keyOf(request)),
  }
}
