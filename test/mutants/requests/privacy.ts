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

/** Creates a mutant whose error responses from one endpoint repeat a value from the request in their message. */
function repeating(
  name: EndpointName,
  what: string,
  status: number,
  find: (fields: Fields, sent: Sent, answered: Answered) => unknown,
): Mutant {
  return {
    defect: `a ${status} of ${name} repeats ${what}`,
    answer: (answered, sent) => {
      // `includes` also matches longer paths, which return 404.
      if (!sent.path.includes(endpoints[name].path) || answered.status !== status) return answered
      const value = find({ ...fieldsOfQuery(sent), ...fieldsOf(sent) }, sent, answered) ?? ''
      if (value === '') return answered
      return withFields(answered, ({ error, ...rest }) => {
        const { message, ...code } = isRecord(error) ? error : {}
        const text = typeof value === 'string' ? value : JSON.stringify(value)
        return { ...rest, error: { ...code, message: `${String(message)} (${text})` } }
      })
    },
  }
}

const idFields: readonly (readonly [name: EndpointName, field: string])[] = [
  ['addProduct', 'product_id'],
  ['undoAddProduct', 'product_id'],
  ['swapProduct', 'current_item_id'],
  ['reactivateSubscription', 'subscription_id'],
  ['runCustomAction', 'action_id'],
  ['getDiscount', 'discount_code'],
]

/** Defects that disclose data or allow caches to store it. */
export const mutants: readonly Mutant[] = [
  ...endpointNames.flatMap((name) => [
    repeating(name, 'the value that it refuses', 400, (fields) =>
      name === 'getDiscount' ? fields['discount_code'] : fields['email'],
    ),
    repeating(name, 'the path', 404, (_fields, { path }) => path),
  ]),
  ...idFields.map(([name, field]) =>
    repeating(name, 'the id that does not exist', 404, (fields, _sent, { body }) =>
      body.includes('customer_not_found') ? '' : fields[field],
    ),
  ),
  ...(['addProduct', 'swapProduct'] as const).map((name) =>
    repeating(name, 'an unknown code', 400, (fields, _sent, { body }) =>
      body.includes('invalid_discount_code') ? fields['discount_code'] : '',
    ),
  ),
  repeating('delaySubscription', 'a date in the past', 400, ({ new_date }) =>
    String(new_date).startsWith('1') ? new_date : '',
  ),
  repeating('delaySubscription', 'the date that it refuses', 400, ({ new_date }) => new_date),
  repeating('addProduct', 'an expired code', 400, ({ discount_code: code }) =>
    /^expired/i.test(String(code)) ? code : '',
  ),
  repeating('addProduct', 'the quantity that it refuses', 400, ({ quantity }) => quantity),
  repeating('addProduct', 'what the JSON parser says', 400, (_fields, { body }) => (isJson(body) ? '' : body)),
  repeating('swapProduct', 'the content type', 415, (_fields, sent) => header(sent, 'Content-Type')),
  repeating('sendNow', 'the idempotency key', 400, (_fields, sent) => header(sent, 'Idempotency-Key')),
  repeating('runCustomAction', 'the whole body', 400, (_fields, { body }) => body),
  repeating('getSubscription', 'the query', 400, (_fields, { query }) => query),
  repeating('reactivateSubscription', 'the names of fields that it does not know', 400, (fields) =>
    Object.keys(fields).find((field) => field.startsWith('zq')),
  ),
  ...gets.flatMap(cachingOf),
]

/** Creates mutants in which caches can store the responses from an endpoint. */
function cachingOf(name: EndpointName): readonly Mutant[] {
  const withLine = (line: string, value: string): Mutant => ({
    defect: `${name} answers with ${line}: ${value}`,
    answer: (answered, sent) =>
      isTo(sent, name) && answered.status === 200 ? withHeader(answered, line, value) : answered,
  })
  const notModified: Answered = { ...answer(304, {}), body: '' }
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
}

function isJson(body = ''): boolean {
  try {
    JSON.parse(body)
    return true
  } catch {
    return false
  }
}
