import { type Check, type CheckContext, type Common, define } from '../engine/check.ts'
import { about, type Requirements } from '../engine/requirement.ts'
import {
  arrange,
  type Arrangement,
  expectDone,
  newItems,
  perform,
  readSubscription,
  undoAdd,
  unitsOf,
} from '../steps/customers.ts'
import { clickBetween, undoInTurn } from '../steps/changes.ts'

const { should } = about('retries')

/** How often a click counts. */
export const requirements: Requirements = {
  'RETRY-1': should(
    'The same call again within the window counts once and is answered as a success.',
    'Each repeat of a click counts: a late answer makes the caller send it again.',
  ),
  'RETRY-2': should(
    'The same call runs again when another change of that customer came between.',
    'Repeats are remembered by their content alone, so that add, undo, add counts once.',
  ),
  'RETRY-3': should('A refusal is not remembered: the call runs again.', 'Refusals are remembered like successes.'),
  'RETRY-4': should(
    'The same call, sent while the first is running, shares its answer.',
    'A click is remembered when it is done, so two at the same time both count.',
  ),
  'RETRY-5': should(
    'With an `Idempotency-Key` the same call counts once, whatever came between.',
    '`Idempotency-Key` is not looked at.',
  ),
  'RETRY-6': should(
    'An `Idempotency-Key` that is used for another request is 422 `idempotency_key_reused`.',
    'The body is not compared with that of the first call.',
  ),
  'RETRY-7': should(
    'Two `Idempotency-Key`s make two calls, also when all else is the same.',
    'The content is compared before the key is looked at.',
  ),
  'RETRY-8': should(
    'An `Idempotency-Key` has 1–255 visible ASCII characters, quoted or bare, else 400 `invalid_request`.',
    'Any key is taken.',
  ),
  'RETRY-9': should('A refusal does not use an `Idempotency-Key` up.', 'The answer is kept whatever it is.'),
  'RETRY-10': should(
    'An `Idempotency-Key` counts for one endpoint: at another one it is a new key.',
    'Keys are kept without the endpoint that they were sent to.',
  ),
  'RETRY-11': should('The same call of another customer is another call.', 'Calls are compared without the customer.'),
}

const needs = ['listProducts', 'getSubscription', 'delaySubscription', 'addProduct', 'undoAddProduct'] as const

const common: Common = { mode: 'write', layer: 'wire', needs }

