import { isStoreError } from '@storeport/core'
import type { CompleteStorePort, CurrentSubscription, ErrorCode } from '@storeport/core'
import type { CancelledSubscriptionList, ProductList } from '@storeport/core'
import { addDays } from '@storeport/rules'
import { contextOf } from './clicks.ts'
import { customers, type Step } from './sequences.ts'

/*
 * Runs sequences of operations on a store that contains `sequenceData`, and records the responses for every customer.
 * Two equivalent stores produce equal results, because responses contain no generated values.
 */

/** The current date, which `runSequence` advances. Pass `today: () => clock.today` to the store. */
export interface Clock {
  today: string
}

/** Responses for one customer. An error code indicates that the store rejected the request. */
export interface CustomerView {
  readonly subscription: CurrentSubscription | ErrorCode
  readonly cancelled: CancelledSubscriptionList | ErrorCode
  readonly products: ProductList | ErrorCode
}

/** Outcome of one step. `seen` contains the view of each customer after the step, by email. */
export interface StepResult {
  readonly step: Step
  readonly today: string
  readonly outcome: 'done' | ErrorCode
  readonly seen: Readonly<Record<string, CustomerView>>
}

/** Runs a sequence. Calls `after` for each step, with its result and the previous result. */
export async function runSequence(
  store: CompleteStorePort,
  clock: Clock,
  sequence: readonly Step[],
  after: (result: StepResult, before: StepResult) => void = () => {},
): Promise<readonly StepResult[]> {
  const results: StepResult[] = []
  let before: StepResult = {
    step: { call: 'passDays', days: 0 },
    today: clock.today,
    outcome: 'done',
    seen: await readViews(store),
  }
  for (const step of sequence) {
    const { today } = clock
    const outcome = await run(store, clock, step, before.seen).then(() => 'done' as const, codeOf)
    const result = { step, today, outcome, seen: await readViews(store) }
    after(result, before)
    results.push(result)
    before = result
  }
  return results
}

/** Returns the current view of each customer, by email. */
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

/** Returns the email of a step's customer in lower case, as in `seen`. */
export function customerOf(step: Step): string | undefined {
  if (step.call === 'passDays') return undefined
  return ('input' in step ? step.input.email : step.email).toLowerCase()
}

async function run(store: CompleteStorePort, clock: Clock, step: Step, seen: StepResult['seen']): Promise<void> {
  if (step.call === 'passDays') clock.today = addDays(clock.today, step.days)
  else if (step.call === 'delaySubscription')
    await store.delaySubscription({ email: step.email, new_date: addDays(clock.today, step.days) }, contextOf())
  else if (step.call === 'swapProduct') {
    const input = { email: step.email, current_item_id: itemAt(seen, step.ofEmail, step.place), ...step.to }
    await store.swapProduct(input, contextOf())
  } else await Reflect.apply(store[step.call], store, [step.input, contextOf()])
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
