import { type Check, type CheckContext, type Common, type ConcurrentCall, define } from '../engine/check.ts'
import { errorCodeOf } from '../engine/expectations.ts'
import { arrange, readSubscription } from '../shop/customers.ts'
import { makeOtherChange } from '../shop/changes.ts'
import { concurrency, named, withOwnKey } from '../shop/repeats.ts'

/** Concurrent requests that add one product. Their quantities differ from those of other checks, which may be stored. */
interface Additions extends Pick<Check, 'title' | 'requirements'>, Partial<Common> {
  readonly count?: number
  /** Number of rounds. In every second round, the added lines are one-time lines. */
  readonly rounds?: number
  readonly quantity: (index: number) => number
  /** Whether all requests have the same key, so that one takes effect. By default, each has its own key. */
  readonly hasOneKey?: boolean
}

const additions: Readonly<Record<string, Additions>> = {
  'addProduct.keeps-concurrent-adds': {
    title:
      'Two different addProduct requests that are sent concurrently for one customer both take effect, for recurring and for one-time lines.',
    requirements: ['STATE-3', 'ADD-1'],
    mode: 'write',
    count: 2,
    rounds: 10,
    quantity: (index) => index + 1,
  },
  'stress.loses-no-change': {
    title: 'Concurrent addProduct requests for one customer all take effect.',
    requirements: ['STATE-3', 'ADD-1'],
    quantity: (index) => index + 11,
  },
  'stress.runs-each-key': {
    title: 'Twenty identical concurrent addProduct requests, each with its own `Idempotency-Key`, all take effect.',
    requirements: ['RETRY-7', 'STATE-3'],
    quantity: () => 9,
  },
  'stress.runs-one-request-for-each-key': {
    title:
      'If twenty different addProduct requests with the same `Idempotency-Key` arrive concurrently, one takes effect and the others are rejected.',
    requirements: ['RETRY-14', 'RETRY-6'],
    quantity: (index) => index + 41,
    hasOneKey: true,
  },
}

/** Sends the additions, and expects the units of those that must take effect. Then undoes them. */
async function runAdditions(t: CheckContext, row: Additions): Promise<void> {
  const { count = concurrency, rounds = 1, quantity, hasOneKey = false } = row
  const { email, before, newProduct, expectUnits } = await arrange(t)
  const product_id = newProduct().id
  const all = Array.from({ length: count }, (_, index) => quantity(index))
  const most = all.reduce((sum, units) => sum + units, 0)
  if (!hasOneKey && t.profile.maxQuantity < most) t.skip(`maxQuantity is lower than ${most}`)
  // Makes another change, so that the shop does not treat the next undo as a repeat of an earlier undo.
  if (t.offered.includes('delaySubscription')) await makeOtherChange(t, email)
  for (let round = 0; round < rounds; round++) {
    const shared = named()
    const calls = all.map((units): ConcurrentCall => {
      const input = { email, product_id, quantity: units, ...(round % 2 === 1 && { one_time: true }) }
      return { name: 'addProduct', input, ...(hasOneKey ? shared : named()) }
    })
    const replies = await t.concurrently(calls)
    const undo = () => withOwnKey('undoAddProduct', { email, product_id })
    if (hasOneKey) {
      for (const reply of replies.filter(({ status }) => status !== 200))
        if (errorCodeOf(reply) !== 'request_in_progress') t.rejected(reply, 'idempotency_key_reused', 'RETRY-6')
      const done = calls.filter((_, index) => replies[index]?.status === 200)
      t.equal(done.length, 1, 'the number of requests that succeed')
      for (const { name, input, headers } of done) {
        await expectUnits(Number(input['quantity']))
        t.accepted(await t.call(name, input, { headers }), 'RETRY-5')
        await expectUnits(Number(input['quantity']))
      }
    } else {
      for (const reply of replies) t.accepted(reply)
      await expectUnits(most)
    }
    for (const reply of await t.concurrently(hasOneKey ? [undo()] : all.map(undo))) t.accepted(reply, 'UNDO-1')
    t.equal(
      await readSubscription(t, email),
      before,
      'the subscription after all undos',
      hasOneKey ? 'UNDO-2' : 'STATE-3',
    )
  }
}

const common: Common = {
  mode: 'stress',
  layer: 'shop',
  needs: ['listProducts', 'getSubscription', 'addProduct', 'undoAddProduct', 'delaySubscription'],
  requires: ['retries'],
}

export const checks: readonly Check[] = Object.entries(additions).flatMap(([id, row]) =>
  define(common, { [id]: { ...row, run: (t) => runAdditions(t, row) } }),
)
