import type { Call } from './call.ts'
import { StoreError } from '../errors.ts'
import type { Context, EndpointName, StorePort } from '../store-port.ts'

/** Calls one store method; throws what it throws, or StoreError `store_timeout` when it takes longer than `timeoutMs`. */
export function callStore(
  store: StorePort,
  name: EndpointName,
  input: object,
  context: StoreContext,
  timeoutMs: number,
): Promise<unknown> {
  const method = store[name]
  if (method === undefined) throw new StoreError('endpoint_not_available')
  return new Promise<unknown>((resolve, reject) => {
    const timer = setTimeout(() => {
      const timeout = new StoreError('store_timeout')
      context.abort(timeout)
      reject(timeout)
    }, timeoutMs)
    const succeed = (output: unknown) => {
      clearTimeout(timer)
      context.dispose()
      resolve(output)
    }
    const fail = (error: unknown) => {
      clearTimeout(timer)
      context.dispose()
      reject(error)
    }
    try {
      Promise.resolve(Reflect.apply(method, store, [input, context])).then(succeed, fail)
    } catch (error) {
      fail(error)
    }
  })
}

/**
 * What a store receives about one call; the AbortController is made when the signal is first asked for, since most stores never do.
 *
 * A class, since V8 keeps a getter that is made per call, and all that it reaches, until the next full garbage collection.
 */
export class StoreContext implements Context {
  readonly requestId: string
  readonly idempotencyKey: string
  readonly testMode: boolean
  readonly #caller: Call | undefined
  #controller: AbortController | undefined
  #stopListening: (() => void) | undefined
  #reason: unknown

  /** A mutation goes on without its caller, so it has none. */
  constructor(requestId: string, idempotencyKey: string, testMode: boolean, caller?: Call) {
    this.requestId = requestId
    this.idempotencyKey = idempotencyKey
    this.testMode = testMode
    this.#caller = caller
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      const controller = new AbortController()
      this.#controller = controller
      if (this.#reason !== undefined) controller.abort(this.#reason)
      else this.#stopListening = this.#caller?.onAbort?.(() => controller.abort(callerHasLeft()))
    }
    return this.#controller.signal
  }

  abort(reason: unknown): void {
    this.#reason = reason
    this.#controller?.abort(reason)
  }

  dispose(): void {
    this.#stopListening?.()
  }
}

function callerHasLeft(): DOMException {
  return new DOMException('The caller has left.', 'AbortError')
}
