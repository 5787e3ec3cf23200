import { type Check, type CheckContext, type Common, define } from '../engine/check.ts'
import { about, type RequirementId, type Requirements } from '../engine/requirement.ts'
import type { Reply } from '../http/reply.ts'
import { errorCodeOf } from '../engine/expectations.ts'
import { arrange, customerOf, quantitiesOf, readSubscription, swapLine, unitsOf } from '../steps/customers.ts'
import { makeOtherChange, undoAll } from '../steps/changes.ts'
import { concurrency, concurrently } from './stress.ts'

const { countsTwice } = about('retries')

export const requirements: Requirements = {
  'RETRY-14': countsTwice(
    'If several requests with the same `Idempotency-Key` arrive concurrently, only one takes effect. The other requests return the same response or 409 `request_in_progress`.',
    'The key is checked first and stored later, so several requests find the key unused.',
  ),
}

const needs = ['listProducts', 'getSubscription', 'delaySubscription', 'addProduct', 'undoAddProduct'] as const

const common: Common = { mode: 'stress', layer: 'shop', needs }

export const checks: readonly Check[] = define(common, {
  'stress.runs-a-key-once': {
    title: 'Twenty identical concurrent addProduct requests with the same `Idempotency-Key` take effect once.',
    requirements: ['RETRY-14', 'RETRY-5'],
    requires: ['retries'],
    async run(t) {
      const { email, before, add } = await arrangeAdds(t)
      const headers = { 'Idempotency-Key': crypto.randomUUID() }
      const replies = await t.concurrently(concurrently(() => add(37, headers)))
      for (const reply of replies.filter(({ status }) => status !== 200)) t.rejected(reply, 'request_in_progress')
      expectOneSuccess(t, replies)
      t.equal(unitsOf(await readSubscription(t, email)), before + 37, 'total units')
      t.accepted(await t.call('addProduct', add(37).input, { headers }), 'RETRY-5')
      t.equal(unitsOf(await readSubscription(t, email)), before + 37, 'total units', 'RETRY-5')
      t.accepted(await t.call('undoAddProduct', add(37).undo), 'UNDO-1')
    },
  },
  'stress.runs-one-request-for-each-key': {
    title:
      'If twenty different addProduct requests with the same `Idempotency-Key` arrive concurrently, one takes effect and the others are rejected.',
    requirements: ['RETRY-14', 'RETRY-6'],
    requires: ['retries'],
    async run(t) {
      const { email, before, add } = await arrangeAdds(t)
      const headers = { 'Idempotency-Key': crypto.randomUUID() }
      const replies = await t.concurrently(concurrently((index) => add(index + 41, headers)))
      const done = replies.flatMap(({ status }, index) => (status === 200 ? [index + 41] : []))
      for (const reply of replies.filter(({ status }) => status !== 200)) {
        if (errorCodeOf(reply) !== 'request_in_progress') t.rejected(reply, 'idempotency_key_reused', 'RETRY-6')
      }
      t.equal(done.length, 1, 'the number of successes')
      t.equal(unitsOf(await readSubscription(t, email)), before + (done[0] ?? 0), 'total units')
      t.accepted(await t.call('undoAddProduct', add(1).undo), 'UNDO-1')
    },
  },
  'stress.runs-each-key': {
    title: 'Twenty identical concurrent addProduct requests, each with its own `Idempotency-Key`, all take effect.',
    requirements: ['RETRY-7', 'STATE-3'],
    requires: ['retries'],
    async run(t) {
      const { email, before, add } = await arrangeAdds(t)
      const ownKey = () => ({ 'Idempotency-Key': crypto.randomUUID() })
      const replies = await t.concurrently(concurrently(() => add(9, ownKey())))
      for (const reply of replies) t.accepted(reply)
      t.equal(unitsOf(await readSubscription(t, email)), before + 9 * concurrency, 'total units')
      const undos = concurrently(() => ({ name: 'undoAddProduct', input: add(9).undo, headers: ownKey() }))
      for (const reply of await t.concurrently(undos)) t.accepted(reply, 'UNDO-1')
      t.equal(unitsOf(await readSubscription(t, email)), before, 'total units after all undos', 'STATE-3')
    },
  },
  'stress.separates-customers': {
    title: 'Concurrent addProduct requests for two customers each take effect for the correct customer.',
    requirements: ['STATE-3', 'CUSTOMER-2'],
    async run(t) {
      const product_id = t.need(t.profile.products.listed[0], 'products.listed').id
      const emails = [customerOf(t, 'subscribed'), customerOf(t, 'otherCustomer')]
      const before = await Promise.all(emails.map((email) => readSubscription(t, email)))
      const amountOf = (index: number) => (index % 2 === 0 ? 7 : 8) + 2 * Math.floor(index / 2)
      const replies = await t.concurrently(
        concurrently((index) => ({
          name: 'addProduct',
          input: { email: emails[index % 2], product_id, quantity: amountOf(index) },
        })),
      )
      for (const reply of replies) t.accepted(reply)
      for (const [which, email] of emails.entries()) {
        const own = replies.flatMap((_, index) => (index % 2 === which ? [amountOf(index)] : []))
        const had = before[which]
        if (had === undefined) continue
        const expected = unitsOf(had) + own.reduce((sum, amount) => sum + amount, 0)
        t.equal(unitsOf(await readSubscription(t, email)), expected, 'total units')
        const added = own.map(() => product_id)
        await undoAll(t, email, added)
        t.equal(await readSubscription(t, email), had, 'the subscription')
      }
    },
  },
  'stress.swaps-a-line-once': {
    title: 'Twenty identical concurrent swaps replace a line exactly once.',
    requirements: ['STATE-3', 'SWAP-1'],
    needs: ['listProducts', 'getSubscription', 'swapProduct'],
    async run(t) {
      const { email, before, newProduct, ownedProduct } = await arrange(t)
      const { item, place, product } = ownedProduct()
      const target = newProduct()
      const input = { email, current_item_id: item.id, new_product_id: target.id }
      const replies = await t.concurrently(concurrently(() => ({ name: 'swapProduct', input })))
      for (const reply of replies.filter(({ status }) => status !== 200)) t.rejected(reply, 'item_not_found')
      expectOneSuccess(t, replies, 'SWAP-1')
      const { items } = await readSubscription(t, email)
      const expected = before.items.with(place, { ...item, title: target.title })
      t.equal(quantitiesOf(items), quantitiesOf(expected), 'the lines')
      await swapLine(t, email, items[place], product)
    },
  },
})

function expectOneSuccess(t: CheckContext, replies: readonly Reply[], requirement?: RequirementId): void {
  const isOne = replies.some(({ status }) => status === 200)
  t.ok(isOne, 'one of the requests to succeed', replies[0], requirement)
}

/** Returns a customer and a function that creates addProduct requests for a product that the customer does not have. */
async function arrangeAdds(t: CheckContext) {
  const start = await arrange(t)
  const { email } = start
  const undo = { email, product_id: start.newProduct().id }
  // Makes another change, so that the shop does not treat the next undo as a repeat of an earlier undo.
  await makeOtherChange(t, email)
  const add = (quantity: number, headers: Readonly<Record<string, string>> = {}) => ({
    name: 'addProduct' as const,
    input: { ...undo, quantity },
    headers,
    undo,
  })
  return { email, before: unitsOf(start.before), add }
}
