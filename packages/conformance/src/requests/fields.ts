import { type EndpointName, endpointNames, endpoints } from '@storeport/core'
import { type Check, type CheckContext, onTheWire, defineEach, tests } from '../engine/check.ts'
import { about, type RequirementId, type Requirements } from '../engine/requirement.ts'
import { errorCodeOf, errorMessageOf } from '../engine/expectations.ts'
import { type FieldKind, fieldsOf, harmlessJson, idFieldsOf, postNames } from '../shop/inputs.ts'
import { nested } from './bodies.ts'
import { expectRejected, type Outcome, type Row, sendRows } from './cases.ts'

const { must, should } = about('fields')

export const requirements: Requirements = {
  'FIELD-1': must('A request without a required field is rejected.', 'The presence of the field is not checked.'),
  'FIELD-2': must('A request with a field of the wrong type is rejected.', 'Types are not checked, or are converted.'),
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

/** Values by kind of field, each group with the requirement that it violates or that allows it. */
type Values = Readonly<Partial<Record<FieldKind, readonly (readonly [RequirementId | undefined, ...unknown[]])[]>>>

/** Values of a wrong type that a lenient parser would accept. */
const wrongTypes: Values = {
  email: [[undefined, 0, 1, true, false, [], ['nobody.at.all@example.com'], {}, { $ne: '' }]],
  id: [[undefined, 0, 1, 12345, true, false, [], ['x'], {}, { $ne: '' }]],
  date: [[undefined, 0, 20_300_101, 1_893_456_000_000, true, [], ['2030-01-01'], {}]],
  quantity: [[undefined, '2', '', 'two', true, false, [], [2], {}, '1e1']],
  flag: [[undefined, 'true', 'false', '', 'yes', 0, 1, [], {}]],
}

/** Invalid values of the correct type, such as an empty id. */
const outOfRange = ({ profile }: CheckContext): Values => ({
  email: [['EMAIL-3', '', ' ', 'no address']],
  id: [['FIELD-5', '', 'x'.repeat(256), 'a\u0000b', 'a\nb', '\u007f', 'a\u0085b']],
  date: [['DATE-2', '', 'tomorrow']],
  quantity: [
    ['FIELD-6', 0, -1, -1000, -1e21],
    ['FIELD-7', -0.5, 0.5, 1.5, 2.000001, 999.999],
    ['FIELD-8', profile.maxQuantity + 1, Number.MAX_SAFE_INTEGER, 1e21, raw('1e400')],
  ],
})

const valid = ({ profile }: CheckContext): Values => ({
  id: [['FIELD-5', 'x'.repeat(255), '0', 'null', '../x', "' OR 1=1 --", 'größe/✓', '__proto__']],
  quantity: [
    ['FIELD-6', 1],
    ['FIELD-7', raw('2.0'), raw('2e0')],
    ['FIELD-8', profile.maxQuantity],
  ],
  flag: [[undefined, true, false]],
})

/** A value that is written into the JSON as it is. */
const raw = (json: string) => ({ [rawMark]: json })
const rawMark = '@raw'

/** Returns the rows of one field. */
function rowsOf(t: CheckContext, name: EndpointName, field: string, groups: Values[FieldKind] = []): readonly Row[] {
  const json = JSON.stringify({ ...JSON.parse(harmlessJson(t, name)), [field]: '@' })
  return groups.flatMap(([requirement, ...values]) =>
    values.map((value): Row => {
      const written = typeof value === 'object' && value !== null ? Reflect.get(value, rawMark) : undefined
      const body = typeof written === 'string' ? { body: json.replace('"@"', written) } : { fields: { [field]: value } }
      return { ...body, ...(requirement && { requirement }) }
    }),
  )
}

/** Expects each value to be rejected in each field of its kind, with a message that names the field. */
async function expectAllNamed(t: CheckContext, name: EndpointName, values: Values): Promise<void> {
  for (const [field, { kind, required }] of fieldsOf(name)) {
    // A shop may treat an empty optional code as absent, but not an empty quantity or flag.
    const mayBeEmpty = kind === 'id' && !required
    for (const row of rowsOf(t, name, field, values[kind])) {
      if (mayBeEmpty && row.fields?.[field] === '') continue
      await sendRows(t, name, naming(field, row.requirement), [row])
    }
  }
}

/** A rejection with a message that names the field. */
function naming(field: string, requirement?: RequirementId): Outcome {
  return (t, reply) => {
    t.rejected(reply, 'invalid_request', requirement)
    const isNamed = errorCodeOf(reply) !== 'invalid_request' || errorMessageOf(reply).includes(field)
    t.ok(isNamed, `a message that names ${field}`, reply, 'ERROR-3')
  }
}

/** Returns the requirements of the field `quantity`, which one endpoint has. */
const ofQuantity = (name: EndpointName) => (name === 'addProduct' ? (['FIELD-6', 'FIELD-7', 'FIELD-8'] as const) : [])

const ofEach = defineEach(endpointNames, onTheWire, requirements, (name) => ({
  'rejects-a-missing-field': {
    title: 'A request with a missing or empty required field returns 400, and the message names the field.',
    requirements: ['FIELD-1', 'ERROR-3', 'EMAIL-1'],
    async run(t) {
      const required = fieldsOf(name).filter(([, field]) => field.required)
      // An endpoint without required fields accepts a request without fields.
      if (required.length === 0) return sendRows(t, name, 'valid', [{}])
      const missing = endpoints[name].method === 'POST' ? [undefined, null, ''] : [undefined, '']
      for (const [field] of required) {
        const rows = missing.map((value) => ({ fields: { [field]: value } }))
        await sendRows(t, name, naming(field), rows)
      }
    },
  },
}))

/** Nesting depth that overflows the stack of a recursive parser, in a body of less than 64 KiB. */
const deep = nested(10_000)

const rejectedAsInvalid: Outcome = (t, reply) => {
  expectRejected(t, reply, '', 'ERROR-5')
  t.rejected(reply, 'invalid_request', 'FIELD-2')
}

const ofPosts = defineEach(postNames, onTheWire, requirements, (name) => ({
  'rejects-wrong-types': tests(['FIELD-2', 'FIELD-3', 'ERROR-3'], (t) => expectAllNamed(t, name, wrongTypes)),
  'rejects-values-out-of-range': {
    title:
      'A request with a value that is too long or out of range, or with an empty required field, returns 400, and the message names the field.',
    requirements: ['FIELD-5', ...ofQuantity(name), 'ERROR-3'],
    run: (t) => expectAllNamed(t, name, outOfRange(t)),
  },
  'survives-deep-values': {
    title: 'A value with 10,000 nested levels is rejected, and the next request succeeds.',
    requirements: ['ERROR-5', 'FIELD-2'],
    async run(t) {
      for (const [field] of fieldsOf(name)) {
        const groups = [[undefined, ...deep.map(raw)]] as const
        await sendRows(t, name, rejectedAsInvalid, rowsOf(t, name, field, groups))
      }
      for (const body of deep) await sendRows(t, name, rejectedAsInvalid, [{ body }])
      await sendRows(t, name, 'valid', [{}])
    },
  },
}))

const withIds = postNames.filter((name) => idFieldsOf(name).length > 0)

const accepted = defineEach(withIds, onTheWire, requirements, (name) => ({
  'accepts-valid-values': {
    title:
      'An id or code of 255 characters in any script, `null` in an optional field, and each valid quantity are accepted.',
    requirements: ['FIELD-5', 'FIELD-4', ...ofQuantity(name)],
    async run(t) {
      for (const [field, { kind }] of fieldsOf(name))
        await sendRows(t, name, 'valid', rowsOf(t, name, field, valid(t)[kind]))
      const optional = fieldsOf(name).filter(([, { required }]) => !required)
      const nulls = Object.fromEntries(optional.map(([field]) => [field, null]))
      await sendRows(t, name, 'valid', [{ fields: nulls, requirement: 'FIELD-4' }])
    },
  },
}))

export const checks: readonly Check[] = [...ofEach, ...ofPosts, ...accepted]
