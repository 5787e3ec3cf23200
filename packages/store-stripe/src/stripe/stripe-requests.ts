import { type Context, StoreError } from '@storeport/core'
import type { Stripe } from 'stripe'
import type { Settings } from './settings.ts'
import { readFailure, toStoreError } from './to-store-error.ts'

/** Maximum number of objects read from one list. Further objects are ignored. */
const maxObjects = 1000

/** Sends the Stripe requests of one method call. */
export interface StripeRequests {
  /** Reads data. Throws StoreError with the outcome `refused`, because nothing was changed. */
  read<Result>(send: (options: Stripe.RequestOptions) => Promise<Result>): Promise<Result>
  /** Reads all pages of a list, up to 1,000 objects; throws StoreError. */
  readAll<Entry>(send: (options: Stripe.RequestOptions) => Stripe.ApiListPromise<Entry>): Promise<Entry[]>
  /**
   * Sends a change under an idempotency key, or under a derived key if Stripe returns a failure stored under the key.
   * Throws the client's errors, or StoreError after an abort.
   */
  change(idempotencyKey: string, send: (options: Stripe.RequestOptions) => Promise<unknown>): Promise<void>
  /** Deletes an object, which needs no idempotency key; throws the same errors as `change`. */
  remove(send: (options: Stripe.RequestOptions) => Promise<unknown>): Promise<void>
}

/** Creates the functions that send Stripe requests for one method call. They throw StoreError after `signal` aborts. */
export function createStripeRequests(
  { timeoutMs: timeout, maxNetworkRetries }: Settings,
  { signal }: Pick<Context, 'signal'>,
): StripeRequests {
  const options = { timeout, maxNetworkRetries }

  async function read<Result>(send: (options: Stripe.RequestOptions) => Promise<Result>): Promise<Result> {
    requireNotAborted()
    try {
      return await send(options)
    } catch (error) {
      throw toStoreError(error, 'refused')
    }
  }

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
        if (!isStoredFailure(error)) throw error
      }
    }
  }

  async function remove(send: (options: Stripe.RequestOptions) => Promise<unknown>): Promise<void> {
    requireNotAborted()
    await send(options)
  }

  /** Prevents requests after `signal` aborts, because another process may then run the same click. */
  function requireNotAborted(): void {
    if (signal.aborted) throw new StoreError('store_unavailable', undefined, { cause: signal.reason })
  }

  return { read, readAll: (send) => read((own) => send(own).autoPagingToArray({ limit: maxObjects })), change, remove }
}

/**
 * Whether Stripe returned a failure stored under the idempotency key. The failed request changed nothing,
 * so the click can be sent under a derived key.
 */
function isStoredFailure(error: unknown): boolean {
  return error instanceof Error && readFailure(error).headers.get('idempotent-replayed') === 'true'
}
