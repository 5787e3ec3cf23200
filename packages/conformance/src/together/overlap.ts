import { type Check, type CheckContext, type Common, define } from '../engine/check.ts'
import { about, type RequirementId, type Requirements } from '../engine/requirement.ts'
import type { Reply } from '../http/reply.ts'
import { errorCodeOf } from '../engine/expectations.ts'
import { arrange, customerOf, quantitiesOf, readSubscription, swapLine, unitsOf } from '../steps/customers.ts'
import { clickBetween, undoInTurn } from '../steps/changes.ts'
import { crowd, crowdOf } from './stress.ts'

const { should } = about('retries')

/** What holds of calls with keys that arrive together. */
export const requirements: Requirements = {
  'RETRY-14': should(
    'Of calls that arrive together with one `Idempotency-Key` one takes effect; the others share its answer or are told to wait.',
    'Whether a key was used is read first and written later, so that several calls find it unused.',
  ),
}

const needs = ['listProducts', 'getSubscription', 'delaySubscription', 'addProduct', 'undoAddProduct'] as const

const common: Common = { mode: 'stress', layer: 'shop', needs }

/** Calls that really overlap: over connections that are open already, with amounts that no other check uses. */
export const checks: readonly Check[] = define(common, {
  'stress.counts-a-key-once': {
    title: 'Twenty equal adds at once with one `Idempotency-Key` count once.',
    requirements: ['RETRY-14', 'RETRY-5'],
    requires: ['retries'],
    async run(t) {
      const { email, before, add } = await arrangeAdds(t)
      const headers = { 'Idempotency-Key': crypto.randomUUID() }
      const replies = await t.together(crowdOf(() => add(37, headers)))
      for (const reply of replies.filter(({ status }) => status !== 200)) t.refused(reply, 'request_in_progress')
      expectOneSuccess(t, replies)
      t.equal(unitsOf(await readSubscription(t, email)), before + 37, 'units in all')
      t.accepted(await t.call('addProduct', add(37).input, { headers }), 'RETRY-5')
      t.equal(unitsOf(await readSubscription(t, email)), before + 37, 'units in all', 'RETRY-5')
      t.accepted(await t.call('undoAddProduct', add(37).undo), 'UNDO-1')
    },
  },
  'stress.keeps-a-key-to-one-request': {
    title: 'Twenty different adds at once with one `Idempotency-Key`: one counts, the others are refused.',
    requirements: ['RETRY-14', 'RETRY-6'],
    requires: ['retries'],
    async run(t) {
      const { email, before, add } = await arrangeAdds(t)
      const headers = { 'Idempotency-Key': crypto.randomUUID() }
      const replies = await t.together(crowdOf((index) => add(index + 41, headers)))
      const done = replies.flatMap(({ status }, index) => (status === 200 ? [index + 41] : []))
      for (const reply of replies.filter(({ status }) => status !== 200)) {
        if (errorCodeOf(reply) !== 'request_in_progress') t.refused(reply, 'idempotency_key_reused', 'RETRY-6')
      }
      t.equal(done.length, 1, 'the number of successes')
      t.equal(unitsOf(await readSubscription(t, email)), before + (done[0] ?? 0), 'units in all')
      t.accepted(await t.call('undoAddProduct', add(1).undo), 'UNDO-1')
    },
  },
  'stress.counts-each-key': {
    title: 'Twenty equal adds at once, each with an `Idempotency-Key` of its own, all count.',
    requirements: ['RETRY-7', 'STATE-3'],
    requires: ['retries'],
    async run(t) {
      const { email, before, add } = await arrangeAdds(t)
      const ownKey = () => ({ 'Idempotency-Key': crypto.randomUUID() })
      const replies = await t.together(crowdOf(() => add(9, ownKey())))
      for (const reply of replies) t.accepted(reply)
      t.equal(unitsOf(await readSubscription(t, email)), before + 9 * crowd, 'units in all')
      const undos = crowdOf(() => ({ name: 'undoAddProduct', input: add(9).undo, headers: ownKey() }))
      for (const reply of await t.together(undos)) t.accepted(reply, 'UNDO-1')
      t.equal(unitsOf(await readSubscription(t, email)), before, 'units in all after as many undos', 'STATE-3')
    },
  },
  'stress.keeps-customers-apart': {
    title: 'Adds of two customers that arrive together each count for their own.',
    requirements: ['STATE-3', 'CUSTOMER-2'],
    async run(t) {
      const product_id = t.need(t.profile.products.listed[0], 'products.listed').id
      const emails = [customerOf(t, 'subscribed'), customerOf(t, 'otherCustomer')]
      const before = await Promise.all(emails.map((email) => readSubscription(t, email)))
      const amountOf = (index: number) => (index % 2 === 0 ? 7 : 8) + 2 * Math.floor(index / 2)
      const replies = await t.together(
        crowdOf((index) => ({
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
        t.equal(unitsOf(await readSubscription(t, email)), expected, 'units in all')
        const added = own.map(() => product_id)
        await undoInTurn(t, email, added)
        t.equal(await readSubscription(t, email), had, 'the subscription')
      }
    },
  },
  'stress.swaps-a-line-once': {
    title: 'Twenty equal swaps at once leave one line in place of one.',
    requirements: ['STATE-3', 'SWAP-1'],
    needs: ['listProducts', 'getSubscription', 'swapProduct'],
    async run(t) {
      const { email, before, newProduct, ownedProduct } = await arrange(t)
      const { item, place, product } = ownedProduct()
      const target = newProduct()
      const input = { email, current_item_id: item.id, new_product_id: target.id }
      const replies = await t.together(crowdOf(() => ({ name: 'swapProduct', input })))
      for (const reply of replies.filter(({ status }) => status !== 200)) t.refused(reply, 'item_not_found')
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
  t.that(isOne, 'one of the calls to succeed', requirement)
}

/** A customer who lacks a product, and adds of it. */
async function arrangeAdds(t: CheckContext) {
  const start = await arrange(t)
  const { email } = start
  const undo = { email, product_id: start.newProduct().id }
  // An undo of an earlier check is no repeat of those that follow.
  await clickBetween(t, email)
  const add = (quantity: number, headers: Readonly<Record<string, string>> = {}) => ({
    name: 'addProduct' as const,
    input: { ...undo, quantity },
    headers,
    undo,
  })
  return { email, before: unitsOf(start.before), add }
}
