import { type EndpointName, endpointNames, endpoints } from '@storeport/core'
import { type Check, type CheckContext, type Common, define, defineEach, onTheWire } from '../engine/check.ts'
import { about, type RequirementId, type Requirements } from '../engine/requirement.ts'
import { errorCodeOf, errorMessageOf } from '../engine/expectations.ts'
import type { Reply } from '../http/reply.ts'
import {
  callHarmless,
  expectValid,
  type FieldKind,
  fieldsOf,
  harmlessInput,
  harmlessJson,
  idFieldsOf,
  post,
  postNames,
} from '../shop/inputs.ts'

const { must, should } = about('fields')

export const requirements: Requirements = {
  'FIELD-1': must(
    'A request without a required field is rejected.',
    'The field is used without checking that it is present.',
  ),
  'FIELD-2': must(
    'A request with a field of the wrong type is rejected.',
    'The field is used without a type check, or is converted first.',
  ),
  'FIELD-3': should(
    'Types are never coerced: a request with a number in quotes returns 400 `invalid_request`.',
    'The validation library coerces types by default.',
  ),
  'FIELD-4': should('`null` in an optional field is treated as absent.', '`null` is treated as a value and rejected.'),
  'FIELD-5': should(
    'An id or code has 1 to 255 characters and no control characters (U+0000–U+001F and U+007F–U+009F). A request with any other id or code returns 400 `invalid_request`. An empty optional code may count as absent.',
    'Only the presence of an id is checked, or the pattern is stricter than required.',
  ),
  'FIELD-6': must('`quantity` is at least 1.', 'The quantity has no lower limit.'),
  'FIELD-7': should('`quantity` is a whole number.', 'A fraction is rounded or accepted, or `2.0` is rejected.'),
  'FIELD-8': should(
    '`quantity` is at most 1,000 by default, in the request and in the resulting line.',
    'The quantity has no upper limit, or only the request is limited and not the resulting line.',
  ),
  'FIELD-9': should('`quantity` defaults to 1.', 'A missing quantity is treated as 0 or causes an error.'),
  'FIELD-10': should(
    'The flag for the next billing cycle is `one_time`, a boolean that defaults to false.',
    'The flag has another name, or defaults to true.',
  ),
  'FIELD-11': should(
    'The discount code field is `discount_code` in addProduct, swapProduct and reactivateSubscription.',
    'The field has another name, or one of the three endpoints ignores it.',
  ),
}

/** Values of a wrong type that a lenient parser would accept. */
const otherTypes: Readonly<Record<FieldKind, readonly unknown[]>> = {
  email: [0, 1, true, false, [], ['nobody.at.all@example.com'], {}, { $ne: '' }],
  id: [0, 1, 12345, true, false, [], ['x'], {}, { $ne: '' }],
  date: [0, 20_300_101, 1_893_456_000_000, true, [], ['2030-01-01'], {}],
  quantity: ['2', '', 'two', true, false, [], [2], {}, '1e1'],
  flag: ['true', 'false', '', 'yes', 0, 1, [], {}],
}

/** Invalid values of the correct type, such as an empty id. */
const outOfBounds: Readonly<Record<FieldKind, readonly unknown[]>> = {
  email: ['', ' ', 'no address'],
  id: ['', 'x'.repeat(256), 'a\u0000b', 'a\nb', '\u007f', 'a\u0085b'],
  date: ['', 'tomorrow'],
  quantity: [0, -1, -0.5, 1.5, 2.000001, 1e21, -1e21],
  flag: [],
}

/** Returns the requirement that a value of `outOfBounds` violates. */
function ruleOf(kind: FieldKind, value: unknown): RequirementId {
  if (kind === 'email') return 'EMAIL-3'
  if (kind === 'date') return 'DATE-2'
  if (kind !== 'quantity') return 'FIELD-5'
  return Number.isInteger(value) ? (Number(value) < 1 ? 'FIELD-6' : 'FIELD-8') : 'FIELD-7'
}

const required = (name: EndpointName) => fieldsOf(name).filter(([, field]) => field.required)
const optional = (name: EndpointName) => fieldsOf(name).filter(([, field]) => !field.required)

const endpointChecks = defineEach(endpointNames, onTheWire, (name) => ({
  [`${name}.rejects-a-missing-field`]: {
    title: `A request to ${name} with a missing or empty required field returns 400, and the message names the field.`,
    requirements: ['FIELD-1', 'ERROR-3', 'EMAIL-1'],
    async run(t) {
      for (const [field] of required(name)) {
        const { [field]: _left, ...input } = harmlessInput(t, name)
        expectNamed(t, await t.call(name, input), field)
        if (endpoints[name].method === 'POST') expectNamed(t, await t.call(name, { ...input, [field]: null }), field)
        expectNamed(t, await t.call(name, { ...input, [field]: '' }), field)
      }
      // An endpoint without required fields accepts a request without fields.
      if (required(name).length === 0) await expectValid(t, await t.call(name), name)
    },
  },
}))

