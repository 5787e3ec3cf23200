import fc from 'fast-check'
import type { CheckContext, Exploration, FailureDetails } from '../engine/check.ts'
import { createFollower } from './follow.ts'
import { anySequence, codes, type Step } from './steps.ts'

/** Maximum number of sequences of a search. */
const maxSequences = 400

/**
 * Sends random sequences to the shop until the shop differs from the model, or until the time is up. Returns the
 * shortest sequence that shows a difference. Searches first without repeated requests, because a shop without protection
 * against repeats would hide all other differences.
 *
 * Each sequence begins with the data that the API shows at this moment, and ends with the changes that bring the data
 * back. A change that cannot be reversed, such as an order, remains. Shrinking therefore begins with the state that the
 * earlier sequences left.
 */
export async function search(t: CheckContext, emails: readonly string[], { seed, timeMs }: Exploration) {
  const follow = await createFollower(t)
  for (const [hasRepeats, share] of [
    [false, 0.7],
    [true, 0.3],
  ] as const) {
    const found = await searchPhase(t, follow, emails, hasRepeats, seed, timeMs * share)
    if (found !== undefined) return found
  }
  return undefined
}

async function searchPhase(
  t: CheckContext,
  follow: Awaited<ReturnType<typeof createFollower>>,
  emails: readonly string[],
  hasRepeats: boolean,
  seed: number,
  timeMs: number,
): Promise<FailureDetails | undefined> {
  const started = t.now()
  let found: FailureDetails | undefined
  let problem: { readonly error: unknown } | undefined
  const property = fc.asyncProperty(anySequence(hasRepeats), async ({ pair, steps }) => {
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
  await fc.check(property, { seed, numRuns: maxSequences, examples: hasRepeats ? [repeatedSwap] : firstSequences })
  if (found === undefined && problem !== undefined) throw problem.error
  return found && withoutKeys(found)
}

/** Removes the `Idempotency-Key` of each request, so that the requests can be sent again. A repeat needs its key. */
function withoutKeys(found: FailureDetails): FailureDetails {
  if (found.requirement.startsWith('RETRY-')) return found
  const steps = found.steps?.map((step) => {
    const headers = step.request.headers.filter(([name]) => name !== 'Idempotency-Key')
    return { ...step, request: { ...step.request, headers } }
  })
  return { ...found, steps }
}

/** Number of dates in the next years to which the first sequences delay. */
const maxFarDates = 10

const step: Step = { kind: 'send', who: 0, at: 0, more: 0, code: 0, once: false, form: 'once' }

const reactivation: Step = { ...step, kind: 'reactivate', who: 1 }

const repeatedSwap: [{ pair: number; steps: Step[] }] = [
  { pair: 0, steps: [{ ...step, kind: 'swap', who: 1, code: codes.indexOf('percentage'), form: 'again' }] },
]

/**
 * Sequences that precede the random sequences, because some changes are possible only once: an order of a reactivated
 * subscription, and the orders of two customers on one day.
 */
const firstSequences: [{ pair: number; steps: Step[] }][] = [
  [
    {
      pair: 1,
      steps: [
        ...[0, 1].map((at) => ({ ...reactivation, at, code: codes.indexOf('unknown') })),
        { ...reactivation, at: 1, code: codes.indexOf('percentage') },
        { ...step, who: 1 },
      ],
    },
  ],
  // An order with additions and a swap. Without disposable test data, the shop gets no order.
  [
    {
      pair: 0,
      steps: [
        { ...step, kind: 'notAdded' },
        { ...step, kind: 'add' },
        // Different quantities, since two equal items cannot be distinguished.
        ...[0, 1].map((at): Step => ({ ...step, kind: 'add', at, more: at + 1, once: true })),
        ...[1, 2].map((at): Step => ({ ...step, kind: 'sameProduct', at })),
        { ...step, kind: 'swap', at: 2 },
        step,
        { ...step, kind: 'notAdded' },
        { ...step, kind: 'add', code: codes.lastIndexOf('percentage') },
        { ...step, kind: 'undo' },
      ],
    },
  ],
  [{ pair: 0, steps: [step, { ...step, who: 1 }] }],
  [{ pair: 0, steps: [{ ...reactivation, code: codes.indexOf('fixed') }] }],
  // The customer without a subscription and another customer undo additions of the same products.
  [
    {
      pair: 3,
      steps: [0, 1].flatMap((at): Step[] => [
        { ...step, kind: 'notAdded', at },
        { ...step, kind: 'add', who: 1, at },
        { ...step, kind: 'notAdded', at },
      ]),
    },
  ],
  [{ pair: 2, steps: Array.from({ length: maxFarDates }, () => ({ ...step, kind: 'farDate' })) }],
  // Changes of two customers at the same time. A change that equals the customer's last change is not sent.
  [
    {
      pair: 0,
      steps: (['delay', 'keepDate', 'add', 'keepDate', 'undo', 'keepDate', 'add', 'keepDate', 'undo'] as const).map(
        (kind): Step => ({ ...step, kind, form: 'beside' }),
      ),
    },
  ],
  [
    {
      pair: 1,
      steps: Array.from({ length: 3 }, () => [
        { ...step, kind: 'farDate', who: 1, form: 'beside' } as const,
        { ...step, kind: 'add' } as const,
        { ...step, kind: 'farDate', who: 1, form: 'beside' } as const,
        { ...step, kind: 'undo' } as const,
      ]).flat(),
    },
  ],
]

/** Returns two customers, or one if the profile has only one. */
function pairOf(emails: readonly string[], pair: number): readonly string[] {
  const places = [pair % emails.length, (pair + 1) % emails.length]
  return emails.filter((_, place) => places.includes(place))
}
