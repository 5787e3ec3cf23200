import fc from 'fast-check'

/**
 * A step of a random sequence. It does not name ids or dates, so that it applies to any shop and to any state of the
 * customer. `resolve` chooses them. Zeros are the simplest choice, because shrinking leads to zeros.
 */
export interface Step {
  readonly kind: StepKind
  /** The first or the second customer of the sequence. */
  readonly who: number
  /** Place of the product or the item. */
  readonly at: number
  /** Additional units of an addition, or additional days of a delay. */
  readonly more: number
  /** Place of the code in `codes`. */
  readonly code: number
  /** Whether an addition applies only to the next order. */
  readonly once: boolean
}

/** Kinds of steps, with their weights in a random choice. */
const kinds = [
  ['add', 8],
  ['undo', 6],
  ['swap', 5],
  ['send', 2],
  ['delay', 3],
  ['reactivate', 2],
  ['notAdded', 1],
] as const

/** Kind of a step. `notAdded` undoes an addition that does not exist. */
type StepKind = (typeof kinds)[number][0]

/**
 * Codes of additions, swaps and reactivations: fields of the profile. Each occurs as often as in this list. The last
 * `percentage` and the last `fixed` are sent in lowercase.
 */
export const codes = [
  ...Array.from({ length: 5 }, () => undefined),
  ...Array.from({ length: 3 }, () => ['percentage', 'fixed'] as const).flat(),
  'unknown',
  'expired',
] as const

/** Maximum number of steps of a sequence. */
const maxSteps = 12

/** Random sequences for one of several pairs of customers, seldom for the customer without a subscription. */
export function anySequence() {
  const step: fc.Arbitrary<Step> = fc.record({
    kind: fc.oneof(...kinds.map(([kind, weight]) => ({ weight, arbitrary: fc.constant(kind) }))),
    who: fc.nat({ max: 1 }),
    at: fc.nat({ max: 5 }),
    more: fc.nat({ max: 2 }),
    code: fc.nat({ max: codes.length - 1 }),
    once: fc.boolean(),
  })
  const steps = fc.array(step, { minLength: 1, maxLength: maxSteps, size: 'max' })
  return fc.record({ pair: fc.constantFrom(0, 1, 0, 1, 0, 3), steps })
}
