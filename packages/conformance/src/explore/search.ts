import fc from 'fast-check'
import type { CheckContext, Exploration, FailureDetails } from '../engine/check.ts'
import { createFollower } from './follow.ts'
import { anySequence, codes, type Step } from './steps.ts'

/** Maximum number of sequences of a search. */
const maxSequences = 400

/**
 * Sends random sequences to the shop until the shop differs from the model, or until the time is up. Returns the
 * shortest sequence that shows a difference.
 *
 * Each sequence begins with the data that the API shows at this moment, and ends with the changes that bring the data
 * back. A change that cannot be reversed, such as an order, remains. Shrinking therefore begins with the state that the
 * earlier sequences left.
 */
export async function search(t: CheckContext, emails: readonly string[], { seed, timeMs }: Exploration) {
  const follow = await createFollower(t)
  const started = t.now()
  let found: FailureDetails | undefined
  let problem: { readonly error: unknown } | undefined
  const property = fc.asyncProperty(anySequence(), async ({ pair, steps }) => {
    const isLate = t.now() - started > timeMs * (found === undefined ? 1 : 2)
    if (problem !== undefined || isLate) return true
    try {
      const difference = await follow(steps, pairOf(emails, pair))
      // A different requirement is a consequence of the first difference, or a second defect.
      if (difference === undefined || difference.requirement !== (found ?? difference).requirement) return true
      found = difference
      return false
    } catch (error) {
      problem = { error }
      return true
    }
  })
  await fc.check(property, { seed, numRuns: maxSequences, examples: firstSequences })
  if (found === undefined && problem !== undefined) throw problem.error
  return found && withoutKeys(found)
}

/** Removes the `Idempotency-Key` of each request, so that the requests can be sent again. */
function withoutKeys(found: FailureDetails): FailureDetails {
  const steps = found.steps?.map((step) => {
    const headers = step.request.headers.filter(([name]) => name !== 'Idempotency-Key')
    return { ...step, request: { ...step.request, headers } }
  })
  return { ...found, steps }
}

const order: Step = { kind: 'send', who: 0, at: 0, more: 0, code: 0, once: false }

/** Creates a step of the first customer, with one unit and without a code by default. */
const step = (kind: Step['kind'], more: Partial<Step> = {}): Step => ({ ...order, kind, ...more })

/** Creates a sequence for a pair of customers. */
const sequence = (pair: number, steps: Step[]): [{ pair: number; steps: Step[] }] => [{ pair, steps }]

const percentage = codes.indexOf('percentage')
const fixed = codes.indexOf('fixed')
const unknown = codes.indexOf('unknown')

/**
 * Sequences that precede the random sequences, because some changes are possible only once: an order of a reactivated
 * subscription, and the orders of two customers on one day.
 */
const firstSequences = [
  sequence(1, [
    ...[0, 1].map((at) => step('reactivate', { who: 1, at, code: unknown })),
    step('reactivate', { who: 1, at: 1, code: percentage }),
    step('send', { who: 1 }),
  ]),
  // An order with additions and a swap. Without disposable test data, the shop gets no order.
  sequence(0, [
    step('notAdded'),
    step('add'),
    // Different quantities, since two equal items cannot be distinguished.
    ...[0, 1].map((at) => step('add', { at, more: at + 1, once: true })),
    step('swap', { at: 2 }),
    order,
    step('notAdded'),
    step('add', { code: codes.lastIndexOf('percentage') }),
    step('undo'),
  ]),
  // A swap with a code, after two additions with another code.
  sequence(0, [...[0, 1].map((at) => step('add', { at, code: fixed })), step('swap', { code: percentage })]),
  sequence(0, [order, step('send', { who: 1 })]),
  sequence(0, [step('reactivate', { who: 1, code: fixed })]),
  // The customer without a subscription and another customer undo additions of the same products.
  sequence(
    3,
    [0, 1].flatMap((at) => [step('notAdded', { at }), step('add', { who: 1, at }), step('notAdded', { at })]),
  ),
]

/** Returns two customers, or one if the profile has only one. */
function pairOf(emails: readonly string[], pair: number): readonly string[] {
  const places = [pair % emails.length, (pair + 1) % emails.length]
  return emails.filter((_, place) => places.includes(place))
}
