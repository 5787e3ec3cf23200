import { endpoints, minorUnitDigits } from '@storeport/core'
import { type Check, type CheckContext, onTheWire, define, tests } from '../engine/check.ts'
import { about, type Requirements } from '../engine/requirement.ts'
import { dataOf, isObject, type Reply } from '../http/reply.ts'
import { add, example, isRestored, otherChange, percentageOf, type Scene, undo } from '../endpoints/examples.ts'
import { otherChangeNeeds } from '../shop/changes.ts'
import { eachAnswer } from '../shop/inputs.ts'
import * as z from 'zod/mini'

const { must, should } = about('responses')
const money = about('money')

export const requirements: Requirements = {
  'JSON-1': must(
    'A successful response is a JSON object with `success: true`. The response to a read also has a `data` object.',
    'The data is returned without the surrounding object, or `success` has another name such as `ok` or `result`.',
  ),
  'JSON-2': must('An action returns `{"success": true}` and nothing else.', 'The changed object is also returned.'),
  'JSON-3': must(
    'Every response, including errors, has a JSON body and a JSON content type.',
    'The framework or a proxy returns an HTML error page, or the response lacks `application/json`.',
  ),
  'JSON-4': should('A response contains only the fields that the contract defines.', 'The database row is serialized.'),
  'JSON-5': should(
    'Values are within bounds: strings and ids are not empty, amounts are not negative, images are http(s) URLs without credentials, and dates exist.',
    'Empty titles, relative image URLs, negative amounts or dates with a time come directly from the database.',
  ),
  'MONEY-1': money.should(
    'An amount is a JSON number in major units, with no more decimals than its currency allows: 2 for USD, 0 for JPY.',
    'Amounts are computed with floating-point numbers, or sent in minor units or as strings.',
  ),
  'MONEY-2': money.should('The price of an item is the price of one unit.', 'The price of the whole line is sent.'),
}

/** Number fields of responses that are not amounts of money. */
const otherNumbers: readonly string[] = ['quantity', 'discount_percentage', 'customer_tax_rate']

export const checks: readonly Check[] = define(onTheWire, requirements, {
  'responses.are-json': {
    requirements: ['JSON-3'],
    run: eachAnswer((t, reply) => {
      t.ok(isObject(reply.json), 'a JSON object as the body', reply)
      const mediaType = reply.header('Content-Type')?.split(';')[0]?.trim().toLowerCase()
      t.equal(mediaType, 'application/json', 'the media type', reply)
    }),
  },
  'responses.are-either-success-or-error': {
    title: 'A response with status 200 has `success: true`. Every other response has the error body, and nothing else.',
    requirements: ['ERROR-1', 'JSON-1', 'JSON-4'],
    run: eachAnswer((t, reply) => {
      if (reply.status === 200) return t.accepted(reply)
      t.errorBody(reply)
      const { error, ...rest } = isObject(reply.json) ? reply.json : {}
      t.equal(Object.keys(rest), ['success'], 'the fields besides error', reply, 'JSON-4')
      t.equal(Object.keys(Object(error)).toSorted(), ['code', 'message'], 'the fields of the error', reply, 'JSON-4')
    }),
  },
  'responses.of-reads-contain-no-unknown-field': tests(['JSON-4'], async (t) => {
    for (const { reply, data } of await everyRead(t)) {
      const { data: sent, ...rest } = isObject(reply.json) ? reply.json : {}
      t.equal(Object.keys(rest), ['success'], 'the fields besides data', reply)
      t.equal(sent, data, 'the defined fields of data', reply)
    }
  }),
  'responses.use-the-decimals-of-the-currency': tests(['MONEY-1'], async (t) => {
    const { digits, form } = amountForm(t)
    const limit = `must have at most ${digits} decimals, the limit of ${t.profile.currency}`
    for (const { reply, data } of await everyRead(t)) {
      for (const [field, value] of everyField(data)) {
        const isAmount = typeof value === 'number' && !otherNumbers.includes(field)
        t.ok(!isAmount || form.test(String(value)), `${field}: ${limit}`, reply)
      }
    }
  }),
  'addProduct.rounds-the-discount': {
    title:
      'Each discount is rounded to whole minor units, so the total of several discounts also has whole minor units.',
    requirements: ['MONEY-1', 'ADD-10'],
    mode: 'write',
    layer: 'shop',
    needs: ['listProducts', 'addProduct', 'undoAddProduct', ...otherChangeNeeds],
    run: example((t) => {
      const { code: discount_code } = percentageOf(t)
      // The discounts of these quantities are fractions of a minor unit for most prices.
      const quantities = [1, 3, 7, 9]
      return [
        ...quantities.flatMap((quantity) => [
          otherChange,
          add('fresh', { quantity, one_time: true, discount_code }, undefined, 'ADD-10'),
          expectDecimals,
        ]),
        ...quantities.flatMap(() => [otherChange, undo('fresh')]),
        isRestored,
      ]
    }),
  },
})

/** Sends every offered read for every customer and code. Returns each valid response and its known data. */
async function everyRead(t: CheckContext) {
  const { customers, discounts } = t.profile
  const replies: Reply[] = []
  for (const email of [undefined, ...Object.values(customers).flat()]) {
    for (const name of ['listProducts', 'getSubscription', 'listCancelledSubscriptions'] as const) {
      if (t.offered.includes(name)) replies.push(await t.call(name, email === undefined ? {} : { email }))
    }
  }
  for (const known of [discounts.percentage, discounts.fixed]) {
    if (known === undefined || !t.offered.includes('getDiscount')) continue
    replies.push(await t.call('getDiscount', { discount_code: known.code }))
  }
  return replies.flatMap((reply) => {
    const { data } = z.safeParse(endpoints[reply.endpoint ?? 'listProducts'].output, dataOf(reply))
    return data === undefined ? [] : [{ reply, data }]
  })
}

/** Returns the name and the value of every field at any depth, including the fields of objects in lists. */
function everyField(value: unknown): readonly (readonly [name: string, value: unknown])[] {
  if (Array.isArray(value)) return value.flatMap(everyField)
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([name, held]) => [[name, held] as const, ...everyField(held)])
}

/** Expects that the text of the discount of the next order has no more decimals than the currency allows. */
async function expectDecimals({ t, email }: Scene): Promise<void> {
  const reply = await t.call('getSubscription', { email })
  const [, total = '0'] = /"order_discount_total":\s*([^,}\s]+)/.exec(reply.text) ?? []
  const { digits, form } = amountForm(t)
  t.ok(form.test(total), `an order_discount_total with at most ${digits} decimals`, reply)
}

/** Returns the number of decimals of the shop's currency, and the pattern of its amounts. */
function amountForm({ profile }: CheckContext): { readonly digits: number; readonly form: RegExp } {
  const digits = minorUnitDigits(profile.currency)
  return { digits, form: digits === 0 ? /^\d+$/ : new RegExp(`^\\d+(?:\\.\\d{1,${digits}})?$`) }
}
