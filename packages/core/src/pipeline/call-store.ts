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
import type { CalledClick, CheckedInput } from '../retries/click.ts'
import { StoreTimeout } from '../contract/errors.ts'
import type { ReconcileFacts } from '../retries/guard.ts'
import type { PendingClick } from '../retries/pending-click.ts'

/** One call, as its store is asked about it. */
export interface StoreCall {
  readonly store: StorePort
  readonly name: EndpointName
  /** The store's method of that name. */
  readonly method: NonNullable<StorePort[EndpointName]>
  readonly input: CheckedInput
  readonly check: CheckOutput
  readonly timeoutMs: number
  readonly progress: Progress
}

/** Asks the store what a query wants to know; throws what it throws, and StoreError `store_timeout`. */
export function queryStore(asked: StoreCall, caller: Call): Promise<unknown> {
  const { store, method, input, check, timeoutMs, progress } = asked
  const context = new StoreContext(progress.requestId, progress.requestId, progress.testMode, caller)
  return callStore(() => Reflect.apply(method, store, [input, context]), check, context, timeoutMs)
}

/**
 * Has the store make a change, under an idempotency key, and with the click when its method keeps clicks itself; throws
 * what it throws, and StoreTimeout. A mutation goes on without its caller.
 */
export function changeStore(asked: StoreCall, idempotencyKey: string, click?: CalledClick): Promise<unknown> {
  const { store, method, input, check, timeoutMs, progress } = asked
  const context = new StoreContext(progress.requestId, idempotencyKey, progress.testMode, undefined, click)
  const ask = () => Reflect.apply(method, store, [input, context])
  const accept = (output: unknown) => {
    check(output)
    return output
  }
  return callStore(ask, accept, context, timeoutMs)
}

/** Asks the store how the attempts under an idempotency key ended; any other value than the two definite ones is `unknown`. */
export async function reconcileStore(
  { store, name, input, progress }: StoreCall,
  facts: ReconcileFacts,
  timeoutMs: number,
): Promise<Reconciled> {
  const { reconcile } = store
  if (reconcile === undefined) return 'unknown'
  const context = new StoreContext(progress.requestId, facts.idempotencyKey, progress.testMode, undefined, {
    identity: facts.clickIdentity,
  })
  const { clickIdentity, firstAttemptAt, lastAttemptAt, ledgerIsYoung } = facts
  const reconciling: ReconcileContext = Object.assign(context, {
    clickIdentity,
    firstAttemptAt,
    lastAttemptAt,
    ledgerIsYoung,
  })
  const found = await callStore(
    () => Reflect.apply(reconcile, store, [name, input, reconciling]),
    (answer) => answer,
    context,
    timeoutMs,
  )
  return found === 'applied' || found === 'not_applied' ? found : 'unknown'
}

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
