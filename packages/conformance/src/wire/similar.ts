import { type EndpointName, endpointNames, endpoints } from '@storeport/core'
import { type Check, type Common, define, defineEach } from '../engine/check.ts'
import type { RequirementId } from '../engine/requirement.ts'
import { effectiveInput, effectiveNeeds } from '../shop/changes.ts'
import { customerOf, perform } from '../shop/customers.ts'
import { fieldsOf, idFieldsOf, idNames, sendable } from '../shop/inputs.ts'
import { similarDates, similarEmails, similarIds } from '../shop/variants.ts'
import { expectNoMatch } from './errors.ts'

const common: Common = { mode: 'write', layer: 'shop', needs: [] }

/** Names of parameters that a framework may convert to `email`. */
const similarNames = ['[]', '[0]', '[$ne]', '[email]', '%5B%5D', '.0', '%20'].map((end) => `email${end}`)

const ofEmails = defineEach(withEmail(), common, (name) => ({
  [`${name}.finds-customers-only-by-the-complete-address`]: {
    title: `${name} rejects strings that differ from a customer's email address by one mutation, such as a wildcard, a confusable letter or a control character.`,
    // listProducts returns the general list for an unknown customer, so a shop without test customers can omit this check.
    requirements: [matchOf(name), 'ERROR-5', 'ERROR-4', 'PRIVACY-1'],
    needs: needsOf(name),
    async run(t) {
      const input = await effectiveInput(t, name)
      if (name === 'undoAddProduct') await perform(t, 'addProduct', input, 'ADD-1')
      const email = String(input['email'] ?? customerOf(t, 'subscribed'))
      const general = name === 'listProducts' ? (await t.call(name)).text : undefined
      const isGet = endpoints[name].method === 'GET'
      const objects = isGet ? [] : [[email], [[email]], { email }, { $ne: null }, { $regex: '.*' }, true, 0, {}]
      for (const value of [...similarEmails(email, t.profile.customers.unknown), ...objects]) {
        const sent = typeof value === 'string' ? sendable(name, value) : value
        expectNoMatch(t, await t.call(name, { ...input, email: sent }), value, matchOf(name), general)
      }
      for (const field of isGet ? similarNames : []) {
        const reply = await t.send({ path: `${endpoints[name].path}?${field}=${encodeURIComponent(email)}` })
        expectNoMatch(t, reply, '', 'ODD-4', general)
      }
      if (name === 'undoAddProduct') await perform(t, name, input, 'UNDO-1')
    },
  },
}))

const ofIds = defineEach(idNames, common, (name) => ({
  [`${name}.finds-records-only-by-the-exact-id`]: {
    title: `${name} rejects strings that differ from an id by one mutation, such as letter case, a wildcard, a confusable letter or an encoded letter.`,
    requirements: ['ODD-1', 'ERROR-5', 'ERROR-4', 'PRIVACY-1'],
    needs: needsOf(name),
    async run(t) {
      const { percentage } = t.profile.discounts
      const input = { ...(await effectiveInput(t, name)), ...(percentage && { discount_code: percentage.code }) }
      if (name === 'undoAddProduct') await perform(t, 'addProduct', input, 'ADD-1')
      const sent = Object.entries(input).filter(([field]) => fieldsOf(name).some(([known]) => known === field))
      for (const field of idFieldsOf(name)) {
        const id = sent.find(([known]) => known === field)?.[1]
        if (typeof id !== 'string') continue
        // Codes are case-insensitive, and white space around a code is ignored.
        const isSame = (other: string) =>
          field === 'discount_code' && other.trim().toLowerCase() === id.trim().toLowerCase()
        for (const other of similarIds(id).filter((one) => !isSame(one))) {
          const reply = await t.call(name, { ...Object.fromEntries(sent), [field]: sendable(name, other) })
          expectNoMatch(t, reply, other, 'ODD-1')
        }
        if (endpoints[name].method !== 'GET') continue
        const path = `${endpoints[name].path}?${field}=${encodeURIComponent(id)}`
        // A value that is decoded twice ends with a space, which is ignored.
        expectNoMatch(t, await t.send({ path: `${path}%2520` }), '', 'ODD-1')
      }
      if (name === 'undoAddProduct') await perform(t, name, input, 'UNDO-1')
    },
  },
}))

const ofDates = define(common, {
  'delaySubscription.rejects-similar-dates': {
    title:
      'For an existing customer, delaySubscription rejects values that are similar to a date in the form `YYYY-MM-DD`.',
    requirements: ['DATE-1', 'ERROR-5', 'ERROR-4', 'PRIVACY-1'],
    needs: effectiveNeeds('delaySubscription'),
    async run(t) {
      const input = await effectiveInput(t, 'delaySubscription')
      for (const new_date of similarDates(String(input['new_date'])))
        expectNoMatch(t, await t.call('delaySubscription', { ...input, new_date }), new_date, 'DATE-1')
    },
  },
})

/** Checks of values that are similar to a value that exists. */
export const checks: readonly Check[] = [...ofEmails, ...ofIds, ...ofDates]

/** Returns the endpoints of a check. An undo finds a record only if the customer added the product. */
function needsOf(name: EndpointName): readonly EndpointName[] {
  return name === 'undoAddProduct' ? [...effectiveNeeds(name), 'addProduct'] : effectiveNeeds(name)
}

/** Returns the requirement that an endpoint finds customers only by the complete email address. */
function matchOf(name: EndpointName): RequirementId {
  return name === 'listProducts' ? 'ODD-1' : 'CUSTOMER-3'
}

function withEmail(): readonly EndpointName[] {
  return endpointNames.filter((name) => fieldsOf(name).some(([field]) => field === 'email'))
}
