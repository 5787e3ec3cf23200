import { type EndpointName, endpointNames, endpoints } from '@storeport/core'
import { type Check, type CheckContext, onceInAShop, type CheckRow, defineEach, type Input } from '../engine/check.ts'
import type { RequirementId } from '../engine/requirement.ts'
import { arrangeChange, changeNeeds, effectiveNeeds } from '../shop/changes.ts'
import { customerOf, perform } from '../shop/customers.ts'
import { type FieldKind, fieldsOf, idFieldsOf, idNames, postNames, sendable } from '../shop/inputs.ts'
import { similarDates, similarEmails, similarIds } from '../shop/variants.ts'
import { expectHandled, expectRejected, marker } from './cases.ts'

/**
 * Values that a shop must reject in a field for an existing customer, and the requirement that fails otherwise. Without
 * a field, the values are queries.
 */
type Rejected = readonly [field: string | undefined, requirement: RequirementId, ...values: unknown[]]

/** Names of parameters that a framework may convert to `email`. */
const similarNames = ['[]', '[0]', '[$ne]', '[email]', '%5B%5D', '.0', '%20'].map((end) => `email${end}`)

/** Strings that often break databases, logs and encoders. */
const unusualStrings = Object.values({
  beyondTheBasicPlane: ['\u{1f381}', '\u{10ffff}', '\u{20bb7}\u{91ce}\u{5bb6}'],
  halves: ['\ud83c', '\udf81\ud83c'],
  invisible: ['a\u0000b', '\u2028\u2029', '\ufeff', '\u202eabc', `e${'\u0301'.repeat(60)}`],
}).flat()

/** Dates in the distant past or with too many digits, and a past date that messages do not contain by chance. */
const oddDates = ['0000-01-01', '0000-00-00', '0001-01-01', '-0001-01-01', '1582-10-10', '1987-06-05']

/** Integers that are larger than any integer type. */
const hugeNumbers = [2_147_483_648, 4_294_967_297, 2 ** 53, 2 ** 64, 1e308]

/** Invalid values for each kind of field, each with the requirement that fails otherwise. `right` is a valid value. */
const invalidValues: Readonly<Record<FieldKind, (right: unknown) => readonly [RequirementId, ...unknown[]][]>> = {
  email: (right) => [
    ['FIELD-2', [right]],
    ['EMAIL-1', 'no address'],
  ],
  id: (right) => [['FIELD-2', [right], { $ne: '' }]],
  date: (right) => [
    ['FIELD-2', [right]],
    ['DATE-1', 'tomorrow', ...similarDates(String(right))],
    ['ERROR-5', ...oddDates],
  ],
  quantity: () => [
    ['FIELD-6', 0, -1],
    ['FIELD-2', '2'],
    ['ERROR-5', ...hugeNumbers],
  ],
  flag: () => [['FIELD-2', 'true']],
}

/**
 * Fields whose names are not specified by the caller. A shop may use other names for these fields and still be READY.
 * They are last, so that their failure hides no other.
 */
const isDecided = (field: string) => ['discount_code', 'one_time'].includes(field)

const withEmail = endpointNames.filter((name) => fieldsOf(name).some(([field]) => field === 'email'))

/** listProducts returns the general list for an unknown customer, so a shop without test customers can omit its check. */
const matchOf = (name: EndpointName) => (name === 'listProducts' ? 'ODD-1' : 'CUSTOMER-3')

const ofEmails = defineEach(withEmail, onceInAShop, {}, (name) => ({
  'finds-customers-only-by-the-complete-address': rejecting(
    name,
    "Strings that differ from a customer's email address by one mutation, such as a wildcard, a confusable letter or a control character, are rejected.",
    [matchOf(name), 'ERROR-5', 'ERROR-4', 'PRIVACY-1'],
    (t, input) => {
      const email = String(input['email'] ?? customerOf(t, 'subscribed'))
      const isGet = endpoints[name].method === 'GET'
      const objects = isGet ? [] : [[[email]], { email }, { $ne: null }, { $regex: '.*' }, true, 0, {}]
      const queries = isGet ? similarNames.map((field) => `${field}=${encodeURIComponent(email)}`) : []
      const emails = [...similarEmails(email, t.profile.customers.unknown), ...objects]
      return [
        ['email', matchOf(name), ...emails],
        [undefined, 'ODD-4', ...queries],
      ]
    },
  ),
}))

