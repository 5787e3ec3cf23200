import { listMutants } from '../list-mutants.ts'
import {
  changeField,
  failure,
  fieldsOf,
  isTo,
  of,
  replaceText,
  type Sent,
  withFields,
  withStatus,
} from '../messages.ts'

const ids = ['product_id', 'current_item_id', 'new_product_id', 'subscription_id', 'action_id', 'discount_code']

/** Defects in the validation of fields, emails and dates. */
export const mutants = listMutants({
  find: {
    'addresses are compared letter by letter': (email, accounts) => accounts.get(email),
  },
  options: {
    'the quantity has no upper limit': { maxQuantity: Number.MAX_SAFE_INTEGER },
    'the quantity is limited to 99': { maxQuantity: 99 },
  },
  queries: {
    'an address in a query is not trimmed': (query) =>
      query.replace(/^email=(?:%20|\+)[^&]*/, 'email=nobody@example.com'),
    'the query is decoded as a form, where a plus is a space': (query) => query.replaceAll('+', '%20'),
    'the query is decoded before it is parsed': (query) =>
      query.replaceAll(/(?:%[\dA-F]{2})+/gi, (code) => decodeURIComponent(code)),
  },
  request: {
    'a quantity in quotes is converted': changeField('quantity', (value) =>
      typeof value === 'string' ? Number(value) : value,
    ),
    'a number is taken for an id': changeField('current_item_id', (value) =>
      typeof value === 'number' ? String(value) : value,
    ),
    'a list with one address is taken for an address': changeField('email', (value) =>
      Array.isArray(value) ? value[0] : value,
    ),
    'the text "true" is taken for true': changeField('one_time', (value) => (value === 'true' ? true : value)),
    'a quantity of 0 counts as 1': changeField('quantity', (value) => (value === 0 ? 1 : value)),
    'a negative quantity is passed on': changeField('quantity', (value) =>
      typeof value === 'number' ? Math.max(1, value) : value,
    ),
    'a fraction is rounded': changeField('quantity', (value) => (typeof value === 'number' ? Math.ceil(value) : value)),
    '`null` is refused in optional fields': refuseField('quantity', (value) => value === null),
    'a missing field is an exception': (sent) =>
      sent.path.endsWith('/reactivate/subscription') && !('subscription_id' in fieldsOf(sent))
        ? failure(500, 'internal_error')
        : sent,
    'without a date the order is delayed by a month': (sent) =>
      sent.path.endsWith('/delay') ? withFields(sent, (all) => ({ new_date: '2090-01-01', ...all })) : sent,
    'ids are limited to 50 letters': refuseField('product_id', (value) => String(value).length > 50),
    'ids must be letters, digits and underscores': refuseField('action_id', (value) => /[^\w-]/.test(String(value))),
    'ids may have any length': (sent) =>
      ids.reduce(
        (changed, id) => changeField(id, (value) => (typeof value === 'string' ? value.slice(0, 255) : value))(changed),
        sent,
      ),
    'control characters in ids are dropped': changeField('product_id', (value) =>
      typeof value === 'string' ? value.replace(/\p{Cc}/gu, '') : value,
    ),
    'addresses may hold letters, digits, dots and hyphens alone': (sent) =>
      /[^\w.@-]/.test(emailOf(sent).trim()) ? failure(400, 'invalid_request', 'email: is wrong') : sent,
    'addresses need a dot behind the @': (sent) =>
      /@[^.]+$/.test(emailOf(sent)) ? failure(400, 'invalid_request', 'email: is wrong') : sent,
    'anything with an @ is an address': (sent) =>
      /^[^@]+@[^@]+$/.test(emailOf(sent)) && /_|\.$/.test(emailOf(sent)) ? failure(404, 'customer_not_found') : sent,
    'addresses may have any length': (sent) =>
      emailOf(sent).trim().length > 254 ? failure(404, 'customer_not_found') : sent,
    'addresses may have 100 letters': (sent) =>
      emailOf(sent).length > 100 ? failure(400, 'invalid_request', 'email: is too long') : sent,
    'space around an address is not cut off': (sent) =>
      emailOf(sent) === emailOf(sent).trim() ? sent : failure(400, 'invalid_request', 'email: is wrong'),
    'a reactivation does not trim the address': (sent) =>
      isTo(sent, 'reactivateSubscription') && emailOf(sent) !== emailOf(sent).trim()
        ? failure(404, 'customer_not_found')
        : sent,
    'addresses are compared letter by letter in actions': (sent) =>
      /[A-Z]/.test(String(fieldsOf(sent)['email'] ?? '')) ? failure(404, 'customer_not_found') : sent,
    'dates go through a lenient parser': changeField('new_date', (value) =>
      typeof value === 'string' && Number.isFinite(Date.parse(value))
        ? new Date(value).toISOString().slice(0, 10)
        : value,
    ),
    'the time behind a date is cut off': changeField('new_date', (value) =>
      typeof value === 'string' ? value.split('T')[0] : value,
    ),
    '30 February rolls over into March': changeField('new_date', (value) =>
      typeof value === 'string' ? value.replace('02-30', '03-02') : value,
    ),
    'every fourth year is a leap year, 2100 too': changeField('new_date', (value) =>
      value === '2100-02-29' ? '2100-02-28' : value,
    ),
    'nobody knows of leap years': (sent) => (/-02-29/.test(sent.body ?? '') ? failure(400, 'invalid_date') : sent),
  },
  bodies: {
    'the codes are those of the shop': ['invalid_request', 'BAD_REQUEST'],
  },
  answer: {
    'an invalid request is 422': of(400, withStatus(422)),
    'the message does not say which field is wrong': of(
      400,
      replaceText(/"message":"[^"]*"/g, '"message":"The request is not valid."'),
    ),
  },
})

/** Rejects a request if a field has a value that the defective shop considers invalid. */
function refuseField(field: string, isWrong: (value: unknown) => boolean) {
  return (sent: Sent) => {
    const fields = fieldsOf(sent)
    return field in fields && isWrong(fields[field]) ? failure(400, 'invalid_request', `${field}: is wrong`) : sent
  }
}

/** Returns the email from the query or the body of a request. */
function emailOf({ query, body }: Sent): string {
  return new URLSearchParams(query.replaceAll('+', '%2B')).get('email') ?? String(fieldsOf({ body })['email'] ?? '')
}
