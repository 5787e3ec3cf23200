import { addDays, endpoints } from '@storeport/core'
import { type Check, define, onTheWire } from '../engine/check.ts'
import { about, type Requirements } from '../engine/requirement.ts'
import { withQuery } from '../http/plain-http.ts'
import { arrange, snapshot } from '../steps/customers.ts'
import { callHarmless, harmlessTarget, json, offeredOf } from '../steps/inputs.ts'

const { should } = about('changes')

export const requirements: Requirements = {
  'STATE-1': should(
    'GET and HEAD never change anything.',
    'A read creates missing records, increments counters or updates dates.',
  ),
  'STATE-2': should(
    'A rejected request changes nothing.',
    'Changes are stored before the validation is complete, outside a transaction.',
  ),
}

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
})
