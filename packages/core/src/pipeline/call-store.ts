import type {
  ClickIdentity,
  Context,
  EndpointName,
  ReconcileContext,
  Reconciled,
  StorePort,
} from '../contract/store-port.ts'
import type { Call } from '../http/call.ts'
import type { CheckOutput } from './check-output.ts'
import type { Progress } from './observe.ts'
import type { CheckedInput } from '../retries/click.ts'
import { StoreTimeout } from '../contract/errors.ts'
import type { ReconcileFacts } from '../retries/guard.ts'
import type { PendingClick } from '../retries/pending-click.ts'

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
  const { store, method, input, check, timeoutMs, progress } = request
  const context = new StoreContext(progress.requestId, progress.requestId, progress.testMode, caller)
  return callStore(
    () => Reflect.apply(method, store, [input, context]),
    (output) => check(output, request),
    context,
    timeoutMs,
  )
}

/**
 * Calls a store method that makes a change. Throws the store's errors, and StoreTimeout. A change continues after its
 * caller disconnects. `click` contains data for `once` and for a store with `reconcile`.
 */
export function changeStore(request: StoreCall, idempotencyKey: string, click?: PendingClick): Promise<unknown> {
  const { store, method, input, check, timeoutMs, progress } = request
  const context = new StoreContext(progress.requestId, idempotencyKey, progress.testMode, undefined, click)
  const run = () => Reflect.apply(method, store, [input, context])
  const accept = (output: unknown) => {
    check(output, request)
    return output
  }
  return callStore(run, accept, context, timeoutMs)
}

/** Calls the `reconcile` method of the store. Any value except `applied` and `not_applied` is treated as `unknown`. */
export async function reconcileStore(
  { store, name, input, progress }: StoreCall,
  facts: ReconcileFacts,
  timeoutMs: number,
): Promise<Reconciled> {
  const { reconcile } = store
  if (reconcile === undefined) return 'unknown'
  const context = new StoreContext(progress.requestId, facts.idempotencyKey, progress.testMode)
  const { clickIdentity, firstAttemptAt, lastAttemptAt } = facts
  const reconcileContext: ReconcileContext = Object.assign(context, {
    clickIdentity,
    firstAttemptAt,
    lastAttemptAt,
  })
  const found = await callStore(
    () => Reflect.apply(reconcile, store, [name, input, reconcileContext]),
    (output) => output,
    context,
    timeoutMs,
  )
  return found === 'applied' || found === 'not_applied' ? found : 'unknown'
}

/**
 * Calls the store and checks its output. Throws the errors of the store and of the check, and StoreTimeout after
 * `timeoutMs`.
 */
export function callStore<Result>(
  run: (context: Context) => unknown,
  check: (output: unknown) => Result,
  context: StoreContext,
  timeoutMs: number,
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
      running = Promise.resolve(run(context))
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
export class StoreContext implements Context {
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
  constructor(requestId: string, idempotencyKey: string, testMode: boolean, caller?: Call, click?: PendingClick) {
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