const ofIds = defineEach(idNames, onceInAShop, {}, (name) => ({
  'finds-records-only-by-the-exact-id': rejecting(
    name,
    'Strings that differ from an id or code by one mutation, such as letter case, a wildcard or an encoded letter, and unusual strings are rejected.',
    ['ERROR-5', 'ODD-1', 'ERROR-4', 'PRIVACY-1'],
    (t, input) => idFieldsOf(name).flatMap((field) => similarRows(t, name, field, input)),
  ),
}))

function similarRows(t: CheckContext, name: EndpointName, field: string, input: Input): readonly Rejected[] {
  const { expired, percentage } = t.profile.discounts
  const isCode = field === 'discount_code'
  const id = isCode ? (percentage?.code ?? input[field]) : input[field]
  // Codes are case-insensitive, and white space around a code is ignored.
  const isSame = (other: string) => isCode && other.trim().toLowerCase() === String(id).trim().toLowerCase()
  const similar = typeof id === 'string' ? similarIds(id).filter((other) => !isSame(other)) : []
  // A shop may treat white space in an optional field as absent.
  const isRequired = fieldsOf(name).some(([each, { required }]) => each === field && required)
  const unusual = unusualStrings.filter((text) => isRequired || text.trim() !== '')
  // A value that is decoded twice ends with a space, which is ignored.
  const query = `${field}=${encodeURIComponent(String(id))}%2520`
  return [
    [field, 'ODD-1', ...similar, marker, ...(isCode && expired !== undefined ? [expired] : [])],
    [field, 'ERROR-5', ...unusual],
    ...(endpoints[name].method === 'GET' ? [[undefined, 'ODD-1', query] as const] : []),
  ]
}

const ofFields = defineEach(postNames, onceInAShop, {}, (name) => ({
  'rejects-invalid-fields-of-a-customer': rejecting(
    name,
    'For an existing customer, missing fields and invalid values are rejected.',
    ['FIELD-2', 'FIELD-1', 'FIELD-3', ...(name === 'delaySubscription' ? (['DATE-1'] as const) : []), 'ERROR-5'],
    (_, input) => {
      const fields = fieldsOf(name).toSorted(([one], [other]) => Number(isDecided(one)) - Number(isDecided(other)))
      return fields.flatMap(([field, { kind, required }]): readonly Rejected[] => [
        // `undefined` means a missing field, since JSON omits fields with this value.
        ...(required ? [[field, 'FIELD-1', undefined] as const] : []),
        ...invalidValues[kind](input[field] ?? 'x').map(
          ([id, ...values]) => [field, isDecided(field) ? 'FIELD-3' : id, ...values] as const,
        ),
      ])
    },
  ),
}))

/** Checks of values that an existing customer does not have, some of them similar to a value that exists. */
export const checks: readonly Check[] = [...ofEmails, ...ofIds, ...ofFields]

/**
 * Returns a check that expects each value to be rejected for an existing customer. Uses an existing customer, since a
 * shop rejects an unknown customer regardless of the other fields.
 */
function rejecting(
  name: EndpointName,
  title: string,
  requirements: Check['requirements'],
  rowsOf: (t: CheckContext, input: Input) => readonly Rejected[],
): CheckRow {
  const isUndo = name === 'undoAddProduct'
  return {
    title,
    requirements,
    needs: isUndo ? changeNeeds(name) : effectiveNeeds(name),
    async run(t) {
      const { input, restore } = await arrangeChange(t, name)
      const general = name === 'listProducts' ? (await t.call(name)).text : undefined
      for (const [field, requirement, ...values] of rowsOf(t, input)) {
        for (const value of values) {
          const sent = typeof value === 'string' ? sendable(name, value) : value
          const reply =
            field === undefined
              ? await t.send({ path: `${endpoints[name].path}?${String(value)}` })
              : await t.call(name, { ...input, [field]: sent })
          // Restores the original data for later checks if the shop accepted the value.
          if (reply.status === 200 && general === undefined) await restore().catch(() => {})
          if (reply.status === 200 && name === 'delaySubscription') await t.call(name, input)
          if (general !== undefined && reply.text === general) expectHandled(t, reply, value)
          else expectRejected(t, reply, value, requirement, `a rejection of ${field ?? 'the query'}`)
        }
      }
      if (!isUndo) return
      // Undoes both additions of `arrangeChange`.
      await perform(t, name, input, 'UNDO-1')
      await restore()
    },
  }
}
