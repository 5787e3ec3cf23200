import { type Context, StoreError } from '@storeport/core'
import type { Stripe } from 'stripe'
import type { Settings } from './settings.ts'
import { readFailure, toStoreError } from './to-store-error.ts'

/** Most objects that are read of one kind: beyond it a customer, or a list of prices, is more than this store is for. */
const mostRead = 1000

/** The way to Stripe for one call of a method. */
export interface Asking {
  /** Reads; throws StoreError, whose outcome is `refused`: nothing was changed. */
  read<Result>(ask: (options: Stripe.RequestOptions) => Promise<Result>): Promise<Result>
  /** Reads a list to its end; throws StoreError. */
  readAll<Entry>(ask: (options: Stripe.RequestOptions) => Stripe.ApiListPromise<Entry>): Promise<Entry[]>
  /** Changes something under an idempotency key, or one derived from it after a failure that Stripe has stored; throws what the client throws, and StoreError when the time for the call is up. */
  change(idempotencyKey: string, ask: (options: Stripe.RequestOptions) => Promise<unknown>): Promise<void>
  /** Deletes something, which needs no key; throws as `change` does. */
  remove(ask: (options: Stripe.RequestOptions) => Promise<unknown>): Promise<void>
}

/** Asks Stripe within the time of a call. */
export function askStripe(
  { timeoutMs: timeout, maxNetworkRetries }: Settings,
  { signal }: Pick<Context, 'signal'>,
): Asking {
  const options = { timeout, maxNetworkRetries }

  async function read<Result>(ask: (options: Stripe.RequestOptions) => Promise<Result>): Promise<Result> {
    requireTime()
    try {
      return await ask(options)
    } catch (error) {
      throw toStoreError(error, 'refused')
    }
  }

  async function change(
    idempotencyKey: string,
    ask: (options: Stripe.RequestOptions) => Promise<unknown>,
  ): Promise<void> {
    for (let failures = 0; ; failures += 1) {
      requireTime()
      try {
        await ask({ ...options, idempotencyKey: failures === 0 ? idempotencyKey : `${idempotencyKey}-${failures}` })
        return
      } catch (error) {
        if (!isFailureOfBefore(error)) throw error
      }
    }
  }

  async function remove(ask: (options: Stripe.RequestOptions) => Promise<unknown>): Promise<void> {
    requireTime()
    await ask(options)
  }

  /** Nobody waits any more, and somebody else may run the click soon. */
  function requireTime(): void {
    if (signal.aborted) throw new StoreError('store_unavailable', undefined, { cause: signal.reason })
  }

  return { read, readAll: (ask) => read((own) => ask(own).autoPagingToArray({ limit: mostRead })), change, remove }
}

/**
 * Whether Stripe returned a failure that it has stored under the key, a rejection or its own. The request with that key has ended
 * without a change, so the click can be made under a key derived from it.
 */
function isFailureOfBefore(error: unknown): boolean {
  return error instanceof Error && readFailure(error).headers.get('idempotent-replayed') === 'true'
}
