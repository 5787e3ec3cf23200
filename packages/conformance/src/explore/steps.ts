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

const kinds = {
  add: 8,
  undo: 6,
  swap: 4,
  send: 2,
  delay: 2,
  reactivate: 2,
  merge: 1,
  sameProduct: 1,
  farDate: 1,
  notAdded: 1,
} as const

/**
 * Kind of a step. `merge` swaps an item to a product of another item, and `farDate` delays to a date on which shops make
 * mistakes. `notAdded` undoes an addition that does not exist.
 */
type StepKind = keyof typeof kinds

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
    kind: fc
      .oneof(...Object.entries(kinds).map(([kind, weight]) => ({ weight, arbitrary: fc.constant(kind) })))
      .map(toKind),
    who: fc.nat({ max: 1 }),
    at: fc.nat({ max: 5 }),
    more: fc.nat({ max: 2 }),
    code: fc.nat({ max: codes.length - 1 }),
    once: fc.boolean(),
  })
  const steps = fc.array(step, { minLength: 1, maxLength: maxSteps, size: 'max' })
  return fc.record({ pair: fc.constantFrom(0, 1, 0, 1, 0, 3), steps })
}

function toKind(kind: string): StepKind {
  // oxlint-disable-next-line typescript/consistent-type-assertions -- the kinds are the keys of the table
  return kind as StepKind
}
