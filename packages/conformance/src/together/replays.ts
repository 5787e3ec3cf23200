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
import { activateAnother } from '../endpoints/reactivate-subscription.ts'
import { errorCodeOf } from '../engine/expectations.ts'
import { about, type Requirements } from '../engine/requirement.ts'
import { arrange, customerOf, perform, readSubscription, snapshot, undoAdd, unitsOf } from '../steps/customers.ts'
import { arrangeChange, changeNeeds, makeOtherChange, otherChangeNeeds, effectiveInput } from '../steps/changes.ts'
import { burstClick } from './clicks.ts'
import { getNames, harmlessInput, postNames } from '../steps/inputs.ts'

const { should, countsTwice } = about('retries')

export const requirements: Requirements = {
  'RETRY-12': countsTwice(
    'A repeated request takes effect once, even if another customer made a change in between.',
    "Only the shop's most recent request is stored.",
  ),
  'RETRY-13': should(
    'An `Idempotency-Key` on a GET has no effect.',
    'Middleware stores every response under its key, including the responses to reads.',
  ),
}

/** Endpoints whose own checks repeat a click, because the test data allows only few successful requests. */
const repeatedElsewhere: readonly EndpointName[] = ['sendNow', 'reactivateSubscription']

const repeatedHere = postNames.filter((name) => !repeatedElsewhere.includes(name))

const repeats = defineEach(repeatedHere, onceInAShop, (name) => ({
  [`${name}.runs-a-repeat-once`]: {
    title: `A ${name} request that is sent three times within 2 ms, and again after a change by another customer, takes effect once. Each response has status 200.`,
    requirements: ['RETRY-1', 'RETRY-4', 'RETRY-12'],
    needs: changeNeeds(name),
    requires: ['retries'],
    async run(t) {
      const { input, restore } = await arrangeChange(t, name)
      const email = String(input['email'])
      await burstClick(t, name, input, 'RETRY-1')
      const after = await snapshot(t, email)
      for (const requirement of ['RETRY-1', 'RETRY-12'] as const) {
        const again = await t.call(name, input)
        t.accepted(again, requirement)
        t.equal(await snapshot(t, email), after, "the customer's data", again, requirement)
        await makeOtherChange(t, differentCustomer(t, email))
      }
      await restore()
    },
  },
}))

const secondOrder = ['SEND-3'] as const
const reused = ['RETRY-6'] as const

/** Whether a customer can send different requests to an endpoint. The only field of sendNow is the customer. */
const hasOther = (name: EndpointName) => name !== 'sendNow'

const named = defineEach(postNames, onceInAShop, (name) => ({
  [`${name}.runs-once-with-a-key`]: {
    title: `With one \`Idempotency-Key\`, ${name} takes effect once. A rejection does not use up the key.${hasOther(name) ? ' A different request with this key is rejected.' : ''}`,
    requirements: [
      'RETRY-5',
      ...(hasOther(name) ? reused : []),
      'RETRY-9',
      'RETRY-14',
      ...(name === 'reactivateSubscription' ? secondOrder : []),
    ],
    needs: changeNeeds(name),
    requires: ['retries'],
    async run(t) {
      const hasOrder = name === 'reactivateSubscription' && (await hasOrderToday(t))
      const { input, refused, other, restore } = await arrangeChange(t, name)
      const email = String(input['email'])
      const headers = { 'Idempotency-Key': crypto.randomUUID() }
      t.ok((await t.call(name, refused, { headers })).status >= 400, 'a rejection', 'RETRY-9')
      t.rejected(await t.call(name, { ...input, email: [] }, { headers }), 'invalid_request', 'RETRY-9')
      t.rejected(await t.call(name, input, { headers, key: null }), 'unauthorized', 'RETRY-9')
      await burstClick(t, name, input, 'RETRY-9', headers)
      const after = await snapshot(t, email)
      for (const customer of [email, differentCustomer(t, email)]) {
        await makeOtherChange(t, customer)
        const again = await t.call(name, input, { headers })
        t.accepted(again)
        t.equal(await snapshot(t, email), after, "the customer's data", again)
      }
      if (hasOther(name)) {
        t.rejected(await t.call(name, other, { headers }), 'idempotency_key_reused', 'RETRY-6')
        t.equal(await snapshot(t, email), after, "the customer's data", 'RETRY-6')
      }
      if (hasOrder) t.rejected(await t.call('sendNow', { email }), 'order_already_processing', 'SEND-3')
      await restore()
    },
  },
}))

/** Orders for `customers.cancelled`, unless an earlier check did. Returns whether the customer has an order today. */
async function hasOrderToday(t: CheckContext): Promise<boolean> {
  if (!t.offered.includes('sendNow')) return false
  const email = customerOf(t, 'cancelled')
  await activateAnother(t, email)
  const reply = await t.call('sendNow', { email })
  return reply.status === 200 || errorCodeOf(reply) === 'order_already_processing'
}

const reads = defineEach(getNames, onTheWire, (name) => ({
  [`${name}.ignores-an-idempotency-key`]: {
    title: `${name} handles each request separately, even with a repeated or invalid \`Idempotency-Key\`.`,
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

const common: Common = { mode: 'write', layer: 'wire', needs: otherChangeNeeds }

const generalChecks = define(common, {
  'getSubscription.reads-again-with-one-key': {
    title: 'If two reads have the same `Idempotency-Key`, the second read returns a change that was made in between.',
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
  'retries.with-a-key-belong-to-one-customer': {
    title:
      'The same addProduct request with the same `Idempotency-Key` takes effect for two customers, and a repeat for either changes nothing.',
    requirements: ['RETRY-11', 'RETRY-5'],
    needs: ['listProducts', 'getSubscription', 'addProduct', 'undoAddProduct'],
    requires: ['retries'],
    async run(t) {
      const start = await arrange(t)
      const product_id = start.newProduct().id
      const headers = { 'Idempotency-Key': crypto.randomUUID() }
      const emails = [start.email, customerOf(t, 'otherCustomer')]
      const before = await Promise.all(emails.map((email) => readSubscription(t, email)))
      for (const requirement of ['RETRY-11', 'RETRY-5'] as const) {
        for (const email of emails)
          t.accepted(await t.call('addProduct', { email, product_id }, { headers }), requirement)
        for (const [index, email] of emails.entries()) {
          const units = unitsOf(await readSubscription(t, email))
          t.equal(units, unitsOf(before[index] ?? (await readSubscription(t, email))) + 1, 'total units', requirement)
        }
      }
      for (const email of emails) await undoAdd(t, email, product_id)
    },
  },
})

export const checks: readonly Check[] = [...reads, ...repeats, ...named, ...generalChecks]

/** Returns a different customer with an active subscription. */
function differentCustomer(t: CheckContext, email: string): string {
  const otherCustomer = customerOf(t, 'otherCustomer')
  return email === otherCustomer ? customerOf(t, 'subscribed') : otherCustomer
}
