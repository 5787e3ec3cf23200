import type { EndpointName, ErrorCode } from '@storeport/core'
import { type Check, type CheckContext, type Common, define } from '../engine/check.ts'
import { about, type Requirements } from '../engine/requirement.ts'
import {
  arrange,
  customerOf,
  findSubscription,
  perform,
  readCancelled,
  readSubscription,
  snapshot,
  undoAdd,
} from '../shop/customers.ts'
import { makeOtherChange } from '../shop/changes.ts'

const { should, showsOthers } = about('customers')

export const requirements: Requirements = {
  'CUSTOMER-1': should(
    'A request for an unknown customer returns 404 `customer_not_found`, before any ids are checked.',
    'The ids are looked up before the customer, or the customer is not looked up at all.',
  ),
  'CUSTOMER-2': showsOthers(
    "A request for one customer never reads or changes another customer's data, regardless of the ids in the request.",
    'A record is looked up by its id only, or stored in a variable that all requests share.',
  ),
  'CUSTOMER-3': showsOthers(
    'Lookups match the complete email address. A wildcard or partial address matches no customer.',
    'The address is used in a `LIKE` condition or a text search instead of an equality comparison.',
  ),
}

type Input = Readonly<Record<string, unknown>>

/** Requests of one customer with ids of `other`, each with the same request with an id that does not exist. */
interface Foreign {
  readonly email: string
  readonly other: string
  readonly pairs: readonly { readonly foreign: Input; readonly absent: Input }[]
  /** Creates the record of the other customer, after the requests with an id that does not exist. */
  readonly prepare?: () => Promise<void>
  readonly restore?: () => Promise<void>
}

const common: Common = { mode: 'write', layer: 'shop', needs: ['swapProduct', 'getSubscription', 'listProducts'] }

export const checks: readonly Check[] = define(common, {
  'customers.see-only-their-own-data': {
    title:
      'No cancelled subscription is listed for two customers. No subscription is returned for a customer without subscriptions.',
    requirements: ['CUSTOMER-2'],
    mode: 'read-only',
    needs: ['getSubscription', 'listCancelledSubscriptions'],
    async run(t) {
      const { unknown, empty = unknown } = t.profile.customers
      const listed: string[] = []
      for (const name of ['subscribed', 'otherCustomer', 'cancelled'] as const) {
        const email = customerOf(t, name)
        await findSubscription(t, email)
        listed.push(...(await readCancelled(t, email)).map(({ subscription_id }) => subscription_id))
        for (const stranger of new Set([empty, unknown])) {
          const current = await findSubscription(t, stranger)
          t.equal(current, undefined, 'the subscription of a customer without subscriptions')
          const list = await t.call('listCancelledSubscriptions', { email: stranger })
          const shown = list.status === 200 ? await readCancelled(t, stranger) : []
          t.equal(shown, [], 'the cancelled subscriptions of a customer without subscriptions', list)
        }
      }
      t.equal(new Set(listed).size, listed.length, 'the number of subscription ids')
    },
  },
  'swapProduct.finds-no-item-of-another-customer': {
    title:
      "A swap of another customer's item returns the same 404 `item_not_found` as an item that does not exist, and changes neither customer's data.",
    requirements: ['CUSTOMER-2', 'SWAP-3', 'PRIVACY-2'],
    run: (t) =>
      expectNothingFound(t, 'swapProduct', 'item_not_found', async () => {
        const [email, other] = [customerOf(t, 'subscribed'), customerOf(t, 'otherCustomer')]
        // The shop must not treat a swap as a repeat of an earlier swap.
        if (t.offered.includes('delaySubscription')) await makeOtherChange(t, email)
        const { before, newProduct } = await arrange(t, email)
        const swap = { email, new_product_id: newProduct().id }
        const ids = (await readSubscription(t, other)).items.map(({ id }) => id)
        const foreign = ids.filter((id) => !before.items.some((item) => item.id === id))
        if (foreign.length === 0) t.skip('both customers have items with the same ids')
        const absent = { ...swap, current_item_id: 'no-such-item' }
        return { email, other, pairs: foreign.map((id) => ({ foreign: { ...swap, current_item_id: id }, absent })) }
      }),
  },
  'reactivateSubscription.finds-no-subscription-of-another-customer': {
    title:
      "Reactivating another customer's subscription, cancelled or active, returns the same 404 `subscription_not_found` as a subscription that does not exist, and changes neither customer's data.",
    requirements: ['CUSTOMER-2', 'REACTIVATE-3', 'PRIVACY-2'],
    needs: ['reactivateSubscription', 'listCancelledSubscriptions'],
    run: (t) =>
      expectNothingFound(t, 'reactivateSubscription', 'subscription_not_found', async () => {
        const [email, other] = [customerOf(t, 'cancelled'), customerOf(t, 'otherCustomer')]
        const { active, unknown } = t.profile.subscriptions
        const ids = (await readCancelled(t, other)).map(({ subscription_id }) => subscription_id)
        if (ids.length === 0) t.skipUsed('no cancelled subscription is left', 'reactivateSubscription')
        const inputOf = (subscription_id: string) => ({ email, subscription_id })
        const foreign = active === undefined ? ids : [...ids, active]
        return { email, other, pairs: foreign.map((id) => ({ foreign: inputOf(id), absent: inputOf(unknown) })) }
      }),
  },
  'undoAddProduct.finds-no-add-of-another-customer': {
    title:
      'An undo of a product that another customer added returns the same 404 `product_not_in_order` as a product that was never added, and does not remove the product.',
    requirements: ['CUSTOMER-2', 'UNDO-3', 'PRIVACY-2'],
    needs: ['addProduct', 'undoAddProduct', 'getSubscription', 'delaySubscription', 'listProducts'],
    run: (t) =>
      expectNothingFound(t, 'undoAddProduct', 'product_not_in_order', async () => {
        const [email, other] = [customerOf(t, 'subscribed'), customerOf(t, 'otherCustomer')]
        const { before, newProduct } = await arrange(t, other)
        const product_id = newProduct().id
        await makeOtherChange(t, email)
        return {
          email,
          other,
          pairs: [{ foreign: { email, product_id }, absent: { email, product_id } }],
          prepare: () => perform(t, 'addProduct', { email: other, product_id }, 'ADD-1'),
          async restore() {
            await undoAdd(t, other, product_id)
            t.equal(await readSubscription(t, other), before, "the other customer's subscription", 'UNDO-2')
          },
        }
      }),
  },
})

/** Expects the same rejection for another customer's record as for a record that does not exist. */
async function expectNothingFound(
  t: CheckContext,
  name: EndpointName,
  code: ErrorCode,
  arrangeForeign: () => Promise<Foreign>,
): Promise<void> {
  const { email, other, pairs, prepare, restore } = await arrangeForeign()
  const absents = []
  for (const { absent } of pairs) absents.push(await t.call(name, absent))
  await prepare?.()
  const read = async () => [await snapshot(t, email), await snapshot(t, other)]
  const before = await read()
  for (const [index, { foreign }] of pairs.entries()) {
    const reply = await t.call(name, foreign)
    t.rejected(reply, code)
    t.equal(reply.status, absents[index]?.status, 'the status for an id that does not exist', reply, 'PRIVACY-2')
    t.equal(reply.json, absents[index]?.json, 'the body for an id that does not exist', reply, 'PRIVACY-2')
  }
  t.equal(await read(), before, 'both customers')
  await restore?.()
}
