import { type Check, type CheckContext, define, defineEach, onceInAShop, onTheWire } from '../engine/check.ts'
import type { RequirementId } from '../engine/requirement.ts'
import { errorMessageOf } from '../engine/expectations.ts'
import type { Reply } from '../http/reply.ts'
import { arrangeChange, changeNeeds, effectiveInput, effectiveNeeds } from '../steps/changes.ts'
import { perform } from '../steps/customers.ts'
import {
  callHarmless,
  eachOffered,
  expectThrough,
  type FieldKind,
  fieldsOf,
  idFieldsOf,
  idNames,
  harmlessInput,
  post,
  postNames,
  sendable,
  sendHarmless,
} from '../steps/inputs.ts'

/** So deep that a parser which calls itself for each level runs out of stack, and yet below 64 KiB. */
const depth = 10_000

/** Texts that databases, log lines and encoders stumble over. */
const oddTexts = Object.values({
  beyondTheBasicPlane: ['\u{1f381}', '\u{10ffff}', '\u{20bb7}\u{91ce}\u{5bb6}'],
  halves: ['\ud83c', '\udf81\ud83c'],
  invisible: ['a\u0000b', '\u2028\u2029', '\ufeff', '\u202eabc', `e${'\u0301'.repeat(60)}`],
}).flat()

const deepBodies = defineEach(postNames, onTheWire, (name) => ({
  [`${name}.survives-deep-values`]: {
    title: `A value of ${depth.toLocaleString('en')} levels in a field of ${name} is refused, and the next call is answered.`,
    requirements: ['ERROR-5', 'FIELD-2'],
    async run(t) {
      const values = [`${'['.repeat(depth)}${']'.repeat(depth)}`, `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`]
      for (const [field] of fieldsOf(name)) {
        for (const value of values) {
          const valid = JSON.stringify({ ...harmlessInput(t, name), [field]: '@' })
          const reply = await post(t, name, valid.replace('"@"', value))
          expectRefused(t, reply)
          t.refused(reply, 'invalid_request', 'FIELD-2')
        }
      }
      for (const value of values) expectRefused(t, await post(t, name, value))
      await expectThrough(t, await callHarmless(t, name), name)
    },
  },
}))

const oddIds = defineEach(idNames, onceInAShop, (name) => ({
  [`${name}.survives-text-of-any-script`]: {
    title: `An id or code in ${name} with letters outside the basic plane, half a letter or invisible ones is refused like any unknown one.`,
    requirements: ['ERROR-5', 'ERROR-1'],
    // A customer of the shop is named: the ids of a stranger may never reach the database.
    needs: effectiveNeeds(name),
    async run(t) {
      const input = await effectiveInput(t, name)
      for (const field of idFieldsOf(name)) {
        for (const text of oddTexts) expectRefused(t, await t.call(name, { ...input, [field]: sendable(name, text) }))
      }
    },
  },
}))

const brokenJson = defineEach(postNames, onTheWire, (name) => ({
  [`${name}.takes-no-broken-json-for-an-empty-object`]: {
    title: `What is wrong with a body of ${name} that is no JSON is not that a field is missing.`,
    requirements: ['BODY-13', 'BODY-5'],
    async run(t) {
      const empty = await post(t, name, '{}')
      t.refused(empty, 'invalid_request', 'BODY-5')
      const valid = JSON.stringify(harmlessInput(t, name))
      for (const body of [valid.slice(0, -1), `${valid}}`, '{"email":', 'email=x', '{', '{]', '{"a":\u0000}']) {
        const reply = await post(t, name, body)
        t.refused(reply, 'invalid_request', 'BODY-5')
        const isOther = errorMessageOf(reply) !== errorMessageOf(empty)
        t.that(isOther, 'another message than for `{}`, where fields are missing', reply)
      }
    },
  },
}))

type RefusedValue = readonly [value: unknown, requirement: RequirementId]

/** Values that a field of a kind does not take, with what is specified of each; `right` is one that it takes. */
const refusedValues: Readonly<Record<FieldKind, (right: unknown) => readonly RefusedValue[]>> = {
  email: (right) => [...refusing('FIELD-2', [right]), ...refusing('EMAIL-1', 'no address')],
  id: (right) => refusing('FIELD-2', [right], { $ne: '' }),
  date: (right) => [...refusing('DATE-1', 'tomorrow'), ...refusing('FIELD-2', [right])],
  quantity: () => [...refusing('FIELD-6', 0, -1), ...refusing('FIELD-2', '2')],
  flag: () => refusing('FIELD-2', 'true'),
}

function refusing(requirement: RequirementId, ...values: readonly unknown[]): readonly RefusedValue[] {
  return values.map((value) => [value, requirement])
}

/** Fields whose names were decided: a shop that is READY may have them under another name, and ignore these. */
const decidedFields: readonly string[] = ['discount_code', 'one_time']

