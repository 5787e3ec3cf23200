import type { CheckContext } from '../../engine/check-context.ts'
import type { Check } from '../../engine/check.ts'
import { isObject } from '../../engine/expectations.ts'
import type { Reply } from '../../http/reply.ts'
import { clickBetweenNeeds } from '../../steps/click-between.ts'
import { readSubscription } from '../../steps/read.ts'
import { sampleAnswers } from '../../steps/sample-answers.ts'

/** The fields of each object in an answer, by the field that holds the object or a list of it. */
const knownFields: Readonly<Record<string, readonly string[]>> = {
  answer: ['success', 'data'],
  products: ['id', 'title', 'price', 'images', 'compare_at_price', 'description', 'quantity'],
  subscription: ['next_billing_date', 'items', 'shipping_total_cost', 'order_discount_total', 'customer_tax_rate'],
  items: ['id', 'title', 'price', 'images', 'quantity', 'description'],
  subscriptions: ['subscription_id', 'title', 'products'],
}

/** What every answer looks like. */
export const checks: readonly Check[] = [
  {
    id: 'answers.are-json',
    title: 'Every answer is a JSON object with a JSON content type.',
    requirements: ['JSON-3'],
    mode: 'read-only',
    layer: 'wire',
    needs: [],
    async run(t) {
      for (const reply of await sampleAnswers(t)) {
        t.that(isObject(reply.json), 'a JSON object as the body', reply)
        const mediaType = reply.header('Content-Type')?.split(';')[0]?.trim().toLowerCase()
        t.equal(mediaType, 'application/json', 'the media type', reply)
      }
    },
  },
  {
    id: 'answers.are-either-success-or-error',
    title: 'A 200 is `success: true` with `data`; everything else is `success: false` with an error.',
    requirements: ['ERROR-1', 'JSON-1'],
    mode: 'read-only',
    layer: 'wire',
    needs: [],
    async run(t) {
      for (const reply of await sampleAnswers(t)) {
        if (reply.status === 200) t.accepted(reply)
        else t.errorBody(reply)
      }
    },
  },
  {
    id: 'answers.of-errors-hold-nothing-else',
    title: 'An error body has no field beside `success` and `error`, and the error none beside `code` and `message`.',
    requirements: ['JSON-4'],
    mode: 'read-only',
    layer: 'wire',
    needs: [],
    async run(t) {
      for (const reply of await sampleAnswers(t)) {
        if (reply.status === 200 || !isObject(reply.json) || !isObject(reply.json['error'])) continue
        t.equal(Object.keys(reply.json).toSorted(), ['error', 'success'], 'the fields of the body', reply)
        t.equal(Object.keys(reply.json['error']).toSorted(), ['code', 'message'], 'the fields of the error', reply)
      }
    },
  },
  {
    id: 'answers.of-actions-are-success-alone',
    title: 'An action answers `{"success": true}` and nothing else.',
    requirements: ['JSON-2', 'JSON-1'],
    mode: 'write',
    layer: 'wire',
    needs: clickBetweenNeeds,
    async run(t) {
      const email = t.need(t.profile.customers.neighbour, 'customers.neighbour')
      const { next_billing_date } = await readSubscription(t, email)
      const reply = await t.call('delaySubscription', { email, new_date: next_billing_date })
      t.accepted(reply, 'DELAY-4')
      t.equal(reply.json, { success: true }, 'the body', reply)
    },
  },
  {
    id: 'answers.of-reads-hold-no-unknown-field',
    title: 'The data of a read holds the fields that the contract names and no others.',
    requirements: ['JSON-4'],
    mode: 'read-only',
    layer: 'wire',
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
    layer: 'wire',
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
