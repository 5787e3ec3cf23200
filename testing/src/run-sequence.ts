import { isStoreError } from '@storeport/core'
import type { CompleteStorePort, CurrentSubscription, ErrorCode } from '@storeport/core'
import type { CancelledSubscriptionList, ProductList } from '@storeport/core'
import { addDays } from '@storeport/rules'
import { contextOf } from './clicks.ts'
import { customers, type Step } from './sequences.ts'

/*
 * Plays sequences of operations over any store that was made with `sequenceData`, and writes down what every customer
 * sees. Two stores mean the same when what was played on both is equal: nothing that a store makes up is on the wire.
 */

/** A date that `runSequence` moves; give the store `today: () => clock.today`. */
export interface Clock {
  today: string
}

/** What a customer sees; a code where the store refuses. */
export interface CustomerView {
  readonly subscription: CurrentSubscription | ErrorCode
  readonly cancelled: CancelledSubscriptionList | ErrorCode
  readonly products: ProductList | ErrorCode
}

/** One step, how it ended, and what every customer saw then, by email. */
export interface StepResult {
  readonly step: Step
  /** The date on which the step was taken. */
  readonly today: string
  readonly outcome: 'done' | ErrorCode
  readonly seen: Readonly<Record<string, CustomerView>>
}

/** Runs a sequence; `after` is called with each moment and the one before as soon as it is over. */
export async function runSequence(
  store: CompleteStorePort,
  clock: Clock,
  sequence: readonly Step[],
  after: (moment: StepResult, before: StepResult) => void = () => {},
): Promise<readonly StepResult[]> {
  const moments: StepResult[] = []
  let before: StepResult = {
    step: { call: 'passDays', days: 0 },
    today: clock.today,
    outcome: 'done',
    seen: await readViews(store),
  }
  for (const step of sequence) {
    const { today } = clock
    const outcome = await run(store, clock, step, before.seen).then(() => 'done' as const, codeOf)
    const moment = { step, today, outcome, seen: await readViews(store) }
    after(moment, before)
    moments.push(moment)
    before = moment
  }
  return moments
}

/** What every customer sees now, by email. */
export async function readViews(store: CompleteStorePort): Promise<Readonly<Record<string, CustomerView>>> {
  const seen: Record<string, CustomerView> = {}
  for (const email of customers) {
    seen[email] = {
      subscription: await store.getSubscription({ email }, contextOf()).then(foundOr('subscription_not_found'), codeOf),
      cancelled: await store.listCancelledSubscriptions({ email }, contextOf()).catch(codeOf),
      products: await store.listProducts({ email }, contextOf()).catch(codeOf),
    }
  }
  return seen
}

/** The email of the customer whom a step concerns, as `seen` has it. */
export function customerOf(step: Step): string | undefined {
  if (step.call === 'passDays') return undefined
  return ('input' in step ? step.input.email : step.email).toLowerCase()
}

async function run(store: CompleteStorePort, clock: Clock, step: Step, seen: StepResult['seen']): Promise<void> {
  switch (step.call) {
    case 'addProduct':
      return store.addProduct(step.input, contextOf())
    case 'undoAddProduct':
      return store.undoAddProduct(step.input, contextOf())
    case 'sendNow':
      return store.sendNow(step.input, contextOf())
    case 'delaySubscription':
      return store.delaySubscription({ email: step.email, new_date: addDays(clock.today, step.days) }, contextOf())
    case 'swapProduct':
      return store.swapProduct(
        { email: step.email, current_item_id: itemAt(seen, step.ofEmail, step.place), ...step.to },
        contextOf(),
      )
    case 'reactivateSubscription':
      return store.reactivateSubscription(step.input, contextOf())
    case 'runCustomAction':
      return store.runCustomAction(step.input, contextOf())
    case 'passDays':
      clock.today = addDays(clock.today, step.days)
  }
}

function itemAt(seen: StepResult['seen'], email: string, place: number): string {
  const subscription = seen[email.toLowerCase()]?.subscription
  return (typeof subscription === 'object' && subscription.items[place]?.id) || 'item_unknown'
}

function foundOr(code: ErrorCode): <Found>(found: Found | null) => Found | ErrorCode {
  return (found) => found ?? code
}

function codeOf(error: unknown): ErrorCode {
  if (isStoreError(error)) return error.code
  throw error
}