/** How often a click counts. */
export const checks: readonly Check[] = define(common, {
  'retries.count-once': {
    title: 'The same add, sent again at once, is a success that adds nothing more.',
    requirements: ['RETRY-1'],
    requires: ['retries'],
    async run(t) {
      const { email, before, product_id } = await arrangeAdd(t)
      const add = { email, product_id, quantity: 2 }
      await perform(t, 'addProduct', add)
      // The same call in other words: a field in another order, a default written out, the address in upper case.
      for (const again of [
        add,
        { quantity: 2, product_id, email: email.toUpperCase(), one_time: false, discount_code: null },
      ]) {
        expectDone(t, await t.call('addProduct', again))
        t.equal(unitsOf(await readSubscription(t, email)), unitsOf(before) + 2, 'units in all')
      }
      await undoAdd(t, email, product_id)
      await perform(t, 'undoAddProduct', { email, product_id })
      t.equal(await readSubscription(t, email), before, 'the subscription after a repeated undo')
    },
  },
  'retries.tell-different-calls-apart': {
    title: 'Two adds that differ in quantity, product or flag are two.',
    requirements: ['RETRY-2', 'ADD-1'],
    async run(t) {
      const { email, before, newProduct, ownedProduct } = await arrange(t)
      const [one, other] = [newProduct().id, ownedProduct().product.id]
      const adds = [
        { product_id: one, quantity: 1 },
        { product_id: one, quantity: 2 },
        { product_id: one, quantity: 2, one_time: true },
        { product_id: other, quantity: 2, one_time: true },
      ]
      for (const add of adds) await perform(t, 'addProduct', { email, ...add })
      t.equal(unitsOf(await readSubscription(t, email)), unitsOf(before) + 7, 'units in all')
      await undoInTurn(t, email, [other, one, one, one])
      t.equal(await readSubscription(t, email), before, 'the subscription')
    },
  },
  'retries.count-again-after-another-change': {
    title: 'The same add counts again when another change of the customer came between.',
    requirements: ['RETRY-2', 'ADD-1'],
    async run(t) {
      const { email, before, product_id } = await arrangeAdd(t)
      await perform(t, 'addProduct', { email, product_id })
      await clickBetween(t, email)
      await perform(t, 'addProduct', { email, product_id })
      t.equal(unitsOf(await readSubscription(t, email)), unitsOf(before) + 2, 'units in all')
      await undoInTurn(t, email, [product_id, product_id])
      t.equal(await readSubscription(t, email), before, 'the subscription')
    },
  },
  'retries.with-a-key-count-once': {
    title: 'With one `Idempotency-Key` the same add counts once, also when another change came between.',
    requirements: ['RETRY-5'],
    requires: ['retries'],
    async run(t) {
      const { email, before, product_id } = await arrangeAdd(t)
      const key = crypto.randomUUID()
      for (const written of [key, key, `"${key}"`]) {
        t.accepted(await t.call('addProduct', { email, product_id }, { headers: { 'Idempotency-Key': written } }))
        t.equal(newItems(before, await readSubscription(t, email)).length, 1, 'the number of new items')
        t.equal(unitsOf(await readSubscription(t, email)), unitsOf(before) + 1, 'units in all')
        await clickBetween(t, email)
      }
      await undoAdd(t, email, product_id)
    },
  },
  'retries.with-a-key-are-of-one-request': {
    title: 'An `Idempotency-Key` that was used with another body is 422 `idempotency_key_reused`.',
    requirements: ['RETRY-6'],
    requires: ['retries'],
    async run(t) {
      const { email, before, product_id } = await arrangeAdd(t)
      const headers = { 'Idempotency-Key': crypto.randomUUID() }
      t.accepted(await t.call('addProduct', { email, product_id }, { headers }))
      t.refused(await t.call('addProduct', { email, product_id, quantity: 2 }, { headers }), 'idempotency_key_reused')
      t.equal(unitsOf(await readSubscription(t, email)), unitsOf(before) + 1, 'units in all', 'STATE-2')
      await undoAdd(t, email, product_id)
    },
  },
  'retries.with-two-keys-are-two': {
    title: 'The same add with two `Idempotency-Key`s counts twice.',
    requirements: ['RETRY-7'],
    requires: ['retries'],
    async run(t) {
      const { email, before, product_id } = await arrangeAdd(t)
      for (const units of [1, 2]) {
        const headers = { 'Idempotency-Key': crypto.randomUUID() }
        t.accepted(await t.call('addProduct', { email, product_id }, { headers }))
        t.equal(unitsOf(await readSubscription(t, email)), unitsOf(before) + units, 'units in all')
      }
      for (const units of [1, 0]) {
        const headers = { 'Idempotency-Key': crypto.randomUUID() }
        t.accepted(await t.call('undoAddProduct', { email, product_id }, { headers }), 'UNDO-1')
        t.equal(unitsOf(await readSubscription(t, email)), unitsOf(before) + units, 'units in all')
      }
    },
  },
  'retries.with-a-key-go-on-after-a-refusal': {
    title: 'An `Idempotency-Key` whose call was refused can be used again, and counts for one endpoint.',
    requirements: ['RETRY-9', 'RETRY-10'],
    requires: ['retries'],
    async run(t) {
      const { email, before, product_id } = await arrangeAdd(t)
      const headers = { 'Idempotency-Key': crypto.randomUUID() }
      await clickBetween(t, email)
      t.refused(await t.call('undoAddProduct', { email, product_id }, { headers }), 'product_not_in_order', 'UNDO-3')
      t.accepted(await t.call('addProduct', { email, product_id }, { headers }), 'RETRY-10')
      t.equal(unitsOf(await readSubscription(t, email)), unitsOf(before) + 1, 'units in all', 'RETRY-10')
      t.accepted(await t.call('undoAddProduct', { email, product_id }, { headers }))
      t.equal(await readSubscription(t, email), before, 'the subscription')
    },
  },
  'retries.tell-customers-apart': {
    title: 'The same add of two customers is two.',
    requirements: ['RETRY-11', 'ADD-1'],
    async run(t) {
      const product_id = t.need(t.profile.products.listed[0], 'products.listed').id
      const { subscribed, otherCustomer } = t.profile.customers
      const customers = [t.need(subscribed, 'customers.subscribed'), t.need(otherCustomer, 'customers.otherCustomer')]
      const before = await Promise.all(customers.map((email) => readSubscription(t, email)))
      for (const email of customers) await perform(t, 'addProduct', { email, product_id })
      for (const [index, email] of customers.entries()) {
        const units = unitsOf(await readSubscription(t, email))
        t.equal(units, unitsOf(before[index] ?? (await readSubscription(t, email))) + 1, 'units in all')
        await undoAdd(t, email, product_id)
      }
      const after = await Promise.all(customers.map((email) => readSubscription(t, email)))
      t.equal(after, before, 'both subscriptions')
    },
  },
  'retries.refuse-a-bad-key': {
    title: 'An `Idempotency-Key` that is too long, or holds a space or other than ASCII, is 400 `invalid_request`.',
    requirements: ['RETRY-8'],
    mode: 'read-only',
    needs: ['addProduct'],
    requires: ['retries'],
    async run(t) {
      const input = { email: t.profile.customers.unknown, product_id: t.profile.products.unknown }
      for (const key of ['x'.repeat(256), 'two words', 'é', '""']) {
        t.refused(await t.call('addProduct', input, { headers: { 'Idempotency-Key': key } }), 'invalid_request')
      }
      for (const key of ['x'.repeat(255), '!', '"quoted"']) {
        t.refused(await t.call('addProduct', input, { headers: { 'Idempotency-Key': key } }), 'customer_not_found')
      }
    },
  },
})

async function arrangeAdd(t: CheckContext): Promise<Arrangement & { readonly product_id: string }> {
  const start = await arrange(t)
  return { ...start, product_id: start.newProduct().id }
}
