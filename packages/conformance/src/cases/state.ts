import { addDays, type EndpointName, endpoints } from '@storeport/core'
import { type Check, type CheckContext, define, onceInAShop, onTheWire } from '../engine/check.ts'
import { about, type Requirements } from '../engine/requirement.ts'
import { withQuery } from '../http/plain-http.ts'
import {
  arrange,
  emailsOf,
  findSubscription,
  perform,
  readCancelled,
  readSubscription,
  snapshot,
  swapLine,
} from '../shop/customers.ts'
import { makeAnotherCurrent, undoAll } from '../shop/changes.ts'
import { callHarmless, harmlessTarget, json, offeredOf } from '../shop/inputs.ts'

const { should, changesMore } = about('changes')

export const requirements: Requirements = {
  'STATE-1': should(
    'GET and HEAD never change anything.',
    'A read creates missing records, increments counters or updates dates.',
  ),
  'STATE-2': changesMore(
    'A rejected request changes nothing.',
    'Changes are stored before the validation is complete, outside a transaction.',
  ),
  'FRAME-1': changesMore(
    "A change applies only to what it names: one line, one date or one subscription. The customer's other lines, dates and subscriptions stay the same.",
    'The whole account is written from an incomplete copy, or a statement lacks a condition.',
  ),
  'FRAME-2': should(
    'A change affects the shipping cost, the discount and the tax rate of the next order only through its lines or its discount code.',
    'The totals are not stored with the subscription, or a discount code of an earlier request is still set.',
  ),
  'FRAME-3': should(
    'The custom action that the profile lists as `actions.known` changes no subscription.',
    'The action writes the whole account.',
  ),
}

const needs = ['listProducts', 'getSubscription', 'addProduct', 'undoAddProduct', 'delaySubscription'] as const

const ofAllStores = define(onTheWire, requirements, {
  'state.is-not-changed-by-reads': {
    requirements: ['STATE-1'],
    async run(t) {
      const { subscribed, cancelled, otherCustomer } = t.profile.customers
      const customers = [subscribed, cancelled, otherCustomer].filter((email) => email !== undefined)
      const read = () => Promise.all(customers.map((email) => snapshot(t, email)))
      const before = await read()
      for (const name of offeredOf(t, 'query')) {
        for (const email of customers) {
          await callHarmless(t, name, { email })
          await t.send({ method: 'HEAD', path: withQuery(endpoints[name].path, { email }) })
        }
        await t.send({ path: harmlessTarget(t, name) })
      }
      t.equal(await read(), before, "the customers' data")
    },
  },
  'state.is-not-changed-by-rejected-requests': {
    requirements: ['STATE-2'],
    mode: 'write',
    needs: ['getSubscription', 'listProducts'],
    async run(t) {
      const { email, before: current, newProduct, ownedProduct } = await arrange(t)
      const before = await snapshot(t, email)
      const product_id = newProduct().id
      const valid: Readonly<Partial<Record<EndpointName, object>>> = {
        addProduct: { email, product_id },
        undoAddProduct: { email, product_id },
        sendNow: { email },
        delaySubscription: { email, new_date: addDays(current.next_billing_date, 1) },
        swapProduct: { email, current_item_id: ownedProduct().item.id, new_product_id: product_id },
        runCustomAction: { email, action_id: t.profile.actions.known ?? 'x' },
      }
      for (const name of t.offered) {
        const input = valid[name]
        if (input === undefined) continue
        const { path } = endpoints[name]
        const body = JSON.stringify(input)
        const text = { 'Content-Type': 'text/plain' }
        t.rejected(await t.call(name, { ...input }, { key: null }), 'unauthorized')
        t.rejected(await t.call(name, { ...input, email: [email] }), 'invalid_request')
        t.rejected(await t.send({ method: 'PUT', path, headers: json, body }), 'method_not_allowed')
        t.rejected(await t.send({ method: 'POST', path: `${path}/`, headers: json, body }), 'endpoint_not_found')
        t.rejected(await t.send({ method: 'POST', path, headers: text, body }), 'unsupported_media_type')
        t.rejected(await t.send({ method: 'POST', path, headers: json, body: `${body}x` }), 'invalid_request')
        t.rejected(await t.send({ path: withQuery(path, input) }), 'method_not_allowed')
      }
      for (const quantity of t.offered.includes('addProduct') ? ['2', 0, -1, 1.5] : [])
        t.rejected(await t.call('addProduct', { email, product_id, quantity }), 'invalid_request')
      t.equal(await snapshot(t, email), before, "the customer's data")
    },
  },
})

