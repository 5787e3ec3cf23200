import type { EndpointName } from '@storeport/core'
import { activateAnother } from '../endpoints/reactivate-subscription.ts'
import { type Check, type CheckContext, define, defineEach, onceInAShop } from '../engine/check.ts'
import { errorCodeOf } from '../engine/expectations.ts'
import { about, type RequirementId, type Requirements } from '../engine/requirement.ts'
import {
  arrange,
  customerOf,
  expectDone,
  quantitiesOf,
  readProducts,
  readSubscription,
  snapshot,
} from '../shop/customers.ts'
import { arrangeChange, changeNeeds, makeOtherChange } from '../shop/changes.ts'
import { fieldsOf, postNames } from '../shop/inputs.ts'
import { burstClick, forEachForm, named, repeatClick, trialsWanted } from '../shop/repeats.ts'

const { countsTwice, should } = about('retries')

export const requirements: Requirements = {
  'RETRY-12': countsTwice(
    'A repeated request takes effect once, even if another customer made a change in between.',
    "Only the shop's most recent request is stored.",
  ),
  'RETRY-13': should('An `Idempotency-Key` on a GET has no effect.', 'All responses are stored under their key.'),
  'RETRY-14': countsTwice(
    'If several requests with the same `Idempotency-Key` arrive concurrently, only one takes effect. The other requests return the same response or 409 `request_in_progress`.',
    'The key is checked first and stored later, so several requests find the key unused.',
  ),
}

/** Endpoints whose own checks repeat a click, because the test data allows only few successful requests. */
const repeatedElsewhere: readonly EndpointName[] = ['sendNow', 'reactivateSubscription']

/** Returns whether an endpoint has a field besides the customer, so that two requests of a customer can differ. */
const hasOther = (name: EndpointName) => fieldsOf(name).length > 1

const ofEachPost = defineEach(postNames, { ...onceInAShop, requires: ['retries'] }, requirements, (name) => ({
  ...(!repeatedElsewhere.includes(name) && {
    'runs-a-repeat-once': {
      title: `A request that is sent three times within 2 ms, and again after a change by another customer, takes effect once. Each response has status 200.`,
      requirements: ['RETRY-1', 'RETRY-4', 'RETRY-12'] as const,
      needs: changeNeeds(name),
      run: (t: CheckContext) => runOnce(t, name, false),
    },
  }),
  'runs-once-with-a-key': {
    title: `With one \`Idempotency-Key\`, a request takes effect once. A rejection does not use up the key.${hasOther(name) ? ' A different request with this key is rejected.' : ''}`,
    requirements: [
      'RETRY-5',
      'RETRY-9',
      'RETRY-14',
      ...(hasOther(name) ? (['RETRY-6'] as const) : []),
      ...(name === 'reactivateSubscription' ? (['SEND-3'] as const) : []),
    ],
    needs: changeNeeds(name),
    run: (t) => runOnce(t, name, true),
  },
}))

/** Sends a click three times, and again after other changes. Expects one effect. */
async function runOnce(t: CheckContext, name: EndpointName, hasKey: boolean): Promise<void> {
  const hasOrder = hasKey && name === 'reactivateSubscription' && (await hasOrderToday(t))
  const { input, refused, other, restore } = await arrangeChange(t, name)
  const email = String(input['email'])
  const { headers } = hasKey ? named() : { headers: undefined }
  if (hasKey) {
    t.ok((await t.call(name, refused, { headers })).status >= 400, 'a rejection', 'RETRY-9')
    t.rejected(await t.call(name, { ...input, email: [] }, { headers }), 'invalid_request', 'RETRY-9')
    t.rejected(await t.call(name, input, { headers, key: null }), 'unauthorized', 'RETRY-9')
  }
  await burstClick(t, name, input, hasKey ? 'RETRY-9' : 'RETRY-1', headers)
  const after = await snapshot(t, email)
  const { subscribed = email, otherCustomer } = t.profile.customers
  const different = email === otherCustomer ? subscribed : customerOf(t, 'otherCustomer')
  // Without a key, the request takes effect again after another change by the same customer.
  for (const customer of [hasKey ? email : undefined, different]) {
    if (customer !== undefined) await makeOtherChange(t, customer)
    const requirement = hasKey ? 'RETRY-5' : customer === undefined ? 'RETRY-1' : 'RETRY-12'
    const again = await t.call(name, input, { headers })
    t.accepted(again, requirement)
    t.equal(await snapshot(t, email), after, "the customer's data", again, requirement)
  }
  if (hasKey && hasOther(name)) {
    t.rejected(await t.call(name, other, { headers }), 'idempotency_key_reused', 'RETRY-6')
    t.equal(await snapshot(t, email), after, "the customer's data", 'RETRY-6')
  }
  if (hasOrder) t.rejected(await t.call('sendNow', { email }), 'order_already_processing', 'SEND-3')
  await restore()
}

/** Orders for `customers.cancelled`, unless an earlier check did. Returns whether the customer has an order today. */
async function hasOrderToday(t: CheckContext): Promise<boolean> {
  if (!t.offered.includes('sendNow')) return false
  const email = customerOf(t, 'cancelled')
  await activateAnother(t, email)
  const reply = await t.call('sendNow', { email })
  return reply.status === 200 || errorCodeOf(reply) === 'order_already_processing'
}

const needs = ['listProducts', 'getSubscription', 'addProduct', 'undoAddProduct'] as const

