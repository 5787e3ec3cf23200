import type { Check } from '../engine/check.ts'
import type { CheckContext } from '../engine/check-context.ts'
import { isObject } from '../engine/expectations.ts'
import type { Reply } from '../http/reply.ts'
import { readCancelled, readDiscount, readProducts, readSubscription } from '../steps/read.ts'

/** The fields of each object in an answer, by the field that holds the object or a list of it. */
const knownFields: Readonly<Record<string, readonly string[]>> = {
  answer: ['success', 'data'],
  products: ['id', 'title', 'price', 'images', 'compare_at_price', 'description', 'quantity'],
  subscription: ['next_billing_date', 'items', 'shipping_total_cost', 'order_discount_total', 'customer_tax_rate'],
  items: ['id', 'title', 'price', 'images', 'quantity', 'description'],
  subscriptions: ['subscription_id', 'title', 'products'],
}

/** What the data of answers looks like. */
export const outputs: readonly Check[] = [
  {
    id: 'listProducts.answers-with-products',
    title: 'The general list is `{products: […]}`, each product with id, title, price and images of their types.',
    requirements: ['PRODUCTS-1', 'PRODUCTS-2', 'PRODUCTS-3', 'JSON-1', 'JSON-5'],
    mode: 'read-only',
    needs: ['listProducts'],
    async run(t) {
      t.that((await readProducts(t)).length > 0, 'a general list that is not empty', undefined, 'PRODUCTS-3')
    },
  },
  {
    id: 'listProducts.answers-a-customer-in-the-same-form',
    title: 'The list of a customer has the form of the general list.',
    requirements: ['PRODUCTS-5', 'PRODUCTS-1', 'JSON-1'],
    mode: 'read-only',
    needs: ['listProducts'],
    async run(t) {
      const { customers } = t.profile
      for (const email of [customers.unknown, customers.empty, customers.subscribed, customers.neighbour]) {
        if (email !== undefined) await readProducts(t, email)
      }
    },
  },
  {
    id: 'getSubscription.answers-with-a-subscription',
    title: 'A current subscription has a date and items of their types, item ids being unique.',
    requirements: ['SUBSCRIPTION-1', 'SUBSCRIPTION-4', 'JSON-1', 'JSON-5'],
    mode: 'read-only',
    needs: ['getSubscription'],
    async run(t) {
      for (const email of subscribers(t)) {
        const { items, next_billing_date } = await readSubscription(t, email)
        t.equal(
          new Set(items.map(({ id }) => id)).size,
          items.length,
          'the number of item ids',
          undefined,
          'SUBSCRIPTION-4',
        )
        t.that(next_billing_date > '2000-01-01', 'a date of this century')
      }
    },
  },
  {
    id: 'getSubscription.tells-the-tax-rate-as-a-decimal',
    title: '`customer_tax_rate` is a decimal: 0.08 means 8 %.',
    requirements: ['SUBSCRIPTION-3'],
    mode: 'read-only',
    needs: ['getSubscription'],
    async run(t) {
      for (const email of subscribers(t)) {
        const { customer_tax_rate = 0 } = await readSubscription(t, email)
        t.that(customer_tax_rate < 1, 'a tax rate below 1')
      }
    },
  },
  {
    id: 'listCancelledSubscriptions.answers-with-subscriptions',
    title: 'The list is `{subscriptions: […]}`, each with id, title and products of their types.',
    requirements: ['CANCELLED-1', 'JSON-1', 'JSON-5'],
    mode: 'read-only',
    needs: ['listCancelledSubscriptions'],
    async run(t) {
      const { cancelled, neighbour, subscribed } = t.profile.customers
      t.need(cancelled, 'customers.cancelled')
      for (const email of [cancelled, neighbour, subscribed]) {
        if (email !== undefined) await readCancelled(t, email)
      }
    },
  },
  {
    id: 'getDiscount.answers-with-a-discount',
    title: 'A discount has its type and one amount, a number.',
    requirements: ['DISCOUNT-1', 'JSON-1', 'JSON-5'],
    mode: 'read-only',
    needs: ['getDiscount'],
    async run(t) {
      const { percentage, fixed } = t.profile.discounts
      for (const { code } of [t.need(percentage, 'discounts.percentage'), t.need(fixed, 'discounts.fixed')]) {
        await readDiscount(t, code)
      }
    },
  },
  {
    id: 'answers.of-reads-hold-no-unknown-field',
    title: 'The data of a read holds the fields that the contract names and no others.',
    requirements: ['JSON-4'],
    mode: 'read-only',
    needs: [],
    async run(t) {
      for (const reply of await everyRead(t)) {
        expectKnownFields(t, reply, 'answer', reply.json)
        const data = isObject(reply.json) ? reply.json['data'] : undefined
        if (reply.endpoint === 'getSubscription') expectKnownFields(t, reply, 'subscription', data)
        else if (reply.endpoint !== 'getDiscount' && isObject(data)) {
          t.equal(Object.keys(data).length, 1, 'the number of fields in data', reply)
        }
        for (const [holder, value] of everyField(data)) {
          for (const object of [value].flat().filter(isObject)) expectKnownFields(t, reply, holder, object)
        }
      }
    },
  },
  {
    id: 'answers.hold-amounts-with-two-decimals',
    title: 'Amounts are JSON numbers with at most 2 decimals.',
    requirements: ['MONEY-1'],
    mode: 'read-only',
    needs: [],
    async run(t) {
      const amounts = ['price', 'compare_at_price', 'shipping_total_cost', 'order_discount_total', 'discount_amount']
      for (const reply of await everyRead(t)) {
        for (const [field, value] of everyField(reply.json)) {
          if (!amounts.includes(field)) continue
          t.that(typeof value === 'number', `${field}: a number`, reply)
          t.that(/^\d+(?:\.\d{1,2})?$/.test(String(value)), `${field}: at most 2 decimals`, reply)
        }
      }
    },
  },
]

