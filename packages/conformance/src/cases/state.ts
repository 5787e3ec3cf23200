import { addDays, type EndpointName, endpoints } from '@storeport/core'
import { type Check, define, onceInAShop, onTheWire, tests } from '../engine/check.ts'
import { about, type Requirements } from '../engine/requirement.ts'
import { withQuery } from '../http/plain-http.ts'
import { add, example, otherChange, swapTo, undo } from '../endpoints/examples.ts'
import { arrange, emailsOf, perform, snapshot } from '../shop/customers.ts'
import { callHarmless, harmlessTarget, json, offeredOf } from '../shop/inputs.ts'

const { should, changesMore } = about('changes')

export const requirements: Requirements = {
  'STATE-1': should('GET and HEAD never change anything.', 'A read creates records, or updates counters or dates.'),
  'STATE-2': changesMore('A rejected request changes nothing.', 'Changes are stored before the validation is done.'),
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
  'state.is-not-changed-by-reads': tests(['STATE-1'], async (t) => {
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
  }),
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
      t.equal(await snapshot(t, email), before, "the customer's data")
    },
  },
})

// The engine compares the visible data of all test customers before and after each change.
const ofEachStore = define(onceInAShop, requirements, {
  'state.stays-the-same-apart-from-the-change': {
    title: 'An add, an undo and a swap change nothing else, for this customer and for all other test customers.',
    requirements: ['FRAME-1', 'FRAME-2', 'ITEM-4', 'CANCELLED-3', 'STATE-2', 'CUSTOMER-2'],
    needs: [...needs, 'swapProduct'],
    run: example(({ profile }) => [
      add('fresh', { discount_code: profile.discounts.percentage?.code }),
      undo('fresh'),
      otherChange,
      add('fresh', { quantity: 2 }),
      undo('fresh'),
      add('fresh', { one_time: true }),
      undo('fresh'),
      swapTo('owned', 'fresh'),
      swapTo('fresh', 'owned'),
    ]),
  },
  'runCustomAction.changes-no-subscription': {
    requirements: ['FRAME-3', 'CUSTOMER-2'],
    needs: ['runCustomAction', 'getSubscription'],
    async run(t) {
      const action_id = t.need(t.profile.actions.known, 'actions.known')
      for (const email of emailsOf(t)) await perform(t, 'runCustomAction', { email, action_id }, 'ACTION-1')
    },
  },
})

export const checks: readonly Check[] = [...ofAllStores, ...ofEachStore]
