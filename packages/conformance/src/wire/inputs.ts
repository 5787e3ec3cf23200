import { type Check, type CheckContext, define, defineEach, onceInAShop, onTheWire } from '../engine/check.ts'
import type { RequirementId } from '../engine/requirement.ts'
import { errorMessageOf } from '../engine/expectations.ts'
import type { Reply } from '../http/reply.ts'
import { arrangeChange, changeNeeds, effectiveInput, effectiveNeeds } from '../shop/changes.ts'
import { perform } from '../shop/customers.ts'
import {
  callHarmless,
  eachOffered,
  expectValid,
  type FieldKind,
  fieldsOf,
  idFieldsOf,
  idNames,
  harmlessInput,
  post,
  postNames,
  sendable,
  sendHarmless,
} from '../shop/inputs.ts'

/** Nesting depth that overflows the stack of a recursive parser, in a body of less than 64 KiB. */
const depth = 10_000

/** Strings that often break databases, logs and encoders. */
const unusualStrings = Object.values({
  beyondTheBasicPlane: ['\u{1f381}', '\u{10ffff}', '\u{20bb7}\u{91ce}\u{5bb6}'],
  halves: ['\ud83c', '\udf81\ud83c'],
  invisible: ['a\u0000b', '\u2028\u2029', '\ufeff', '\u202eabc', `e${'\u0301'.repeat(60)}`],
}).flat()

const deepBodyChecks = defineEach(postNames, onTheWire, (name) => ({
  [`${name}.survives-deep-values`]: {
    title: `${name} rejects a field whose value has ${depth.toLocaleString('en')} nested levels, and the next request succeeds.`,
    requirements: ['ERROR-5', 'FIELD-2'],
    async run(t) {
      const values = [`${'['.repeat(depth)}${']'.repeat(depth)}`, `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`]
      for (const [field] of fieldsOf(name)) {
        for (const value of values) {
          const valid = JSON.stringify({ ...harmlessInput(t, name), [field]: '@' })
          const reply = await post(t, name, valid.replace('"@"', value))
          expectRejected(t, reply)
          t.rejected(reply, 'invalid_request', 'FIELD-2')
        }
      }
      for (const value of values) expectRejected(t, await post(t, name, value))
      await expectValid(t, await callHarmless(t, name), name)
    },
  },
}))

const unusualIdChecks = defineEach(idNames, onceInAShop, (name) => ({
  [`${name}.handles-text-of-any-script`]: {
    title: `${name} rejects an unusual id or code in the same way as an unknown id. Examples are characters outside the Basic Multilingual Plane, lone surrogates and invisible characters.`,
    requirements: ['ERROR-5', 'ERROR-1'],
    // Uses an existing customer, since a shop may reject an unknown customer before it passes the id to the database.
    needs: effectiveNeeds(name),
    async run(t) {
      const input = await effectiveInput(t, name)
      for (const field of idFieldsOf(name)) {
        // A shop may treat white space in an optional field as absent.
        const isRequired = fieldsOf(name).some(([each, { required }]) => each === field && required)
        for (const text of unusualStrings.filter((each) => isRequired || each.trim() !== ''))
          expectRejected(t, await t.call(name, { ...input, [field]: sendable(name, text) }))
      }
    },
  },
}))

const invalidJsonChecks = defineEach(postNames, onTheWire, (name) => ({
  [`${name}.reports-invalid-json-as-such`]: {
    title: `The error message from ${name} for invalid JSON does not report a missing field.`,
    requirements: ['BODY-13', 'BODY-5'],
    async run(t) {
      const empty = await post(t, name, '{}')
      t.rejected(empty, 'invalid_request', 'BODY-5')
      const valid = JSON.stringify(harmlessInput(t, name))
      for (const body of [valid.slice(0, -1), `${valid}}`, '{"email":', 'email=x', '{', '{]', '{"a":\u0000}']) {
        const reply = await post(t, name, body)
        t.rejected(reply, 'invalid_request', 'BODY-5')
        const isOther = errorMessageOf(reply) !== errorMessageOf(empty)
        t.ok(isOther, 'a message that differs from the message for `{}`, where fields are missing', reply)
      }
    },
  },
}))

type InvalidValue = readonly [value: unknown, requirement: RequirementId]

/**
 * Invalid values for each kind of field, each with the requirement that fails if the shop accepts the value. `right` is
 * a valid value.
 */
const invalidValues: Readonly<Record<FieldKind, (right: unknown) => readonly InvalidValue[]>> = {
  email: (right) => [...rejecting('FIELD-2', [right]), ...rejecting('EMAIL-1', 'no address')],
  id: (right) => rejecting('FIELD-2', [right], { $ne: '' }),
  date: (right) => [...rejecting('DATE-1', 'tomorrow'), ...rejecting('FIELD-2', [right])],
  quantity: () => [...rejecting('FIELD-6', 0, -1), ...rejecting('FIELD-2', '2')],
  flag: () => rejecting('FIELD-2', 'true'),
}

function rejecting(requirement: RequirementId, ...values: readonly unknown[]): readonly InvalidValue[] {
  return values.map((value) => [value, requirement])
}

