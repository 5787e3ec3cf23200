import type { ClickIdentity, Context, EndpointName, Reconciled, StorePort } from '../contract/store-port.ts'
import type { Call } from '../http/call.ts'
import type { CheckOutput } from './check-output.ts'
import type { Progress } from './integration.ts'
import type { CheckedInput, PendingClick } from '../retries/click.ts'
import { StoreTimeout } from '../contract/errors.ts'
import type { ReconcileFacts } from '../retries/guard.ts'

/** A validated request, ready for the store. */
export interface StoreCall {
  readonly store: StorePort
  readonly name: EndpointName
  readonly method: NonNullable<StorePort[EndpointName]>
  readonly input: CheckedInput
  readonly check: CheckOutput
  readonly timeoutMs: number
  readonly progress: Progress
}

/** Calls a read method of the store. Throws the store's errors, and StoreTimeout. */
export function queryStore(request: StoreCall, caller: Call): Promise<unknown> {
  return callMethod(request, new StoreContext(request.progress, request.progress.requestId, caller))
}

/**
 * Calls a store method that makes a change. Throws the store's errors, and StoreTimeout. A change continues after its
 * caller disconnects. `click` contains data for `once` and for a store with `reconcile`.
 */
export function changeStore(request: StoreCall, idempotencyKey: string, click?: PendingClick): Promise<unknown> {
  return callMethod(request, new StoreContext(request.progress, idempotencyKey, undefined, click))
}

function callMethod(request: StoreCall, context: StoreContext): Promise<unknown> {
  const { store, method, input, check, timeoutMs } = request
  return callStore(store, method, [input, context], context, timeoutMs, (output) => check(output, request))
}

/** Calls the `reconcile` method of the store. Any value except `applied` and `not_applied` is treated as `unknown`. */
export async function reconcileStore(
  { store, name, input, progress }: StoreCall,
  facts: ReconcileFacts,
  timeoutMs: number,
): Promise<Reconciled> {
  const { reconcile } = store
  if (reconcile === undefined) return 'unknown'
  const { idempotencyKey, ...others } = facts
  const context = Object.assign(new StoreContext(progress, idempotencyKey), others)
  const found = await callStore(store, reconcile, [name, input, context], context, timeoutMs, (output) => output)
  return found === 'applied' || found === 'not_applied' ? found : 'unknown'
}

/** Calls a method and checks its output. Throws the errors of both, and StoreTimeout after `timeoutMs`. */
function callStore<Result>(
  store: StorePort,
  method: NonNullable<StorePort[EndpointName | 'reconcile']>,
  args: readonly unknown[],
  context: StoreContext,
  timeoutMs: number,
  check: (output: unknown) => Result,
): Promise<Result> {
  return new Promise<Result>((resolve, reject) => {
    let running: Promise<unknown> | undefined
    const timer = setTimeout(() => {
      const end = Promise.resolve(running).then(check)
      // Prevents an unhandled rejection. The guard handles a late failure.
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
      running = Promise.resolve(Reflect.apply(method, store, args))
      running.then(succeed, fail)
    } catch (error) {
      fail(error)
    }
  })
}

/**
 * The context of one store call. Creates its AbortController on the first read of `signal`, because most stores never
 * read `signal`.
 *
 * A class defines its getters once. If each call created a getter, V8 would retain the getter and everything that it
 * references until the next full garbage collection. Node.js 20 also retains a closure in a property of the click, but
 * not a bound function.
 */
class StoreContext implements Context {
  readonly requestId: string
  readonly testMode: boolean
  readonly click: PendingClick | undefined
  readonly clickIdentity: ClickIdentity | undefined
  /**
   * An own property, so that `{ ...context }` contains the key. A claim in another ledger can replace the key with the
   * key of an earlier attempt.
   */
  idempotencyKey: string
  readonly #caller: Call | undefined
  #controller: AbortController | undefined
  #stopListening: (() => void) | undefined
  #reason: unknown

  /** `caller` is set only for reads, because changes continue after the caller disconnects. */
  constructor({ requestId, testMode }: Progress, idempotencyKey: string, caller?: Call, click?: PendingClick) {
    this.requestId = requestId
    this.idempotencyKey = idempotencyKey
    this.testMode = testMode
    this.click = click
    // Only a claim in the transaction of the method can change the key.
    if (click?.isMarked === true) click.onKeyChange = changeKey.bind(this)
    this.clickIdentity = click?.canReconcile === true ? click.identity : undefined
    this.#caller = caller
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      const controller = new AbortController()
      this.#controller = controller
      if (this.#reason !== undefined) controller.abort(this.#reason)
      else this.#stopListening = this.#caller?.onAbort?.(() => controller.abort(callerDisconnected()))
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

function changeKey(this: StoreContext, key: string): void {
  this.idempotencyKey = key
}

function callerDisconnected(): DOMException {
  return new DOMException('The caller has disconnected.', 'AbortError')
}
