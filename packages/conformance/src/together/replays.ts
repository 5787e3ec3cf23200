import { addDays, type EndpointName } from '@storeport/core'
import {
  type Check,
  type CheckContext,
  type Common,
  define,
  defineEach,
  onceInAShop,
  onTheWire,
} from '../engine/check.ts'
import { about, type Requirements } from '../engine/requirement.ts'
import { errorCodeOf } from '../engine/expectations.ts'
import type { Reply } from '../http/reply.ts'
import { arrange, customerOf, perform, readSubscription, snapshot, undoAdd, unitsOf } from '../steps/customers.ts'
import { arrangeChange, changeNeeds, clickBetween, clickBetweenNeeds, effectiveInput } from '../steps/changes.ts'
import { getNames, harmlessInput, postNames } from '../steps/inputs.ts'

const { should } = about('retries')

/** How often a click of any endpoint counts, whatever happens around it. */
export const requirements: Requirements = {
  'RETRY-12': should(
    'A repeat counts once also when another customer changed something in between.',
    'Only the last call of the whole shop is remembered.',
  ),
  'RETRY-13': should(
    'An `Idempotency-Key` on a GET has no effect.',
    'A middleware remembers every answer under its key, reads included.',
  ),
}

const repeats = defineEach(postNames, onceInAShop, (name) => ({
  [`${name}.counts-a-repeat-once`]: {
    title: `The same ${name} again is a success without effect, also after a change of another customer.`,
    requirements: ['RETRY-1', 'RETRY-12'],
    needs: changeNeeds(name),
    requires: ['retries'],
    async run(t) {
      const { input, restore } = await arrangeChange(t, name)
      const email = String(input['email'])
      await acceptFirst(t, name, await t.call(name, input))
      const after = await snapshot(t, email)
      for (const requirement of ['RETRY-1', 'RETRY-12'] as const) {
        const again = await t.call(name, input)
        t.accepted(again, requirement)
        t.equal(await snapshot(t, email), after, 'everything about the customer', again, requirement)
        await clickBetween(t, anotherThan(t, email))
      }
      await restore()
    },
  },
}))

const named = defineEach(postNames, onceInAShop, (name) => ({
  [`${name}.counts-once-under-a-key`]: {
    title: `With one \`Idempotency-Key\` ${name} counts once: not used up by a refusal, whatever comes between, and for no other call.`,
    requirements: ['RETRY-5', 'RETRY-6', 'RETRY-9'],
    needs: changeNeeds(name),
    requires: ['retries'],
    async run(t) {
      const { input, refused, other, restore } = await arrangeChange(t, name)
      const email = String(input['email'])
      const headers = { 'Idempotency-Key': crypto.randomUUID() }
      t.that((await t.call(name, refused, { headers })).status >= 400, 'a refusal', 'RETRY-9')
      t.refused(await t.call(name, { ...input, email: [] }, { headers }), 'invalid_request', 'RETRY-9')
      t.refused(await t.call(name, input, { headers, key: null }), 'unauthorized', 'RETRY-9')
      await acceptFirst(t, name, await t.call(name, input, { headers }), 'RETRY-9')
      const after = await snapshot(t, email)
      for (const customer of [email, anotherThan(t, email)]) {
        await clickBetween(t, customer)
        const again = await t.call(name, input, { headers })
        t.accepted(again)
        t.equal(await snapshot(t, email), after, 'everything about the customer', again)
      }
      t.refused(await t.call(name, other, { headers }), 'idempotency_key_reused', 'RETRY-6')
      t.equal(await snapshot(t, email), after, 'everything about the customer', 'RETRY-6')
      await restore()
    },
  },
}))

const reads = defineEach(getNames, onTheWire, (name) => ({
  [`${name}.ignores-an-idempotency-key`]: {
    title: `${name} answers each call on its own whatever \`Idempotency-Key\` it carries.`,
    requirements: ['RETRY-13'],
    async run(t) {
      const headers = { 'Idempotency-Key': crypto.randomUUID() }
      const inputs = [harmlessInput(t, name), await effectiveInput(t, name)]
      const { percentage } = t.profile.discounts
      if (name === 'getDiscount' && percentage !== undefined) inputs.push({ discount_code: percentage.code })
      for (const input of inputs) {
        const plain = await t.call(name, input)
        for (const more of [headers, { 'Idempotency-Key': 'two words' }, { 'Idempotency-Key': 'x'.repeat(256) }]) {
          const reply = await t.call(name, input, { headers: more })
          t.equal(reply.status, plain.status, 'the status', reply)
          t.equal(reply.json, plain.json, 'the body', reply)
        }
      }
    },
  },
}))

const common: Common = { mode: 'write', layer: 'wire', needs: clickBetweenNeeds }

const inGeneral = define(common, {
  'getSubscription.is-read-anew-under-one-key': {
    title: 'Two reads with one `Idempotency-Key` see the change that was made between them.',
    requirements: ['RETRY-13'],
    async run(t) {
      const email = customerOf(t, 'otherCustomer')
      const headers = { 'Idempotency-Key': crypto.randomUUID() }
      await t.call('getSubscription', { email }, { headers })
      const { next_billing_date } = await readSubscription(t, email)
      const new_date = addDays(next_billing_date, 1)
      await perform(t, 'delaySubscription', { email, new_date }, 'DELAY-1')
      const reply = await t.call('getSubscription', { email }, { headers })
      t.equal(reply.json, (await t.call('getSubscription', { email })).json, 'the body', reply)
    },
  },
  'retries.with-a-key-are-of-one-customer': {
    title: 'An `Idempotency-Key` that another customer used is 422 `idempotency_key_reused` and changes nothing.',
    requirements: ['RETRY-6', 'RETRY-11'],
    needs: ['listProducts', 'getSubscription', 'addProduct', 'undoAddProduct'],
    requires: ['retries'],
    async run(t) {
      const start = await arrange(t)
      const product_id = start.newProduct().id
      const headers = { 'Idempotency-Key': crypto.randomUUID() }
      const otherCustomer = customerOf(t, 'otherCustomer')
      const before = unitsOf(await readSubscription(t, otherCustomer))
      t.accepted(await t.call('addProduct', { email: start.email, product_id }, { headers }), 'ADD-1')
      const reply = await t.call('addProduct', { email: otherCustomer, product_id }, { headers })
      t.refused(reply, 'idempotency_key_reused')
      t.equal(unitsOf(await readSubscription(t, otherCustomer)), before, 'units in all', reply, 'RETRY-11')
      await undoAdd(t, start.email, product_id)
    },
  },
})

/** How often a click of any endpoint counts, whatever happens around it. */
export const checks: readonly Check[] = [...reads, ...repeats, ...named, ...inGeneral]

/** Expects the first call of a change to be let through; an order of today may have been sent before. */
async function acceptFirst(t: CheckContext, name: EndpointName, reply: Reply, requirement?: 'RETRY-9'): Promise<void> {
  if (name === 'sendNow' && errorCodeOf(reply) === 'order_already_processing')
    t.spent('the customer was sent an order today already')
  t.accepted(reply, requirement)
}

/** A customer with an active subscription who is somebody else. */
function anotherThan(t: CheckContext, email: string): string {
  const otherCustomer = customerOf(t, 'otherCustomer')
  return email === otherCustomer ? customerOf(t, 'subscribed') : otherCustomer
}