/**
 * Fields whose names are not specified by the caller. A shop may use other names for these fields and still be READY.
 */
const decidedFields: readonly string[] = ['discount_code', 'one_time']

const knownCustomerChecks = defineEach(postNames, onceInAShop, (name) => ({
  [`${name}.rejects-invalid-fields-of-a-customer`]: {
    title: `For an existing customer, ${name} rejects missing fields and invalid values.`,
    requirements: ['FIELD-2', 'FIELD-1', 'FIELD-3'],
    // Uses an existing customer, since a shop rejects an unknown customer regardless of the other fields.
    needs: changeNeeds(name),
    async run(t) {
      const { input, restore } = await arrangeChange(t, name)
      for (const [field, { kind, required }] of fieldsOf(name)) {
        const { [field]: right = 'x', ...rest } = input
        // `undefined` means a missing field, since JSON omits fields with this value.
        const values = [...(required ? rejecting('FIELD-1', undefined) : []), ...invalidValues[kind](right)]
        for (const [value, requirement] of values) {
          const reply = await t.call(name, { ...rest, [field]: value })
          // Restores the original data for later checks if the shop accepted the value.
          if (reply.status === 200) await restore()
          const expected = `a rejection of ${field}`
          if (decidedFields.includes(field)) t.secondary(reply.status >= 400, expected, reply, 'FIELD-3')
          else t.ok(reply.status >= 400, expected, reply, requirement)
        }
      }
      if (name !== 'undoAddProduct') return
      // Undoes both additions of `arrangeChange`.
      await perform(t, name, input, 'UNDO-1')
      await restore()
    },
  },
}))

const generalChecks = define(onTheWire, {
  'routing.rejects-malformed-percent-signs': {
    title: 'A request to an endpoint path with invalid percent-encoding returns 404.',
    requirements: ['ROUTE-9', 'ERROR-5'],
    run: eachOffered(async (t, name) => {
      for (const end of ['%', '%zz', '%E0%A4%A', '/%', '%C3%28', '%00', '%ff']) {
        const reply = await sendHarmless(t, name, (path) => path + end)
        t.ok(reply.status < 500, 'a status below 500', reply, 'ERROR-5')
        t.rejected(reply, 'endpoint_not_found')
      }
    }),
  },
  'queries.survive-malformed-names': {
    title: 'Invalid percent-encoding in an unused part of the query is ignored, including in the query of a POST.',
    requirements: ['QUERY-2', 'ERROR-5'],
    run: eachOffered(async (t, name) => {
      for (const more of ['x=%', 'x=%E0%A4%A', '%=1', '%zz', '%C3%28=%ff']) {
        const reply = await sendHarmless(t, name, (path) => path, more)
        t.ok(reply.status < 500, 'a status below 500', reply, 'ERROR-5')
        await expectValid(t, reply, name)
      }
    }),
  },
  'addProduct.survives-huge-numbers': {
    title: 'For an existing customer, addProduct rejects a quantity larger than any integer type.',
    requirements: ['ERROR-5', 'FIELD-8'],
    mode: 'write',
    layer: 'shop',
    needs: effectiveNeeds('addProduct'),
    async run(t) {
      const input = await effectiveInput(t, 'addProduct')
      const valid = JSON.stringify({ ...input, quantity: '@' })
      for (const number of ['2147483648', '4294967297', '9007199254740993', '18446744073709551617', '1e308', '1e400']) {
        const reply = await post(t, 'addProduct', valid.replace('"@"', number))
        // Undoes an accepted addition, so that later checks find the original data.
        if (reply.status === 200) await t.call('undoAddProduct', input)
        expectRejected(t, reply)
        t.rejected(reply, 'invalid_request', 'FIELD-8')
      }
    },
  },
  'delaySubscription.survives-odd-dates': {
    title: 'For an existing customer, delaySubscription rejects a date in the distant past or with too many digits.',
    requirements: ['ERROR-5', 'DATE-1'],
    mode: 'write',
    layer: 'shop',
    needs: effectiveNeeds('delaySubscription'),
    async run(t) {
      const input = await effectiveInput(t, 'delaySubscription')
      for (const new_date of ['0000-01-01', '0000-00-00', '0001-01-01', '-0001-01-01', '1582-10-10']) {
        const reply = await t.call('delaySubscription', { ...input, new_date })
        // Restores a valid date, since other checks cannot use a customer who is billed in the year 0.
        if (reply.status === 200) await t.call('delaySubscription', input)
        expectRejected(t, reply)
      }
    },
  },
})

/** Checks that send unusual or hostile input. */
export const checks: readonly Check[] = [
  ...deepBodyChecks,
  ...unusualIdChecks,
  ...invalidJsonChecks,
  ...knownCustomerChecks,
  ...generalChecks,
]

function expectRejected(t: CheckContext, reply: Reply): void {
  t.ok(reply.status < 500, 'a status below 500', reply)
  t.ok(reply.status >= 400, 'a rejection', reply)
  t.errorBody(reply)
}