function subscribers(t: CheckContext): readonly string[] {
  const { subscribed, neighbour } = t.profile.customers
  t.need(subscribed, 'customers.subscribed')
  return [subscribed, neighbour].filter((email) => email !== undefined)
}

/** The answers of every read that is offered, of every customer for whom there is something to read. */
async function everyRead(t: CheckContext): Promise<readonly Reply[]> {
  const { customers, discounts } = t.profile
  const replies: Reply[] = []
  for (const email of [undefined, ...Object.values(customers)]) {
    const input = email === undefined ? {} : { email }
    if (t.offered.includes('listProducts')) replies.push(await t.call('listProducts', input))
    if (t.offered.includes('getSubscription')) replies.push(await t.call('getSubscription', input))
    if (t.offered.includes('listCancelledSubscriptions'))
      replies.push(await t.call('listCancelledSubscriptions', input))
  }
  for (const known of [discounts.percentage, discounts.fixed]) {
    if (known === undefined || !t.offered.includes('getDiscount')) continue
    replies.push(await t.call('getDiscount', { discount_code: known.code }))
  }
  return replies.filter(({ status }) => status === 200)
}

/** Every field at any depth, with the name that holds it; the elements of a list are held by the name of the list. */
function everyField(value: unknown): readonly (readonly [name: string, value: unknown])[] {
  if (Array.isArray(value)) return value.flatMap(everyField)
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([name, held]) => [[name, held] as const, ...everyField(held)])
}

function expectKnownFields(t: CheckContext, reply: Reply, holder: string, object: unknown): void {
  const known = knownFields[holder]
  if (known === undefined || !isObject(object)) return
  const unknown = Object.keys(object).filter((field) => !known.includes(field))
  t.equal(unknown, [], `the unknown fields in ${holder}`, reply)
}
