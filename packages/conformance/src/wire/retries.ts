import { type Check, type CheckContext, type Common, define } from '../engine/check.ts'
import { errorCodeOf } from '../engine/expectations.ts'
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
} from '../shop/customers.ts'
import { makeOtherChange, undoAll } from '../shop/changes.ts'
import { expectValid } from '../shop/inputs.ts'

const { should, countsTwice, losesChange } = about('retries')

export const requirements: Requirements = {
  'RETRY-1': countsTwice(
    'A request that is repeated within the retry window takes effect once, and each repeat returns success.',
    'Each repeat takes effect, for example when the caller sends a request again after a timeout.',
  ),
  'RETRY-2': losesChange(
    'The same request takes effect again if the customer made another change in between.',
    'Repeats are detected by content only, so adding a product again after an undo has no effect.',
  ),
  'RETRY-3': should(
    'A rejected request is not stored, so a repeat runs again.',
    'Rejections are stored like successes.',
  ),
  'RETRY-4': countsTwice(
    'A repeat of a request that is still running returns the same response.',
    'A click is stored only after it finishes, so two concurrent requests both take effect.',
  ),
  'RETRY-5': countsTwice(
    'The same request with the same `Idempotency-Key` takes effect once, even if other changes are made in between.',
    '`Idempotency-Key` is ignored.',
  ),
  'RETRY-6': losesChange(
    'A request with an `Idempotency-Key` that the customer used for another request returns 422 `idempotency_key_reused`.',
    'The body is not compared with the body of the first request.',
  ),
  'RETRY-7': losesChange(
    'Requests with different `Idempotency-Key` headers are different requests, even if everything else is the same.',
    'Requests are compared by content, even if their keys differ.',
  ),
  'RETRY-8': should(
    'An `Idempotency-Key` has 1–255 visible ASCII characters, quoted or unquoted. A request with any other key returns 400 `invalid_request`.',
    'The length and the characters of the `Idempotency-Key` are not validated.',
  ),
  'RETRY-9': should(
    'A rejected request does not use up its `Idempotency-Key`.',
    'Every response is stored, including rejections.',
  ),
  'RETRY-10': losesChange(
    'An `Idempotency-Key` applies to one endpoint. At another endpoint, the same value is a new key.',
    'The stored key does not include the endpoint.',
  ),
  'RETRY-11': losesChange(
    'The same request for another customer is a different request, even with the same `Idempotency-Key`.',
    'The comparison of requests ignores the customer.',
  ),
}

const needs = ['listProducts', 'getSubscription', 'delaySubscription', 'addProduct', 'undoAddProduct'] as const

const common: Common = { mode: 'write', layer: 'wire', needs }

