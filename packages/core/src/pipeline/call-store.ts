import type { Call } from './call.ts'
import { StoreTimeout } from '../errors.ts'
import type { CalledClick, PendingClick } from '../retries/pending-click.ts'
import type { ClickIdentity, Context } from '../store-port.ts'

/** Asks a store and checks what it answers; throws what either throws, or StoreTimeout when the answer takes longer than `timeoutMs`. */
export function callStore<Result>(
  ask: (context: Context) => unknown,
  check: (output: unknown) => Result,
  context: StoreContext,
  timeoutMs: number,
): Promise<Result> {
  return new Promise<Result>((resolve, reject) => {
    let asked: Promise<unknown> | undefined
    const timer = setTimeout(() => {
      const end = Promise.resolve(asked).then(check)
      // Whoever wants to know looks at it; a late failure is nobody's fault here.
      end.catch(() => {})
      const timeout = new StoreTimeout(end)
      context.abort(timeout)
      reject(timeout)
    }, timeoutMs)
    const succeed = (output: unknown) => {
      clearTimeout(timer)
      context.dispose()
      try {
        resolve(check(output))
      } catch (error) {
        reject(error)
      }
    }
    const fail = (error: unknown) => {
      clearTimeout(timer)
      context.dispose()
      reject(error)
    }
    try {
      asked = Promise.resolve(ask(context))
      asked.then(succeed, fail)
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
  readonly testMode: boolean
  readonly click: PendingClick | undefined
  readonly clickIdentity: ClickIdentity | undefined
  readonly #idempotencyKey: string
  readonly #caller: Call | undefined
  #controller: AbortController | undefined
  #stopListening: (() => void) | undefined
  #reason: unknown

  /** A mutation goes on without its caller, so it has none; a query has no click. */
  constructor(
    requestId: string,
    idempotencyKey: string,
    testMode: boolean,
    caller?: Call,
    { identity, pending }: CalledClick = {},
  ) {
    this.requestId = requestId
    this.#idempotencyKey = idempotencyKey
    this.testMode = testMode
    this.click = pending
    this.clickIdentity = identity
    this.#caller = caller
  }

  /** A click that is claimed outside its transaction may have a key from an earlier attempt. */
  get idempotencyKey(): string {
    return this.click?.idempotencyKey ?? this.#idempotencyKey
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
