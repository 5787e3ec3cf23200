import type { EndpointName, Reconciled, ReconcileContext, StorePort } from '../store-port.ts'
import type { Call } from './call.ts'
import { callStore, type CalledClick, StoreContext } from './call-store.ts'
import type { CheckOutput } from './check-output.ts'
import type { Progress } from './progress.ts'
import type { CheckedInput } from '../retries/click.ts'

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

/** What a store is told about the attempts that it is asked about. */
export type ReconcileFacts = Pick<
  ReconcileContext,
  'idempotencyKey' | 'clickIdentity' | 'firstAttemptAt' | 'lastAttemptAt' | 'ledgerIsYoung'
>

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