// The engine compares the visible data of all test customers before and after each change.
const ofEachStore = define(onceInAShop, requirements, {
  'state.stays-the-same-apart-from-the-change': {
    title:
      'An add, an undo, a swap and a delay change nothing else, for this customer and for all other test customers.',
    requirements: ['FRAME-1', 'FRAME-2', 'ITEM-4', 'CANCELLED-3', 'STATE-2', 'CUSTOMER-2'],
    needs: [...needs, 'swapProduct'],
    async run(t) {
      const { email, newProduct, ownedProduct } = await arrange(t)
      const product_id = newProduct().id
      const { item, place, product } = ownedProduct()
      const { percentage, unknown, expired } = t.profile.discounts
      const { available } = t.profile.products.listed.find(({ id }) => id === product_id) ?? {}
      for (const more of [{}, { one_time: true }, { discount_code: percentage?.code }, { quantity: 2 }]) {
        await perform(t, 'addProduct', { email, product_id, ...more }, 'ADD-1')
        // The responses are verified by other checks.
        for (const discount_code of [unknown, expired].filter((code) => code !== undefined))
          await callAndUndo(t, { email, product_id, ...more, discount_code })
        if (available === undefined) await callAndUndo(t, { email, product_id, quantity: t.profile.maxQuantity })
        await undoAll(t, email, [product_id])
      }
      await swapLine(t, email, item, newProduct())
      await swapLine(t, email, (await readSubscription(t, email)).items[place], product)
      // The first call reads the second subscription. The second call makes the first subscription current again.
      await makeAnotherCurrent(t)
      if (t.farDates) await makeAnotherCurrent(t)
    },
  },
  'runCustomAction.changes-no-subscription': {
    requirements: ['FRAME-3', 'CUSTOMER-2'],
    needs: ['runCustomAction', 'getSubscription'],
    async run(t) {
      const action_id = t.need(t.profile.actions.known, 'actions.known')
      for (const email of emailsOf(t)) await perform(t, 'runCustomAction', { email, action_id }, 'ACTION-1')
    },
  },
  'testMode.changes-nothing-in-the-real-store': {
    title: 'An addition, an undo, a swap, an order and a reactivation in test mode change nothing in the real store.',
    requirements: ['TEST-1'],
    needs,
    async run(t) {
      const { email, newProduct, ownedProduct } = await arrange(t)
      const { item } = ownedProduct()
      const product_id = newProduct().id
      const headers = { [t.names.testModeHeader]: 'true' }
      const expectUnchanged = async (name: EndpointName, input: Readonly<Record<string, unknown>>) => {
        if (!t.offered.includes(name)) return
        const customer = String(input['email'])
        const before = await snapshot(t, customer)
        const reply = await t.call(name, input, { headers })
        t.equal(await snapshot(t, customer), before, "the customer's data in the real store", reply)
      }
      await expectUnchanged('addProduct', { email, product_id })
      await expectUnchanged('swapProduct', { email, current_item_id: item.id, new_product_id: product_id })
      await perform(t, 'addProduct', { email, product_id, quantity: 2 }, 'ADD-1')
      await expectUnchanged('undoAddProduct', { email, product_id })
      await undoAll(t, email, [product_id])
      const { cancelled, otherCustomer } = t.profile.customers
      if (otherCustomer !== undefined && (await findSubscription(t, otherCustomer)) !== undefined)
        await expectUnchanged('sendNow', { email: otherCustomer })
      if (cancelled === undefined || !t.offered.includes('listCancelledSubscriptions')) return
      for (const { subscription_id } of (await readCancelled(t, cancelled)).slice(0, 1))
        await expectUnchanged('reactivateSubscription', { email: cancelled, subscription_id })
    },
  },
})

export const checks: readonly Check[] = [...ofAllStores, ...ofEachStore]

/** Sends an add that the shop may reject, and undoes the add if the shop accepts it. */
async function callAndUndo(t: CheckContext, input: Readonly<Record<string, unknown>>): Promise<void> {
  const { status } = await t.call('addProduct', input)
  if (status === 200) await undoAll(t, String(input['email']), [String(input['product_id'])])
}
