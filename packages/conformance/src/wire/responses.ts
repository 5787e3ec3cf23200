import { type Discount, type EndpointName, endpoints, minorUnitDigits, type OutputOf } from '@storeport/core'
import { type Check, type CheckContext, define, onTheWire } from '../engine/check.ts'
import { about, type Requirements } from '../engine/requirement.ts'
import { isObject, type Reply } from '../http/reply.ts'
import { arrange, customerOf, readSubscription, shareOf, toMinor, perform } from '../shop/customers.ts'
import { makeOtherChange, otherChangeNeeds, undoAll } from '../shop/changes.ts'
import { eachAnswer } from '../shop/inputs.ts'
import * as z from 'zod/mini'

const { must, should } = about('responses')
const money = about('money')

export const requirements: Requirements = {
  'JSON-1': must(
    'A successful response is a JSON object with `success: true`. The response to a read also has a `data` object.',
    'The data is returned without the surrounding object, or `success` has another name such as `ok` or `result`.',
  ),
  'JSON-2': must(
    'An action returns `{"success": true}` and nothing else.',
    'The action also returns the changed object.',
  ),
  'JSON-3': must(
    'Every response, including errors, has a JSON body and a JSON content type.',
    'The framework or a proxy returns an HTML error page, or the response lacks `application/json`.',
  ),
  'JSON-4': should(
    'A response contains only the fields that the contract defines.',
    'The whole database row is serialized.',
  ),
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

/** The names of the number fields in a value, at any depth. */
type NumberField<Value> = Value extends readonly (infer One)[]
  ? NumberField<One>
  : Value extends object
    ? {
        [Field in keyof Value & string]-?: NonNullable<Value[Field]> extends number
          ? Field
          : NumberField<NonNullable<Value[Field]>>
      }[keyof Value & string]
    : never

/**
 * Whether a number field of a response is an amount of money, by field name. The type requires an entry for every
 * number field.
 */
const isAmount: Readonly<Record<string, boolean>> = {
  price: true,
  compare_at_price: true,
  shipping_total_cost: true,
  order_discount_total: true,
  discount_amount: true,
  discount_percentage: false,
  customer_tax_rate: false,
  quantity: false,
} satisfies Record<NumberField<OutputOf<EndpointName>>, boolean>

export const checks: readonly Check[] = define(onTheWire, {
  'responses.are-json': {
    title: 'Every response is a JSON object with a JSON content type.',
    requirements: ['JSON-3'],
    run: eachAnswer((t, reply) => {
      t.ok(isObject(reply.json), 'a JSON object as the body', reply)
      const mediaType = reply.header('Content-Type')?.split(';')[0]?.trim().toLowerCase()
      t.equal(mediaType, 'application/json', 'the media type', reply)
    }),
  },
  'responses.are-either-success-or-error': {
    title: 'A response with status 200 has `success: true`. Every other response has the error body.',
    requirements: ['ERROR-1', 'JSON-1'],
    run: eachAnswer((t, reply) => {
      if (reply.status === 200) t.accepted(reply)
      else t.errorBody(reply)
    }),
  },
  'responses.of-errors-contain-only-the-error': {
    title: 'An error body contains only `success` and `error`, and the error contains only `code` and `message`.',
    requirements: ['JSON-4'],
    run: eachAnswer((t, reply) => {
      if (reply.status === 200 || !isObject(reply.json) || !isObject(reply.json['error'])) return
      t.equal(Object.keys(reply.json).toSorted(), ['error', 'success'], 'the fields of the body', reply)
      t.equal(Object.keys(reply.json['error']).toSorted(), ['code', 'message'], 'the fields of the error', reply)
    }),
  },
  'responses.of-actions-contain-only-success': {
    title: 'An action returns `{"success": true}` and nothing else.',
    requirements: ['JSON-2', 'JSON-1'],
    mode: 'write',
    needs: otherChangeNeeds,
    async run(t) {
      const email = customerOf(t, 'otherCustomer')
      const { next_billing_date } = await readSubscription(t, email)
      const reply = await t.call('delaySubscription', { email, new_date: next_billing_date })
      t.accepted(reply, 'DELAY-4')
      t.equal(reply.json, { success: true }, 'the body', reply)
    },
  },
  'responses.of-reads-contain-no-unknown-field': {
    title: 'The data in a read response contains only the fields that the contract defines.',
    requirements: ['JSON-4'],
    async run(t) {
      for (const reply of await everyRead(t)) {
        const { data, ...rest } = isObject(reply.json) ? reply.json : {}
        t.equal(Object.keys(rest), ['success'], 'the fields besides data', reply)
        if (reply.endpoint === undefined) continue
        t.equal(unknownFields(endpoints[reply.endpoint].output, data, 'data'), [], 'the unknown fields', reply)
      }
    },
  },
  'responses.use-the-decimals-of-the-currency': {
    title: 'Amounts are JSON numbers with no more decimals than the currency allows.',
    requirements: ['MONEY-1'],
    async run(t) {
      const { currency } = t.profile
      const { digits, form } = amountForm(t)
      for (const reply of await everyRead(t)) {
        for (const [field, value] of everyField(reply.json)) {
          if (isAmount[field] !== true) continue
          t.ok(typeof value === 'number', `${field}: must be a number`, reply)
          t.ok(
            form.test(String(value)),
            `${field}: must have at most ${digits} decimals, the limit of ${currency}`,
            reply,
          )
        }
      }
    },
  },
  'addProduct.rounds-the-discount': {
    title:
      'Each discount is rounded to whole minor units, so the total of several discounts also has whole minor units.',
    requirements: ['MONEY-1', 'ADD-10'],
    mode: 'write',
    layer: 'shop',
    needs: ['listProducts', 'addProduct', 'undoAddProduct', ...otherChangeNeeds],
    async run(t) {
      const { email, before, newProduct } = await arrange(t)
      const { code, discount } = t.need(t.profile.discounts.percentage, 'discounts.percentage')
      const product = newProduct()
      const quantities = [1, 3, 7, 9].filter((quantity) => isFraction(t, discount, product.price * quantity))
      if (quantities.length === 0) t.skip('every discount on this product is a whole number of minor units')
      for (const quantity of quantities) {
        await makeOtherChange(t, email)
        const input = { email, product_id: product.id, quantity, one_time: true, discount_code: code }
        await perform(t, 'addProduct', input, 'ADD-10')
        const reply = await t.call('getSubscription', { email })
        const [, total = '0'] = /"order_discount_total":\s*([^,}\s]+)/.exec(reply.text) ?? []
        const { digits, form } = amountForm(t)
        t.ok(form.test(total), `an order_discount_total with at most ${digits} decimals`, reply)
      }
      const added = quantities.map(() => product.id)
      await undoAll(t, email, added)
      t.equal(await readSubscription(t, email), before, 'the subscription', 'UNDO-2')
    },
  },
})