const title = (clicks: string, effect = '') =>
  `${clicks} request that is sent twice takes effect once${effect}. The repeat is concurrent, 2 ms later or after the response, with and without an \`Idempotency-Key\`.`

const all = ['RETRY-4', 'RETRY-1', 'RETRY-5', 'RETRY-14'] as const

/** Checks that repeat clicks many times, in every form of a duplicate click. */
const inEveryForm = define({ ...onceInAShop, needs, requires: ['retries'] }, requirements, {
  'addProduct.counts-each-click-once': {
    title: title('An addProduct or undoAddProduct'),
    requirements: [...all, 'UNDO-2'],
    async run(t) {
      const { email, before, newProduct, expectUnits } = await arrange(t)
      const { id: product_id } = newProduct()
      const available = t.profile.products.listed.find(({ id }) => id === product_id)?.available ?? Infinity
      // If a click takes effect twice, the customer has one unit from the first request and `most` units from each of
      // two requests.
      const most = Math.min(4, Math.floor((available - 1) / 2))
      if (most < 1) t.skip(`the profile allows only ${available} units of ${product_id}`)
      // Adds one unit first: an undo that takes effect twice would also undo this addition.
      t.accepted(await t.call('addProduct', { email, product_id }, named()), 'ADD-1')
      await forEachForm(async (form, trial) => {
        const quantity = most === 1 ? 1 : 2 + (trial % (most - 1))
        await repeatClick(t, 'addProduct', { email, product_id, quantity }, form)
        const when = ` after a click that was sent twice ${form.name}`
        await expectUnits(1 + quantity, form.requirement, when)
        await repeatClick(t, 'undoAddProduct', { email, product_id }, form)
        await expectUnits(1, form.requirement, when)
      })
      t.accepted(await t.call('undoAddProduct', { email, product_id }, named()), 'UNDO-1')
      t.equal(await readSubscription(t, email), before, 'the subscription', 'UNDO-2')
    },
  },
  'swapProduct.counts-each-click-once': {
    title: title('A swapProduct'),
    requirements: [...all, 'SWAP-1'],
    needs: ['listProducts', 'getSubscription', 'swapProduct'],
    async run(t) {
      const { email, before, newProduct, ownedProduct } = await arrange(t)
      const { item, place, product } = ownedProduct()
      const target = newProduct()
      await forEachForm(async (form) => {
        for (const { id, title: name } of [target, product]) {
          const { items } = await readSubscription(t, email)
          await repeatClick(t, 'swapProduct', { email, current_item_id: items[place]?.id, new_product_id: id }, form)
          const lines = quantitiesOf((await readSubscription(t, email)).items)
          const expected = quantitiesOf(before.items.with(place, { ...item, title: name }))
          t.equal(lines, expected, `the lines after a swap that was sent twice ${form.name}`, form.requirement)
        }
      }, trialsWanted / 2)
    },
  },
  // Only undos show how often a click took effect in a shop without getSubscription.
  'undoAddProduct.counts-each-click-once': {
    title: title('An addProduct or undoAddProduct', ': the number of successful undos equals the number of additions'),
    requirements: [...all, 'UNDO-1', 'UNDO-3', 'JSON-2'],
    needs: ['listProducts', 'addProduct', 'undoAddProduct'],
    without: ['getSubscription'],
    async run(t) {
      const { subscribed, empty } = t.profile.customers
      const email = t.need(subscribed ?? empty, 'customers.subscribed')
      const scarce = t.profile.products.listed.filter(({ available = 4 }) => available < 4).map(({ id }) => id)
      const [product, other] = (await readProducts(t)).filter(({ id }) => !scarce.includes(id))
      if (product === undefined) return t.skipUsed('no listed product has 4 available units')
      const input = { email, product_id: product.id }
      const send = (name: EndpointName, { id } = product) => t.call(name, { email, product_id: id }, named())
      /** Separates equal requests, which a shop that ignores keys treats as repeats. */
      const separate = async () => {
        if (other === undefined) return
        t.accepted(await send('addProduct', other), 'ADD-1')
        t.accepted(await send('undoAddProduct', other), 'UNDO-1')
      }
      /** Undoes all additions of the product, and expects their number, if known. An undo that is rejected too early fails `early`. */
      const expectAdditions = async (count: number | undefined, requirement: RequirementId, early: RequirementId) => {
        for (let undone = 0; ; undone++) {
          await separate()
          const reply = await send('undoAddProduct')
          const isEnd = count === undefined ? undone === 5 || (undone > 0 && reply.status !== 200) : undone === count
          if (isEnd) return t.rejected(reply, 'product_not_in_order', requirement)
          expectDone(t, reply, early)
        }
      }
      // Earlier checks may have left additions.
      t.accepted(await send('addProduct'), 'ADD-1')
      await expectAdditions(undefined, 'UNDO-3', 'UNDO-1')
      await forEachForm(async (form, trial) => {
        await repeatClick(t, 'addProduct', { ...input, quantity: 1 + (trial % 2) }, form)
        await expectAdditions(1, form.requirement, 'UNDO-1')
        t.accepted(await send('addProduct'), 'ADD-1')
        await separate()
        t.accepted(await send('addProduct'), 'ADD-1')
        await repeatClick(t, 'undoAddProduct', input, form)
        await expectAdditions(1, form.requirement, form.requirement)
      })
    },
  },
})

export const checks: readonly Check[] = [...ofEachPost, ...inEveryForm]