export const checks: readonly Check[] = define(common, {
  'retries.take-effect-once': {
    title: 'An immediate repeat of an addProduct request returns success and adds nothing.',
    requirements: ['RETRY-1'],
    requires: ['retries'],
    async run(t) {
      const { email, before, product_id } = await arrangeAdd(t)
      const add = { email, product_id, quantity: 2 }
      await perform(t, 'addProduct', add)
      // Repeats the request in a different notation: other field sequence, explicit defaults, upper-case email address.
      for (const again of [
        add,
        { quantity: 2, product_id, email: email.toUpperCase(), one_time: false, discount_code: null },
      ]) {
        expectDone(t, await t.call('addProduct', again))
        t.equal(unitsOf(await readSubscription(t, email)), unitsOf(before) + 2, 'total units')
      }
      await undoAdd(t, email, product_id)
      await perform(t, 'undoAddProduct', { email, product_id })
      t.equal(await readSubscription(t, email), before, 'the subscription after a repeated undo')
    },
  },
  'retries.distinguish-requests': {
    title: 'addProduct requests that differ in the quantity, the product or the `one_time` flag all take effect.',
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
      t.equal(unitsOf(await readSubscription(t, email)), unitsOf(before) + 7, 'total units')
      await undoAll(t, email, [other, one, one, one])
      t.equal(await readSubscription(t, email), before, 'the subscription')
    },
  },
  'retries.take-effect-again-after-another-change': {
    title: 'The same addProduct request takes effect again after another change by the customer.',
    requirements: ['RETRY-2', 'ADD-1'],
    async run(t) {
      const { email, before, product_id } = await arrangeAdd(t)
      await perform(t, 'addProduct', { email, product_id })
      await makeOtherChange(t, email)
      await perform(t, 'addProduct', { email, product_id })
      t.equal(unitsOf(await readSubscription(t, email)), unitsOf(before) + 2, 'total units')
      await undoAll(t, email, [product_id, product_id])
      t.equal(await readSubscription(t, email), before, 'the subscription')
    },
  },
  'retries.with-a-key-take-effect-once': {
    title: 'The same addProduct request with the same `Idempotency-Key` takes effect once, even after another change.',
    requirements: ['RETRY-5'],
    requires: ['retries'],
    async run(t) {
      const { email, before, product_id } = await arrangeAdd(t)
      const key = crypto.randomUUID()
      for (const written of [key, key, `"${key}"`]) {
        t.accepted(await t.call('addProduct', { email, product_id }, { headers: { 'Idempotency-Key': written } }))
        t.equal(newItems(before, await readSubscription(t, email)).length, 1, 'the number of new items')
        t.equal(unitsOf(await readSubscription(t, email)), unitsOf(before) + 1, 'total units')
        await makeOtherChange(t, email)
      }
      await undoAdd(t, email, product_id)
    },
  },
  'retries.with-a-key-belong-to-one-request': {
    title:
      'If an `Idempotency-Key` is used again with a different body, the request returns 422 `idempotency_key_reused`.',
    requirements: ['RETRY-6'],
    requires: ['retries'],
    async run(t) {
      const { email, before, product_id } = await arrangeAdd(t)
      const headers = { 'Idempotency-Key': crypto.randomUUID() }
      t.accepted(await t.call('addProduct', { email, product_id }, { headers }))
      t.rejected(await t.call('addProduct', { email, product_id, quantity: 2 }, { headers }), 'idempotency_key_reused')
      t.equal(unitsOf(await readSubscription(t, email)), unitsOf(before) + 1, 'total units', 'STATE-2')
      await undoAdd(t, email, product_id)
    },
  },
  'retries.with-two-keys-take-effect-twice': {
    title: 'The same addProduct request with two different `Idempotency-Key` values takes effect twice.',
    requirements: ['RETRY-7'],
    requires: ['retries'],
    async run(t) {
      const { email, before, product_id } = await arrangeAdd(t)
      for (const units of [1, 2]) {
        const headers = { 'Idempotency-Key': crypto.randomUUID() }
        t.accepted(await t.call('addProduct', { email, product_id }, { headers }))
        t.equal(unitsOf(await readSubscription(t, email)), unitsOf(before) + units, 'total units')
      }
      for (const units of [1, 0]) {
        const headers = { 'Idempotency-Key': crypto.randomUUID() }
        t.accepted(await t.call('undoAddProduct', { email, product_id }, { headers }), 'UNDO-1')
        t.equal(unitsOf(await readSubscription(t, email)), unitsOf(before) + units, 'total units')
      }
    },
  },
  'retries.with-a-key-succeed-after-a-rejection': {
    title: 'An `Idempotency-Key` can be reused after a rejection, and at another endpoint.',
    requirements: ['RETRY-9', 'RETRY-10'],
    requires: ['retries'],
    async run(t) {
      const { email, before, product_id } = await arrangeAdd(t)
      const headers = { 'Idempotency-Key': crypto.randomUUID() }
      await makeOtherChange(t, email)
      t.rejected(await t.call('undoAddProduct', { email, product_id }, { headers }), 'product_not_in_order', 'UNDO-3')
      t.accepted(await t.call('addProduct', { email, product_id }, { headers }), 'RETRY-10')
      t.equal(unitsOf(await readSubscription(t, email)), unitsOf(before) + 1, 'total units', 'RETRY-10')
      t.accepted(await t.call('undoAddProduct', { email, product_id }, { headers }))
      t.equal(await readSubscription(t, email), before, 'the subscription')
    },
  },
  'retries.distinguish-customers': {
    title: 'The same addProduct request for two customers takes effect for both customers.',
    requirements: ['RETRY-11', 'ADD-1'],
    async run(t) {
      const product_id = t.need(t.profile.products.listed[0], 'products.listed').id
      const { subscribed, otherCustomer } = t.profile.customers
      const customers = [t.need(subscribed, 'customers.subscribed'), t.need(otherCustomer, 'customers.otherCustomer')]
      const before = await Promise.all(customers.map((email) => readSubscription(t, email)))
      for (const email of customers) await perform(t, 'addProduct', { email, product_id })
      for (const [index, email] of customers.entries()) {
        const units = unitsOf(await readSubscription(t, email))
        t.equal(units, unitsOf(before[index] ?? (await readSubscription(t, email))) + 1, 'total units')
        await undoAdd(t, email, product_id)
      }
      const after = await Promise.all(customers.map((email) => readSubscription(t, email)))
      t.equal(after, before, 'both subscriptions')
    },
  },
  'retries.reject-an-invalid-key': {
    title:
      'A request with an `Idempotency-Key` that is empty, is too long, or contains a space or a non-ASCII character, returns 400 `invalid_request`. A request with a valid key returns 404 `customer_not_found` for an unknown customer.',
    requirements: ['RETRY-8'],
    mode: 'read-only',
    needs: ['addProduct'],
    requires: ['retries'],
    async run(t) {
      const input = { email: t.profile.customers.unknown, product_id: t.profile.products.unknown }
      for (const key of ['x'.repeat(256), 'two words', 'é', '""']) {
        const reply = await t.call('addProduct', input, { headers: { 'Idempotency-Key': key } })
        const isAccepted = errorCodeOf(reply) === 'customer_not_found'
        t.ok(!isAccepted, '400 invalid_request, because the Idempotency-Key is invalid', reply, 'RETRY-8')
        t.rejected(reply, 'invalid_request')
      }
      for (const key of ['x'.repeat(255), '!', '"quoted"']) {
        const reply = await t.call('addProduct', input, { headers: { 'Idempotency-Key': key } })
        await expectValid(t, reply, 'addProduct', 'RETRY-8')
      }
    },
  },
})

async function arrangeAdd(t: CheckContext): Promise<Arrangement & { readonly product_id: string }> {
  const start = await arrange(t)
  return { ...start, product_id: start.newProduct().id }
}
