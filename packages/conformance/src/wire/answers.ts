import { type Discount, type EndpointName, endpoints, minorUnitDigits, type OutputOf } from '@storeport/core'
import { type Check, type CheckContext, define, onTheWire } from '../engine/check.ts'
import { about, type Requirements } from '../engine/requirement.ts'
import { isObject, type Reply } from '../http/reply.ts'
import { arrange, customerOf, readSubscription, shareOf, toMinor, perform } from '../steps/customers.ts'
import { clickBetween, clickBetweenNeeds, undoInTurn } from '../steps/changes.ts'
import { eachAnswer } from '../steps/inputs.ts'
import * as z from 'zod/mini'

const { must, should } = about('answers')
const money = about('money')

/** What the body of every answer looks like. */
export const requirements: Requirements = {
  'JSON-1': must(
    'A successful answer is a JSON object with `success: true` and, where data is returned, an object `data`.',
    'The data is returned bare, or the envelope has another name such as `ok` or `result`.',
  ),
  'JSON-2': must(
    'An action endpoint answers `{"success": true}` and nothing else.',
    'The action returns the changed object beside `success`.',
  ),
  'JSON-3': must(
    'Every answer, also an error, has a JSON body and a JSON content type.',
    'An error of the framework or a proxy is a web page, or the body is sent without `application/json`.',
  ),
  'JSON-4': should(
    'An answer holds no field that the contract does not name.',
    'The whole row of the database is serialised.',
  ),
  'JSON-5': should(
    'Values stay within bounds: texts and ids are not empty, amounts are not negative, images are http(s) addresses without credentials, dates exist.',
    'Empty titles, relative image addresses, negative amounts or dates with a time come straight from the database.',
  ),
  'MONEY-1': money.should(
    'An amount is a JSON number in major units with at most the decimals of the currency: 2 of USD, none of JPY.',
    'Amounts are computed with floating-point numbers, or sent in minor units or as text.',
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

/** Whether a number in an answer is an amount of money; a new number does not compile until it is listed here. */
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

/** What every answer looks like. */
export const checks: readonly Check[] = define(onTheWire, {
  'answers.are-json': {
    title: 'Every answer is a JSON object with a JSON content type.',
    requirements: ['JSON-3'],
    run: eachAnswer((t, reply) => {
      t.that(isObject(reply.json), 'a JSON object as the body', reply)
      const mediaType = reply.header('Content-Type')?.split(';')[0]?.trim().toLowerCase()
      t.equal(mediaType, 'application/json', 'the media type', reply)
    }),
  },
  'answers.are-either-success-or-error': {
    title: 'A 200 is `success: true` with `data`; everything else is `success: false` with an error.',
    requirements: ['ERROR-1', 'JSON-1'],
    run: eachAnswer((t, reply) => {
      if (reply.status === 200) t.accepted(reply)
      else t.errorBody(reply)
    }),
  },
  'answers.of-errors-hold-nothing-else': {
    title: 'An error body has no field beside `success` and `error`, and the error none beside `code` and `message`.',
    requirements: ['JSON-4'],
    run: eachAnswer((t, reply) => {
      if (reply.status === 200 || !isObject(reply.json) || !isObject(reply.json['error'])) return
      t.equal(Object.keys(reply.json).toSorted(), ['error', 'success'], 'the fields of the body', reply)
      t.equal(Object.keys(reply.json['error']).toSorted(), ['code', 'message'], 'the fields of the error', reply)
    }),
  },
  'answers.of-actions-are-success-alone': {
    title: 'An action answers `{"success": true}` and nothing else.',
    requirements: ['JSON-2', 'JSON-1'],
    mode: 'write',
    needs: clickBetweenNeeds,
    async run(t) {
      const email = customerOf(t, 'otherCustomer')
      const { next_billing_date } = await readSubscription(t, email)
      const reply = await t.call('delaySubscription', { email, new_date: next_billing_date })
      t.accepted(reply, 'DELAY-4')
      t.equal(reply.json, { success: true }, 'the body', reply)
    },
  },
  'answers.of-reads-hold-no-unknown-field': {
    title: 'The data of a read holds the fields that the contract names and no others.',
    requirements: ['JSON-4'],
    async run(t) {
      for (const reply of await everyRead(t)) {
        const { data, ...rest } = isObject(reply.json) ? reply.json : {}
        t.equal(Object.keys(rest), ['success'], 'the fields beside data', reply)
        if (reply.endpoint === undefined) continue
        t.equal(unknownFields(endpoints[reply.endpoint].output, data, 'data'), [], 'the unknown fields', reply)
      }
    },
  },
  'answers.hold-no-more-decimals-than-the-currency': {
    title: 'Amounts are JSON numbers with at most the decimals of the currency.',
    requirements: ['MONEY-1'],
    async run(t) {
      const { currency } = t.profile
      const { digits, form } = amountForm(t)
      for (const reply of await everyRead(t)) {
        for (const [field, value] of everyField(reply.json)) {
          if (isAmount[field] !== true) continue
          t.that(typeof value === 'number', `${field}: a number`, reply)
          t.that(form.test(String(value)), `${field}: at most ${digits} decimals, as ${currency} has`, reply)
        }
      }
    },
  },
  'addProduct.rounds-what-a-code-takes-off': {
    title: 'A share that is no whole number of minor units is rounded, and stays so in the sum.',
    requirements: ['MONEY-1', 'ADD-10'],
    mode: 'write',
    layer: 'shop',
    needs: ['listProducts', 'addProduct', 'undoAddProduct', ...clickBetweenNeeds],
    async run(t) {
      const { email, before, newProduct } = await arrange(t)
      const { code, discount } = t.need(t.profile.discounts.percentage, 'discounts.percentage')
      const product = newProduct()
      const quantities = [1, 3, 7, 9].filter((quantity) => isFraction(t, discount, product.price * quantity))
      if (quantities.length === 0) t.skip('every share of that product is a whole number of minor units')
      for (const quantity of quantities) {
        await clickBetween(t, email)
        const input = { email, product_id: product.id, quantity, one_time: true, discount_code: code }
        await perform(t, 'addProduct', input, 'ADD-10')
        const reply = await t.call('getSubscription', { email })
        const [, total = '0'] = /"order_discount_total":\s*([^,}\s]+)/.exec(reply.text) ?? []
        const { digits, form } = amountForm(t)
        t.that(form.test(total), `an order_discount_total with at most ${digits} decimals`, reply)
      }
      const added = quantities.map(() => product.id)
      await undoInTurn(t, email, added)
      t.equal(await readSubscription(t, email), before, 'the subscription', 'UNDO-2')
    },
  },
})

/** The answers of every read that is offered, of every customer for whom there is something to read. */
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

/** Every field at any depth, with the name that holds it; the elements of a list are held by the name of the list. */
function everyField(value: unknown): readonly (readonly [name: string, value: unknown])[] {
  if (Array.isArray(value)) return value.flatMap(everyField)
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([name, held]) => [[name, held] as const, ...everyField(held)])
}

/** The fields at any depth of a value that its schema does not name, each with the way to it. */
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

/** The fields of an object, or of all objects that a union allows. */
function shapeOf(schema: z.core.$ZodType): Readonly<Record<string, z.core.$ZodType>> {
  if (schema instanceof z.core.$ZodOptional) return shapeOf(schema._zod.def.innerType)
  if (schema instanceof z.core.$ZodObject) return schema._zod.def.shape
  if (!(schema instanceof z.core.$ZodUnion)) return {}
  return Object.fromEntries(schema._zod.def.options.flatMap((option) => Object.entries(shapeOf(option))))
}

/** Whether the share of an amount is no whole number of minor units; amounts in floating point are a little off. */
function isFraction(t: CheckContext, discount: Discount, amount: number): boolean {
  const share = toMinor(t, shareOf(discount, amount))
  return Math.abs(share - Math.round(share)) > 0.001
}

/** How an amount of the shop's currency is written. */
function amountForm({ profile }: CheckContext): { readonly digits: number; readonly form: RegExp } {
  const digits = minorUnitDigits(profile.currency)
  return { digits, form: digits === 0 ? /^\d+$/ : new RegExp(`^\\d+(?:\\.\\d{1,${digits}})?$`) }
}
