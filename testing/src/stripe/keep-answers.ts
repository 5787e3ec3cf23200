import { createInvalidRequest, StripeFailure } from './stripe-failure.ts'

/** "Keys are removed after they're at least 24 hours old" (docs.stripe.com/api/idempotent_requests). */
const keptSeconds = 24 * 3600

/** What was answered to a request. */
export interface KeptAnswer {
  readonly status: number
  readonly text: string
}

/** The answers that Stripe keeps under idempotency keys. */
export interface KeptAnswers {
  /**
   * Claims a key for a request: returns the answer that is kept under it, or undefined when the request is to be run. Throws
   * 400 for other parameters or another path under the same key, and 409 while the first request runs.
   */
  claim(key: string, request: string): KeptAnswer | undefined
  /** Keeps the answer, also one that failed: "regardless of whether it succeeds or fails, including 500 errors". */
  keep(key: string, answer: KeptAnswer): void
  /** Lets the key go: "we save results only after the execution of an endpoint begins". */
  release(key: string): void
}

interface Entry {
  readonly request: string
  readonly time: number
  answer?: KeptAnswer
}

/** Keeps answers for 24 hours of Stripe's clock, as docs.stripe.com/api/idempotent_requests says. */
export function keepAnswers(now: () => number): KeptAnswers {
  const entries = new Map<string, Entry>()
  return {
    claim: (key, request) => {
      if (key.length > 255) throw createInvalidRequest('Idempotency keys are at most 255 characters long.')
      const entry = entries.get(key)
      if (entry === undefined || now() - entry.time >= keptSeconds) {
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
      // docs.stripe.com/error-codes#idempotency-key-in-use
      if (entry.answer === undefined)
        throw new StripeFailure(409, {
          type: 'idempotency_error',
          code: 'idempotency_key_in_use',
          message: `There is currently another in-progress request using this Idempotent Key: ${key}. Please try again later.`,
        })
      return entry.answer
    },
    keep: (key, answer) => {
      const entry = entries.get(key)
      if (entry !== undefined) entry.answer = answer
    },
    release: (key) => void entries.delete(key),
  }
}
