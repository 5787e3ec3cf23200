import { type EndpointName, endpointNames, endpoints } from '@storeport/core'
import { type Check, type CheckContext, type Common, define, defineEach, onTheWire } from '../engine/check.ts'
import { about, type Requirements } from '../engine/requirement.ts'
import { errorMessageOf } from '../engine/expectations.ts'
import type { Reply } from '../http/reply.ts'
import {
  callHarmless,
  expectThrough,
  type FieldKind,
  fieldsOf,
  harmlessInput,
  harmlessJson,
  idFieldsOf,
  post,
  postNames,
} from '../steps/inputs.ts'

const { must, should } = about('fields')

/** What the fields of a request may hold. */
export const requirements: Requirements = {
  'FIELD-1': must(
    'A call without a required field is refused.',
    'The field is used without asking whether it is there.',
  ),
  'FIELD-2': must(
    'A field of another type than its own is refused.',
    'The field is used without looking at its type, or converted first.',
  ),
  'FIELD-3': should(
    'Types are never coerced: a number in quotes is 400 `invalid_request`.',
    'The validation library converts types unless it is told not to.',
  ),
  'FIELD-4': should(
    '`null` in an optional field counts as absent.',
    '`null` is validated as a value in place of being dropped.',
  ),
  'FIELD-5': should(
    'An id or code has 1 to 255 characters, none of them a control character.',
    'Only the presence of an id is looked at, or its form is narrower than that of your own ids.',
  ),
  'FIELD-6': must('`quantity` is at least 1.', 'The quantity is passed on without a lower limit.'),
  'FIELD-7': should(
    '`quantity` is a whole number.',
    'A fraction is rounded or passed on, or `2.0` is refused as no integer.',
  ),
  'FIELD-8': should(
    '`quantity` is at most 1,000 by default, for the call and for the line that results.',
    'There is no upper limit, or it is looked at for each call and not for the line that results.',
  ),
  'FIELD-9': should('A `quantity` that is left out is 1.', 'A missing quantity is 0 or an error.'),
  'FIELD-10': should(
    'The next-cycle flag is `one_time`, a boolean, false when left out.',
    'The flag is read from another name, or its default is true.',
  ),
  'FIELD-11': should(
    'The discount code field is `discount_code`, in addProduct, swapProduct and reactivateSubscription.',
    'The code is read from another name, or not at all in one of the three calls.',
  ),
}

/** Values of another type than the field's, each of which a lenient reader would take. */
const otherTypes: Readonly<Record<FieldKind, readonly unknown[]>> = {
  email: [0, 1, true, false, [], ['nobody.at.all@example.com'], {}, { $ne: '' }],
  id: [0, 1, 12345, true, false, [], ['x'], {}, { $ne: '' }],
  date: [0, 20_300_101, 1_893_456_000_000, true, [], ['2030-01-01'], {}],
  quantity: ['2', '', 'two', true, false, [], [2], {}, '1e1'],
  flag: ['true', 'false', '', 'yes', 0, 1, [], {}],
}

/** Values of the right type that the field does not allow. */
const outOfBounds: Readonly<Record<FieldKind, readonly unknown[]>> = {
  email: ['', ' ', 'no address'],
  id: ['', 'x'.repeat(256), 'a\u0000b', 'a\nb', '\u007f', 'a\u0085b'],
  date: ['', 'tomorrow'],
  quantity: [0, -1, -0.5, 1.5, 2.000001, 1e21, -1e21],
  flag: [],
}

const required = (name: EndpointName) => fieldsOf(name).filter(([, field]) => field.required)
const optional = (name: EndpointName) => fieldsOf(name).filter(([, field]) => !field.required)

const ofEachEndpoint = defineEach(endpointNames, onTheWire, (name) => ({
  [`${name}.refuses-a-missing-field`]: {
    title: `${name} without one of its required fields, or with nothing in it, is 400 and names the field.`,
    requirements: ['FIELD-1', 'ERROR-3', 'EMAIL-1'],
    async run(t) {
      for (const [field] of required(name)) {
        const { [field]: _left, ...input } = harmlessInput(t, name)
        expectNamed(t, await t.call(name, input), field)
        if (endpoints[name].method === 'POST') expectNamed(t, await t.call(name, { ...input, [field]: null }), field)
        expectNamed(t, await t.call(name, { ...input, [field]: '' }), field)
      }
      // An endpoint without a required field must do without any.
      if (required(name).length === 0) await expectThrough(t, await t.call(name), name)
    },
  },
}))