const ofKnownCustomers = defineEach(postNames, onceInAShop, (name) => ({
  [`${name}.refuses-wrong-fields-of-a-known-customer`]: {
    title: `For a customer of the shop too ${name} refuses a missing field and a value that a field does not take.`,
    requirements: ['FIELD-2', 'FIELD-1', 'FIELD-3'],
    // A stranger is refused anyway, whatever the fields hold.
    needs: changeNeeds(name),
    async run(t) {
      const { input, restore } = await arrangeChange(t, name)
      for (const [field, { kind, required }] of fieldsOf(name)) {
        const { [field]: right = 'x', ...rest } = input
        // A field whose value is `undefined` is not sent.
        const values = [...(required ? refusing('FIELD-1', undefined) : []), ...refusedValues[kind](right)]
        for (const [value, requirement] of values) {
          const reply = await t.call(name, { ...rest, [field]: value })
          // What was taken must not stay: later checks add to what is there.
          if (reply.status === 200) await restore()
          const expected = `a refusal of ${field}`
          if (decidedFields.includes(field)) t.aside(reply.status >= 400, expected, reply, 'FIELD-3')
          else t.that(reply.status >= 400, expected, reply, requirement)
        }
      }
      if (name !== 'undoAddProduct') return
      // What was added, so that there is something to take back.
      await perform(t, name, input, 'UNDO-1')
      await restore()
    },
  },
}))

const inGeneral = define(onTheWire, {
  'routing.refuses-malformed-percent-signs': {
    title: 'A path like that of an endpoint with a malformed percent sign is 404.',
    requirements: ['ROUTE-9', 'ERROR-5'],
    run: eachOffered(async (t, name) => {
      for (const end of ['%', '%zz', '%E0%A4%A', '/%', '%C3%28', '%00', '%ff']) {
        const reply = await sendHarmless(t, name, (path) => path + end)
        t.that(reply.status < 500, 'a status below 500', reply, 'ERROR-5')
        t.refused(reply, 'endpoint_not_found')
      }
    }),
  },
  'queries.survive-malformed-names': {
    title: 'A malformed percent sign in what no query needs is ignored, that of a POST included.',
    requirements: ['QUERY-2', 'ERROR-5'],
    run: eachOffered(async (t, name) => {
      for (const more of ['x=%', 'x=%E0%A4%A', '%=1', '%zz', '%C3%28=%ff']) {
        const reply = await sendHarmless(t, name, (path) => path, more)
        t.that(reply.status < 500, 'a status below 500', reply, 'ERROR-5')
        await expectThrough(t, reply, name)
      }
    }),
  },
  'addProduct.survives-huge-numbers': {
    title: 'A quantity that no integer type holds is refused, for a customer of the shop as well.',
    requirements: ['ERROR-5', 'FIELD-8'],
    mode: 'write',
    layer: 'shop',
    needs: effectiveNeeds('addProduct'),
    async run(t) {
      const input = await effectiveInput(t, 'addProduct')
      const valid = JSON.stringify({ ...input, quantity: '@' })
      for (const number of ['2147483648', '4294967297', '9007199254740993', '18446744073709551617', '1e308', '1e400']) {
        const reply = await post(t, 'addProduct', valid.replace('"@"', number))
        // A shop that takes it must not keep it: later checks add to what is there.
        if (reply.status === 200) await t.call('undoAddProduct', input)
        expectRefused(t, reply)
        t.refused(reply, 'invalid_request', 'FIELD-8')
      }
    },
  },
  'delaySubscription.survives-odd-dates': {
    title:
      'A date before all calendars, or one with more digits than they have, is refused for a customer of the shop.',
    requirements: ['ERROR-5', 'DATE-1'],
    mode: 'write',
    layer: 'shop',
    needs: effectiveNeeds('delaySubscription'),
    async run(t) {
      const input = await effectiveInput(t, 'delaySubscription')
      for (const new_date of ['0000-01-01', '0000-00-00', '0001-01-01', '-0001-01-01', '1582-10-10']) {
        const reply = await t.call('delaySubscription', { ...input, new_date })
        // A shop that takes it must not keep it: nothing else works with a customer who is billed in the year 0.
        if (reply.status === 200) await t.call('delaySubscription', input)
        expectRefused(t, reply)
      }
    },
  },
})

/** What a caller may send by accident or on purpose, and what must not come of it. */
export const checks: readonly Check[] = [...deepBodies, ...oddIds, ...brokenJson, ...ofKnownCustomers, ...inGeneral]

function expectRefused(t: CheckContext, reply: Reply): void {
  t.that(reply.status < 500, 'a status below 500', reply)
  t.that(reply.status >= 400, 'a refusal', reply)
  t.errorBody(reply)
}
