import { addDays, endpoints } from '@storeport/core'
import { type Check, type CheckContext, define, onTheWire } from '../engine/check.ts'
import { about, type Requirements } from '../engine/requirement.ts'
import { withQuery } from '../http/plain-http.ts'
import { arrange, perform, readSubscription, snapshot, swapLine } from '../steps/customers.ts'
import { makeAnotherCurrent, undoAll } from '../steps/changes.ts'
import { callHarmless, harmlessTarget, json, offeredOf } from '../steps/inputs.ts'

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

/** Endpoints of `state.stays-the-same-apart-from-the-change`. */
const changing = [
  'listProducts',
  'getSubscription',
  'addProduct',
  'undoAddProduct',
  'swapProduct',
  'delaySubscription',
] as const

export const checks: readonly Check[] = define(onTheWire, {
  'state.is-not-changed-by-reads': {
    title: 'GET and HEAD change nothing, even if they are repeated.',
    requirements: ['STATE-1'],
    async run(t) {
      const { subscribed, cancelled, otherCustomer } = t.profile.customers
      const customers = [subscribed, cancelled, otherCustomer].filter((email) => email !== undefined)
      const before = await Promise.all(customers.map((email) => snapshot(t, email)))
      for (const name of offeredOf(t, 'query')) {
        for (const email of customers) {
          await callHarmless(t, name, { email })
          await t.send({ method: 'HEAD', path: withQuery(endpoints[name].path, { email }) })
        }
        await t.send({ path: harmlessTarget(t, name) })
      }
      const after = await Promise.all(customers.map((email) => snapshot(t, email)))
      t.equal(after, before, "the customers' data")
    },
  },
  'state.is-not-changed-by-rejected-requests': {
    title:
      'A request changes nothing if a field is invalid, the key is missing, or the method or content type is not allowed.',
    requirements: ['STATE-2'],
    mode: 'write',
    needs: ['getSubscription', 'listProducts'],
    async run(t) {
      const start = await arrange(t)
      const { email } = start
      const before = await snapshot(t, email)
      const { item } = start.ownedProduct()
      const product_id = start.newProduct().id
      const later = addDays(start.before.next_billing_date, 1)
      const valid = {
        addProduct: { email, product_id },
        undoAddProduct: { email, product_id },
        sendNow: { email },
        delaySubscription: { email, new_date: later },
        swapProduct: { email, current_item_id: item.id, new_product_id: product_id },
        runCustomAction: { email, action_id: t.profile.actions.known ?? 'x' },
      }
      for (const [name, input] of Object.entries(valid)) {
        const endpoint = t.offered.find((offered) => offered === name)
        if (endpoint === undefined) continue
        const { path } = endpoints[endpoint]
        const body = JSON.stringify(input)
        t.rejected(await t.call(endpoint, input, { key: null }), 'unauthorized')
        t.rejected(await t.call(endpoint, { ...input, email: [email] }), 'invalid_request')
        t.rejected(await t.send({ method: 'PUT', path, headers: json, body }), 'method_not_allowed')
        t.rejected(await t.send({ method: 'POST', path: `${path}/`, headers: json, body }), 'endpoint_not_found')
        const text = { 'Content-Type': 'text/plain' }
        t.rejected(await t.send({ method: 'POST', path, headers: text, body }), 'unsupported_media_type')
        t.rejected(await t.send({ method: 'POST', path, headers: json, body: `${body}x` }), 'invalid_request')
        t.rejected(await t.send({ path: withQuery(path, input) }), 'method_not_allowed')
      }
      for (const quantity of ['2', 0, -1, 1.5]) {
        if (!t.offered.includes('addProduct')) break
        t.rejected(await t.call('addProduct', { email, product_id, quantity }), 'invalid_request')
      }
      t.equal(await snapshot(t, email), before, "the customer's data")
    },
  },
  // The engine compares the visible data of all test customers before and after each change.
  'state.stays-the-same-apart-from-the-change': {
    title:
      'An add, an undo, a swap and a delay change nothing else, for this customer and for all other test customers.',
    requirements: ['FRAME-1', 'FRAME-2', 'ITEM-4', 'CANCELLED-3', 'STATE-2', 'CUSTOMER-2'],
    mode: 'write',
    layer: 'shop',
    needs: changing,
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
    title: 'The custom action of the profile changes no lines, dates or cancelled subscriptions.',
    requirements: ['FRAME-3', 'CUSTOMER-2'],
    mode: 'write',
    layer: 'shop',
    needs: ['runCustomAction', 'getSubscription'],
    async run(t) {
      const action_id = t.need(t.profile.actions.known, 'actions.known')
      const { unknown: _, ...customers } = t.profile.customers
      for (const email of Object.values(customers)) {
        if (email !== undefined) await perform(t, 'runCustomAction', { email, action_id }, 'ACTION-1')
      }
    },
  },
})

/** Sends an add that the shop may reject, and undoes the add if the shop accepts it. */
async function callAndUndo(t: CheckContext, input: Readonly<Record<string, unknown>>): Promise<void> {
  const { status } = await t.call('addProduct', input)
  if (status === 200) await undoAll(t, String(input['email']), [String(input['product_id'])])
}