const postChecks = defineEach(postNames, onTheWire, (name) => ({
  [`${name}.rejects-wrong-types`]: {
    title: `A request to ${name} with a value of the wrong type returns 400, and the message names the field.`,
    requirements: ['FIELD-2', 'FIELD-3', 'ERROR-3'],
    run: (t) => expectAllNamed(t, name, otherTypes),
  },
  [`${name}.rejects-values-out-of-range`]: {
    title: `A request to ${name} with a value that is too long or out of range, or with an empty required field, returns 400, and the message names the field.`,
    requirements: ['FIELD-5', 'ERROR-3'],
    run: (t) => expectAllNamed(t, name, outOfBounds, ruleOf),
  },
  [`${name}.accepts-long-ids-of-any-script`]: {
    title: `An id or code in ${name} can have 255 characters in any script.`,
    requirements: ['FIELD-5'],
    async run(t) {
      for (const field of idFieldsOf(name)) {
        for (const value of ['x'.repeat(255), '0', 'null', '../x', "' OR 1=1 --", 'größe/✓', '__proto__']) {
          await expectValid(t, await callHarmless(t, name, { [field]: value }), name)
        }
      }
    },
  },
}))

const withOptionalFields = postNames.filter((name) => optional(name).length > 0)
const optionalFieldChecks = defineEach(withOptionalFields, onTheWire, (name) => ({
  [`${name}.treats-null-as-absent`]: {
    title: `\`null\` in an optional field of ${name} is treated as absent.`,
    requirements: ['FIELD-4'],
    async run(t) {
      const nulls = Object.fromEntries(optional(name).map(([field]) => [field, null]))
      await expectValid(t, await callHarmless(t, name, { ...nulls }), name)
    },
  },
}))

const common: Common = { mode: 'read-only', layer: 'wire', needs: ['addProduct'] }

const generalChecks = define(common, {
  'addProduct.requires-a-quantity-of-at-least-1': {
    title: 'A request with a quantity of 0 or less is rejected. A request with a quantity of 1 is accepted.',
    requirements: ['FIELD-6'],
    async run(t) {
      for (const quantity of [0, -1, -1000]) {
        t.rejected(await callHarmless(t, 'addProduct', { quantity }), 'invalid_request')
      }
      await expectValid(t, await callHarmless(t, 'addProduct', { quantity: 1 }), 'addProduct')
    },
  },
  'addProduct.requires-a-whole-quantity': {
    title: 'A request with a fractional quantity is rejected. `2.0` and `2e0` are valid and mean 2.',
    requirements: ['FIELD-7'],
    async run(t) {
      for (const quantity of [0.5, 1.5, 2.000001, 999.999]) {
        t.rejected(await callHarmless(t, 'addProduct', { quantity }), 'invalid_request')
      }
      for (const quantity of ['2.0', '2e0']) {
        const body = harmlessJson(t, 'addProduct').replace('}', `,"quantity":${quantity}}`)
        await expectValid(t, await post(t, 'addProduct', body), 'addProduct')
      }
    },
  },
  'addProduct.limits-the-quantity': {
    title: 'A request with the maximum quantity is accepted. A request with a larger quantity is rejected.',
    requirements: ['FIELD-8'],
    async run(t) {
      const { maxQuantity } = t.profile
      await expectValid(t, await callHarmless(t, 'addProduct', { quantity: maxQuantity }), 'addProduct')
      for (const quantity of [maxQuantity + 1, Number.MAX_SAFE_INTEGER]) {
        t.rejected(await callHarmless(t, 'addProduct', { quantity }), 'invalid_request')
      }
    },
  },
})

export const checks: readonly Check[] = [...endpointChecks, ...postChecks, ...optionalFieldChecks, ...generalChecks]

/** Expects each value to be rejected in each field of its kind, with a message that names the field. */
async function expectAllNamed(
  t: CheckContext,
  name: EndpointName,
  values: Readonly<Record<FieldKind, readonly unknown[]>>,
  requirementOf?: (kind: FieldKind, value: unknown) => RequirementId,
): Promise<void> {
  for (const [field, { kind, required: isRequired }] of fieldsOf(name)) {
    for (const value of values[kind]) {
      // A shop may treat an empty optional code as absent, but not an empty quantity or flag.
      if (value === '' && kind === 'id' && !isRequired) continue
      expectNamed(t, await callHarmless(t, name, { [field]: value }), field, requirementOf?.(kind, value))
    }
  }
}

function expectNamed(t: CheckContext, reply: Reply, field: string, requirement?: RequirementId): void {
  t.rejected(reply, 'invalid_request', requirement)
  const isNamed = errorCodeOf(reply) !== 'invalid_request' || errorMessageOf(reply).includes(field)
  t.ok(isNamed, `a message that names ${field}`, reply, 'ERROR-3')
}
