import { type Claim, memoryLedger } from '@storeport/core'
import { click } from '@storeport/testing/behaves-like-ledger'
import { noRedis } from '@storeport/testing/start-redis'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { redisLedger } from '../src/index.ts'
import { openRedis } from './open-redis.ts'

const minute = 60_000
const day = 24 * 60 * minute

/** Clicks of two customers, by name and without, for each length of window that an integration has. */
const clicks = ['a', 'b'].flatMap((customer) => [
  ...['x', 'y'].map((what) => ({ id: customer + what, customer, fingerprint: what, named: false, doneMs: 10_000 })),
  { id: `${customer}-long`, customer, fingerprint: 'long', named: false, doneMs: 10 * minute },
  { id: `${customer}-none`, customer, fingerprint: 'none', named: false, doneMs: 0 },
  ...['x', 'y'].map((what) => ({ id: `${customer}-name`, customer, fingerprint: what, named: true, doneMs: day })),
])

const times = { leaseMs: 30_000, unknownMs: day, keptMs: 10 * minute }

const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('claim' as const), which: which(), retryUnknown: fc.boolean() }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('settle' as const),
      // Of the tries that were claimed: the last one, the one before, …
      back: fc.nat({ max: 3 }),
      outcome: fc.constantFrom('done' as const, 'done' as const, 'refused' as const, 'unknown' as const),
      msAgo: fc.constantFrom(0, 0, 2500),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('wait' as const),
      ms: fc.constantFrom(1, 9_999, 10_000, 20_000, 30_000, 5 * minute, 10 * minute, day - 30_000, day),
    }),
  },
)

function which() {
  return fc.nat({ max: clicks.length - 1 })
}

describe.skipIf(noRedis)('a ledger in Redis', () => {
  // Nothing of it is to outlive the test.
  const redis = openRedis(['--appendfsync', 'no'])

  it('answers as the one in memory does, whatever happened before', { timeout: 180_000 }, async () => {
    const { client } = redis()
    let history = 0
    const answers: Partial<Record<Claim['state'], number>> = {}
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 60 }), async (steps) => {
        history += 1
        const clock = { now: 1_800_000_000_000 }
        const now = () => clock.now
        const shared = redisLedger(client, { prefix: `h${history}`, now })
        const own = memoryLedger({ now })
        const tries: ReturnType<typeof click>[] = []
        for (const [index, each] of steps.entries()) {
          if (each.do === 'wait') clock.now += each.ms
          else if (each.do === 'claim') {
            const chosen = click({ ...clicks[each.which], ...times, idempotencyKey: `try-${index}` })
            // Without a window each call is a click of its own.
            const tried = chosen.doneMs === 0 ? { ...chosen, id: `${chosen.id}-${index}` } : chosen
            const expected = own.claim(tried, each.retryUnknown)
            expect(await shared.claim(tried, each.retryUnknown)).toEqual(withoutEnd(expected))
            if (expected.state === 'claimed') tries.push(tried)
            answers[expected.state] = (answers[expected.state] ?? 0) + 1
          } else {
            // A try ends once.
            const [settled] = tries.splice(-1 - each.back, 1)
            if (settled === undefined) continue
            own.settle(settled, each.outcome, each.msAgo)
            await shared.settle(settled, each.outcome, each.msAgo)
          }
        }
      }),
      { numRuns: 1000 },
    )
    const states = ['claimed', 'done', 'reused', 'running', 'undecided', 'unknown']
    expect(Object.keys(answers).toSorted()).toEqual(states)
  })
})

/** The ledger in memory also tells when a try ends. */
function withoutEnd(claim: Claim): Claim {
  return claim.state === 'running' ? { state: 'running' } : claim
}
