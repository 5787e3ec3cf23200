import type { Context, CurrentSubscription } from '@storeport/core'
import { shop, timeoutMs } from '../shop.ts'
import type { DelayInput } from './read-input.ts'
import { Refusal } from './refusal.ts'

/** Asks the store for a subscription; throws what it throws, or a Refusal when it takes too long. */
export function askSubscription(email: string, requestId: string): Promise<CurrentSubscription | null> {
  const context = new CallContext(requestId, requestId)
  return withinTime(() => shop.getSubscription({ email }, context), context)
}

/** Asks the store for a delay; throws what it throws, or a Refusal when it takes too long. */
export function askDelay(input: DelayInput, requestId: string, idempotencyKey: string): Promise<unknown> {
  const context = new CallContext(requestId, idempotencyKey)
  return withinTime(() => shop.delaySubscription(input, context), context)
}

/** What the store receives besides its input; the signal is made when it is first asked for. */
class CallContext implements Context {
  readonly requestId: string
  readonly idempotencyKey: string
  readonly testMode = false
  #controller: AbortController | undefined

  constructor(requestId: string, idempotencyKey: string) {
    this.requestId = requestId
    this.idempotencyKey = idempotencyKey
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController()
    return this.#controller.signal
  }

  abort(reason: Error): void {
    this.#controller?.abort(reason)
  }
}

/** Waits for a store method at most so long, then fires its signal and throws a Refusal. */
export function withinTime<Output>(ask: () => Promise<Output>, context?: CallContext): Promise<Output> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      const error = new Refusal('store_timeout')
      context?.abort(error)
      reject(error)
    }, timeoutMs)
    ask().then(
      (output) => {
        clearTimeout(timer)
        resolve(output)
      },
      (error: unknown) => {
        clearTimeout(timer)
        reject(error)
      },
    )
  })
}
