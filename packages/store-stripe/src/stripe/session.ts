import { type Context, StoreError } from '@storeport/core'
import type { Stripe } from 'stripe'
import type { Settings } from './settings.ts'
import { readFailure, toStoreError } from './to-store-error.ts'

/** Maximum number of objects read from one list. Further objects are ignored. */
const maxObjects = 1000

/** The settings, and the functions that send the Stripe requests of one method call. */
export type Session = ReturnType<typeof openSession>

/** Creates the session of one method call. Its functions throw StoreError after `signal` aborts. */
export function openSession(settings: Settings, { signal }: Pick<Context, 'signal'>) {
  // The caller retries.
  const options = { timeout: settings.timeoutMs, maxNetworkRetries: 0 }

  /** Reads data. Throws StoreError with the outcome `refused`, because nothing was changed. */
  async function read<Result>(send: (options: Stripe.RequestOptions) => Promise<Result>): Promise<Result> {
    requireNotAborted()
    try {
      return await send(options)
    } catch (error) {
      throw toStoreError(error, 'refused')
    }
  }

  /**
   * Sends a change under an idempotency key, or under a derived key if Stripe returns a rejection stored under the key. Throws the client's
   * errors, and StoreError after an abort or for a stored 5xx, whose outcome is unknown until Stripe deletes the key after 24 hours.
   */
  async function change(
    idempotencyKey: string,
    send: (options: Stripe.RequestOptions) => Promise<unknown>,
  ): Promise<void> {
    for (let failures = 0; ; failures += 1) {
      requireNotAborted()
      try {
        await send({ ...options, idempotencyKey: failures === 0 ? idempotencyKey : `${idempotencyKey}-${failures}` })
        return
      } catch (error) {
        const status = storedStatus(error)
        // Stripe does not know whether such a request made its change, so no other key may repeat it.
        const { cause } = toStoreError(error, 'unknown')
        if (status >= 500) throw new StoreError('store_unavailable', undefined, { outcome: 'unknown', cause })
        if (status === 0) throw error
      }
    }
  }

  /** Prevents requests after `signal` aborts, because another process may then run the same click. */
  function requireNotAborted(): void {
    if (signal.aborted) throw new StoreError('store_unavailable', undefined, { cause: signal.reason })
  }

  return {
    ...settings,
    read,
    /** Reads all pages of a list, up to 1,000 objects; throws StoreError. */
    readAll: <Entry>(send: (own: Stripe.RequestOptions) => Stripe.ApiListPromise<Entry>): Promise<Entry[]> =>
      read((own) => send(own).autoPagingToArray({ limit: maxObjects })),
    change,
  }
}

/** Returns the status of a failure that Stripe stored under the idempotency key, or 0 for another error. A stored 4xx changed nothing. */
function storedStatus(error: unknown): number {
  const { headers, status = 0 } = readFailure(error)
  return headers.get('idempotent-replayed') === 'true' ? status : 0
}
