import { createInvalidRequest, StripeFailure } from './stripe-failure.ts'

/** "Keys are removed after they're at least 24 hours old" (docs.stripe.com/api/idempotent_requests). */
const retentionSeconds = 24 * 3600

/** A response stored under an idempotency key. */
export interface StoredResponse {
  readonly status: number
  readonly text: string
}

/** Storage for responses, by idempotency key. */
export interface ResponseStore {
  /**
   * Claims a key for a request. Returns the stored response for the key, or `undefined` if the request must run. Throws
   * 400 if an earlier request with the key was different, and 409 while an earlier request is in progress.
   */
  claim(key: string, request: string): StoredResponse | undefined
  /** Stores a response, even a failure: "regardless of whether it succeeds or fails, including 500 errors". */
  store(key: string, response: StoredResponse): void
  /** Releases the key of a request that did not run: "we save results only after the execution … begins". */
  release(key: string): void
}

interface Entry {
  readonly request: string
  readonly time: number
  response?: StoredResponse
}

/** Creates storage that ignores responses older than 24 hours. `now` returns seconds since 1970. */
export function createResponseStore(now: () => number): ResponseStore {
  const entries = new Map<string, Entry>()
  return {
    claim: (key, request) => {
      if (key.length > 255) throw createInvalidRequest('Idempotency keys are at most 255 characters long.')
      const entry = entries.get(key)
      if (entry === undefined || now() - entry.time >= retentionSeconds) {
        entries.set(key, { request, time: now() })
        return undefined
      }
      if (entry.request !== request)
        throw new StripeFailure(400, {
          type: 'idempotency_error',
          message:
            `Keys for idempotent requests can only be used with the same parameters they were first used with. ` +
            `Try using a key other than '${key}' if you meant to execute a different request.`,
        })
      // See docs.stripe.com/error-codes#idempotency-key-in-use.
      if (entry.response === undefined)
        throw new StripeFailure(409, {
          type: 'idempotency_error',
          code: 'idempotency_key_in_use',
          message: `There is currently another in-progress request using this Idempotent Key: ${key}. Please try again later.`,
        })
      return entry.response
    },
    store: (key, response) => {
      const entry = entries.get(key)
      if (entry !== undefined) entry.response = response
    },
    release: (key) => void entries.delete(key),
  }
}
