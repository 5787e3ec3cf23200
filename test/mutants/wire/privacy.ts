import { endpointNames, type EndpointName, endpoints } from '@storeport/core'
import {
  type Answered,
  answer,
  fieldsOf,
  fieldsOfQuery,
  gets,
  header,
  isRecord,
  isTo,
  type Sent,
  withFields,
  withHeader,
} from '../messages.ts'
import type { Mutant } from '../mutant.ts'

type Fields = Readonly<Record<string, unknown>>

/** Adds a value to the message of an error response. */
function withMore(answered: Answered, more: unknown): Answered {
  if (answered.status < 400 || more === undefined || more === '') return answered
  const text = typeof more === 'string' ? more : JSON.stringify(more)
  return withFields(answered, ({ error, ...rest }) => {
    const { message, ...code } = isRecord(error) ? error : {}
    return { ...rest, error: { ...code, message: `${String(message)} (${text})` } }
  })
}

/** Creates a mutant whose error responses from one endpoint repeat a value from the request. */
function repeating(
  name: EndpointName,
  what: string,
  status: number,
  find: (sent: Sent, fields: Fields) => unknown,
): Mutant {
  return {
    defect: `a ${status} of ${name} repeats ${what}`,
    answer: (answered, sent) => {
      // `includes` also matches longer paths, which return 404.
      const isMeant = sent.path.includes(endpoints[name].path) && answered.status === status
      return isMeant ? withMore(answered, find(sent, { ...fieldsOfQuery(sent), ...fieldsOf(sent) })) : answered
    },
  }
}

const values = endpointNames.map((name) => {
  const field = name === 'getDiscount' ? 'discount_code' : 'email'
  return repeating(name, 'the value that it refuses', 400, (_sent, fields) => fields[field])
})

const paths = endpointNames.map((name) => repeating(name, 'the path', 404, (sent) => sent.path))

const idFields: readonly (readonly [name: EndpointName, field: string])[] = [
  ['addProduct', 'product_id'],
  ['undoAddProduct', 'product_id'],
  ['swapProduct', 'current_item_id'],
  ['reactivateSubscription', 'subscription_id'],
  ['runCustomAction', 'action_id'],
  ['getDiscount', 'discount_code'],
]

const ids = idFields.map(([name, field]): Mutant => ({
  defect: `"there is no …" of ${name} repeats the id`,
  answer: (answered, sent) => {
    const isAboutId = !answered.body.includes('customer_not_found')
    const id = { ...fieldsOfQuery(sent), ...fieldsOf(sent) }[field]
    return isAboutId && isTo(sent, name) && answered.status === 404 ? withMore(answered, id) : answered
  },
}))

const codes = (['addProduct', 'swapProduct'] as const).map((name): Mutant => ({
  defect: `a code that ${name} does not know is in its message`,
  answer: (answered, sent) =>
    answered.body.includes('invalid_discount_code') && isTo(sent, name)
      ? withMore(answered, fieldsOf(sent)['discount_code'])
      : answered,
}))

const rejected = [
  ['delaySubscription', 'new_date', 'a date in the past', /^1/],
  ['addProduct', 'discount_code', 'an expired code', /^expired/i],
] as const

const knownValues = rejected.map(([name, field, what, pattern]): Mutant => ({
  defect: `the message of ${name} repeats ${what}`,
  answer: (answered, sent) => {
    const value = String(fieldsOf(sent)[field])
    return isTo(sent, name) && pattern.test(value) ? withMore(answered, value) : answered
  },
}))

const cached = gets.flatMap((name): readonly Mutant[] => {
  const withLine = (line: string, value: string): Mutant => ({
    defect: `${name} answers with ${line}: ${value}`,
    answer: (answered, sent) =>
      isTo(sent, name) && answered.status === 200 ? withHeader(answered, line, value) : answered,
  })
  return [
    withLine('Cache-Control', 'public, max-age=60'),
    withLine('CDN-Cache-Control', 'max-age=60'),
    {
      defect: `${name} answers 304 to a condition`,
      request: (sent) => (isTo(sent, name) && header(sent, 'If-None-Match') !== undefined ? notModified : sent),
    },
    {
      defect: `${name} answers 206 to a range`,
      answer: (answered, sent) =>
        isTo(sent, name) && header(sent, 'Range') !== undefined && answered.status === 200
          ? { ...answered, status: 206, body: answered.body.slice(0, 5) }
          : answered,
    },
  ]
})

const notModified: Answered = { ...answer(304, {}), body: '' }

/** Defects that disclose data or allow caches to store it. */
export const mutants: readonly Mutant[] = [
  ...values,
  ...paths,
  ...ids,
  ...codes,
  ...knownValues,
  ...cached,
  repeating('addProduct', 'what the JSON parser says', 400, (sent) => (isJson(sent.body) ? undefined : sent.body)),
  repeating('swapProduct', 'the content type', 415, (sent) => header(sent, 'Content-Type')),
  repeating('sendNow', 'the idempotency key', 400, (sent) => header(sent, 'Idempotency-Key')),
  repeating('runCustomAction', 'the whole body', 400, (sent) => sent.body),
  repeating('getSubscription', 'the query', 400, (sent) => sent.query),
  repeating('delaySubscription', 'the date that it refuses', 400, (_sent, fields) => fields['new_date']),
  repeating('addProduct', 'the quantity that it refuses', 400, (_sent, fields) => fields['quantity']),
  repeating('reactivateSubscription', 'the names of fields that it does not know', 400, (sent) =>
    Object.keys(fieldsOf(sent)).find((field) => field.startsWith('zq')),
  ),
]

function isJson(body = ''): boolean {
  try {
    JSON.parse(body)
    return true
  } catch {
    return false
  }
}
