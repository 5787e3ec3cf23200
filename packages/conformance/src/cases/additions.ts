import { type Check, type CheckContext, type Common, type ConcurrentCall, define } from '../engine/check.ts'
import { errorCodeOf } from '../engine/expectations.ts'
import { arrange, readSubscription } from '../shop/customers.ts'
import { makeOtherChange, undoAll } from '../shop/changes.ts'
import { concurrency, concurrently, named, withOwnKey } from '../shop/repeats.ts'

/** Concurrent requests that add one product. Their quantities differ from those of other checks, which may be stored. */
interface Additions extends Pick<Check, 'title' | 'requirements'>, Partial<Common> {
  readonly count?: number
  /** Number of rounds. In every second round, the added lines are one-time lines. */
  readonly rounds?: number
  readonly quantity: (index: number) => number
  /** Whether all requests have the same key, or each has its own key; defaults to no key. */
  readonly keys?: 'one' | 'own'
  /** Whether the requests are repeats of a click, so that the click takes effect once. */
  readonly isOnce: boolean
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
    keys: 'own',
    isOnce: false,
  },
  'stress.loses-no-change': {
    title: 'Concurrent addProduct requests for one customer all take effect.',
    requirements: ['STATE-3', 'ADD-1'],
    quantity: (index) => index + 11,
    isOnce: false,
  },
  'stress.runs-each-key': {
    title: 'Twenty identical concurrent addProduct requests, each with its own `Idempotency-Key`, all take effect.',
    requirements: ['RETRY-7', 'STATE-3'],
    quantity: () => 9,
    keys: 'own',
    isOnce: false,
  },
  'stress.runs-a-double-click-once': {
    title: 'Concurrent repeats of the same addProduct request take effect once, and each returns success.',
    requirements: ['RETRY-4', 'RETRY-1'],
    layer: 'wire',
    quantity: () => 31,
    isOnce: true,
  },
  'stress.runs-a-key-once': {
    title: 'Twenty identical concurrent addProduct requests with the same `Idempotency-Key` take effect once.',
    requirements: ['RETRY-14', 'RETRY-5'],
    quantity: () => 37,
    keys: 'one',
    isOnce: true,
  },
  'stress.runs-one-request-for-each-key': {
    title:
      'If twenty different addProduct requests with the same `Idempotency-Key` arrive concurrently, one takes effect and the others are rejected.',
    requirements: ['RETRY-14', 'RETRY-6'],
    quantity: (index) => index + 41,
    keys: 'one',
    isOnce: true,
  },
}

/** Sends the additions, and expects the units of those that must take effect. Then undoes them. */
async function runAdditions(t: CheckContext, row: Additions): Promise<void> {
  const { count = concurrency, rounds = 1, quantity, keys, isOnce } = row
  const { email, before, newProduct, expectUnits } = await arrange(t)
  const product_id = newProduct().id
  const all = concurrently((index) => ({ name: 'addProduct', input: { quantity: quantity(index) } }), count)
  const most = all.reduce((sum, _, index) => sum + quantity(index), 0)
  if (!isOnce && t.profile.maxQuantity < most) t.skip(`maxQuantity is lower than ${most}`)
  // Makes another change, so that the shop does not treat the next undo as a repeat of an earlier undo.
  if (t.offered.includes('delaySubscription')) await makeOtherChange(t, email)
  for (let round = 0; round < rounds; round++) {
    const shared = named()
    const calls = all.map(({ name, input }): ConcurrentCall => {
      const headers = keys === undefined ? {} : keys === 'own' ? named() : shared
      return { name, input: { email, product_id, ...input, ...(round % 2 === 1 && { one_time: true }) }, ...headers }
    })
    const replies = await t.concurrently(calls)
    for (const reply of replies.filter(({ status }) => status !== 200)) {
      if (!isOnce || keys === undefined) t.accepted(reply)
      else if (quantity(0) === quantity(1)) t.rejected(reply, 'request_in_progress')
      else if (errorCodeOf(reply) !== 'request_in_progress') t.rejected(reply, 'idempotency_key_reused', 'RETRY-6')
    }
    const done = calls.filter((_, index) => replies[index]?.status === 200)
    const units = new Set(done.map(({ input }) => Number(input['quantity'])))
    if (isOnce) t.equal(units.size, 1, 'the number of different requests that succeed')
    await expectUnits(isOnce ? ([...units][0] ?? 0) : most)
    for (const { name, input, headers } of isOnce && keys === 'one' ? done.slice(0, 1) : []) {
      t.accepted(await t.call(name, input, { headers }), 'RETRY-5')
      await expectUnits([...units][0] ?? 0)
    }
    if (keys === 'own')
      for (const reply of await t.concurrently(all.map(() => withOwnKey('undoAddProduct', { email, product_id }))))
        t.accepted(reply, 'UNDO-1')
    else
      await undoAll(
        t,
        email,
        (isOnce ? ['once'] : all).map(() => product_id),
      )
    const left = await readSubscription(t, email)
    t.equal(left, before, 'the subscription after all undos', keys === 'own' ? 'STATE-3' : 'UNDO-2')
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