const ofEachPost = defineEach(postNames, onTheWire, (name) => ({
  [`${name}.coerces-no-type`]: {
    title: `A field of ${name} with a value of another type is 400 and the field is named.`,
    requirements: ['FIELD-2', 'FIELD-3', 'ERROR-3'],
    run: (t) => expectAllNamed(t, name, otherTypes),
  },
  [`${name}.refuses-values-out-of-bounds`]: {
    title: `A field of ${name} that is empty, too long or out of range is 400 and the field is named.`,
    requirements: ['FIELD-5', 'ERROR-3'],
    run: (t) => expectAllNamed(t, name, outOfBounds),
  },
  [`${name}.takes-long-and-strange-ids`]: {
    title: `An id or code in ${name} may have 255 characters, of any script.`,
    requirements: ['FIELD-5'],
    async run(t) {
      for (const field of idFieldsOf(name)) {
        for (const value of ['x'.repeat(255), '0', 'null', '../x', "' OR 1=1 --", 'größe/✓', '__proto__']) {
          await expectThrough(t, await callHarmless(t, name, { [field]: value }), name)
        }
      }
    },
  },
}))

const withOptionalFields = postNames.filter((name) => optional(name).length > 0)
const ofOptionalFields = defineEach(withOptionalFields, onTheWire, (name) => ({
  [`${name}.takes-null-for-absent`]: {
    title: `\`null\` in an optional field of ${name} counts as absent.`,
    requirements: ['FIELD-4'],
    async run(t) {
      const nulls = Object.fromEntries(optional(name).map(([field]) => [field, null]))
      await expectThrough(t, await callHarmless(t, name, { ...nulls }), name)
    },
  },
}))

const common: Common = { mode: 'read-only', layer: 'wire', needs: ['addProduct'] }

const inGeneral = define(common, {
  'addProduct.wants-a-quantity-of-at-least-1': {
    title: 'A quantity of 0 or less is refused, one of 1 is not.',
    requirements: ['FIELD-6'],
    async run(t) {
      for (const quantity of [0, -1, -1000]) {
        t.refused(await callHarmless(t, 'addProduct', { quantity }), 'invalid_request')
      }
      await expectThrough(t, await callHarmless(t, 'addProduct', { quantity: 1 }), 'addProduct')
    },
  },
  'addProduct.wants-a-whole-quantity': {
    title: 'A quantity with a fraction is refused; `2.0` and `2e0` are the whole number 2.',
    requirements: ['FIELD-7'],
    async run(t) {
      for (const quantity of [0.5, 1.5, 2.000001, 999.999]) {
        t.refused(await callHarmless(t, 'addProduct', { quantity }), 'invalid_request')
      }
      for (const quantity of ['2.0', '2e0']) {
        const body = harmlessJson(t, 'addProduct').replace('}', `,"quantity":${quantity}}`)
        await expectThrough(t, await post(t, 'addProduct', body), 'addProduct')
      }
    },
  },
  'addProduct.limits-the-quantity': {
    title: 'The largest quantity is accepted, one more is refused.',
    requirements: ['FIELD-8'],
    async run(t) {
      const { maxQuantity } = t.profile
      await expectThrough(t, await callHarmless(t, 'addProduct', { quantity: maxQuantity }), 'addProduct')
      for (const quantity of [maxQuantity + 1, Number.MAX_SAFE_INTEGER]) {
        t.refused(await callHarmless(t, 'addProduct', { quantity }), 'invalid_request')
      }
    },
  },
})

/** What the fields of a request may hold. */
export const checks: readonly Check[] = [...ofEachEndpoint, ...ofEachPost, ...ofOptionalFields, ...inGeneral]

/** Expects each of these values to be refused by name, in each field of its kind. */
async function expectAllNamed(
  t: CheckContext,
  name: EndpointName,
  values: Readonly<Record<FieldKind, readonly unknown[]>>,
): Promise<void> {
  for (const [field, { kind }] of fieldsOf(name)) {
    for (const value of values[kind]) {
      expectNamed(t, await callHarmless(t, name, { [field]: value }), field)
    }
  }
}

function expectNamed(t: CheckContext, reply: Reply, field: string): void {
  t.refused(reply, 'invalid_request')
  t.that(errorMessageOf(reply).includes(field), `a message that names ${field}`, reply, 'ERROR-3')
}
