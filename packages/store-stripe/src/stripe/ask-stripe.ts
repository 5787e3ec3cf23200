import { type Context, StoreError } from '@storeport/core'
import type { Stripe } from 'stripe'
import type { Settings } from '../read-options.ts'
import { readFailure, toStoreError } from './to-store-error.ts'

/** Most objects that are read of one kind: beyond it a customer, or a list of prices, is more than this store is for. */
const mostRead = 1000

/** The way to Stripe for one call of a method. */
export interface Asking {
  /** Reads; throws StoreError, whose outcome is `refused`: nothing was changed. */
  read<Result>(ask: (options: Stripe.RequestOptions) => Promise<Result>): Promise<Result>
  /** Reads a list to its end; throws StoreError. */
  readAll<Entry>(ask: (options: Stripe.RequestOptions) => Stripe.ApiListPromise<Entry>): Promise<Entry[]>
  /** Changes something under an idempotency key; throws what the client throws, and StoreError when the time for the call is up. */
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
    requireTime()
    try {
      await ask({ ...options, idempotencyKey })
    } catch (error) {
      if (!isFailureOfBefore(error)) throw error
      await ask({ ...options, idempotencyKey: `${idempotencyKey}-again` })
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

/** Stripe keeps a failure of its own under the key for a day: it has ended, and left no mark, so that the click can be made under another key. */
function isFailureOfBefore(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { status = 0, headers } = readFailure(error)
  return status >= 500 && headers.get('idempotent-replayed') === 'true'
}