/** Sends every offered read for every customer and discount code of the profile. Returns the successful responses. */
async function everyRead(t: CheckContext): Promise<readonly Reply[]> {
  const { customers, discounts } = t.profile
  const replies: Reply[] = []
  for (const email of [undefined, ...Object.values(customers)]) {
    for (const name of ['listProducts', 'getSubscription', 'listCancelledSubscriptions'] as const) {
      if (t.offered.includes(name)) replies.push(await t.call(name, email === undefined ? {} : { email }))
    }
  }
  for (const known of [discounts.percentage, discounts.fixed]) {
    if (known === undefined || !t.offered.includes('getDiscount')) continue
    replies.push(await t.call('getDiscount', { discount_code: known.code }))
  }
  return replies.filter(({ status }) => status === 200)
}

/** Returns the name and the value of every field at any depth, including the fields of objects in lists. */
function everyField(value: unknown): readonly (readonly [name: string, value: unknown])[] {
  if (Array.isArray(value)) return value.flatMap(everyField)
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([name, held]) => [[name, held] as const, ...everyField(held)])
}

/** Returns the paths of all fields at any depth that the schema does not define. */
export function unknownFields(schema: z.core.$ZodType, value: unknown, path: string): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((one) => unknownFields(elementOf(schema), one, path))
  if (!isObject(value)) return []
  const shape = shapeOf(schema)
  return Object.entries(value).flatMap(([name, held]) => {
    const field = Object.hasOwn(shape, name) ? shape[name] : undefined
    return field === undefined ? [`${path}.${name}`] : unknownFields(field, held, `${path}.${name}`)
  })
}

function elementOf(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema instanceof z.core.$ZodOptional) return elementOf(schema._zod.def.innerType)
  return schema instanceof z.core.$ZodArray ? schema._zod.def.element : schema
}

/** Returns the fields of an object schema, or of all members of a union. */
function shapeOf(schema: z.core.$ZodType): Readonly<Record<string, z.core.$ZodType>> {
  if (schema instanceof z.core.$ZodOptional) return shapeOf(schema._zod.def.innerType)
  if (schema instanceof z.core.$ZodObject) return schema._zod.def.shape
  if (!(schema instanceof z.core.$ZodUnion)) return {}
  return Object.fromEntries(schema._zod.def.options.flatMap((option) => Object.entries(shapeOf(option))))
}

/**
 * Returns whether a percentage discount on an amount is a fraction of a minor unit. Tolerates floating-point errors.
 */
function isFraction(t: CheckContext, discount: Discount, amount: number): boolean {
  const share = toMinor(t, shareOf(discount, amount))
  return Math.abs(share - Math.round(share)) > 0.001
}

/** Returns the number of decimals of the shop's currency, and the pattern of its amounts. */
function amountForm({ profile }: CheckContext): { readonly digits: number; readonly form: RegExp } {
  const digits = minorUnitDigits(profile.currency)
  return { digits, form: digits === 0 ? /^\d+$/ : new RegExp(`^\\d+(?:\\.\\d{1,${digits}})?$`) }
}
