import { fieldsOf, failure, isTo, type Sent } from '../messages.ts'
import { listMutants } from '../list-mutants.ts'

export const mutants = listMutants({
  find: {
    'addresses are compared letter by letter': (email, accounts) => accounts.get(email),
  },
  queries: {
    'an address in a query is not trimmed': (query) =>
      query.replace(/^email=(?:%20|\+)[^&]*/, 'email=nobody@example.com'),
    'the query is decoded as a form, where a plus is a space': (query) => query.replaceAll('+', '%20'),
    'the query is decoded before it is parsed': (query) =>
      query.replaceAll(/(?:%[\dA-F]{2})+/gi, (code) => decodeURIComponent(code)),
  },
  request: {
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
  },
})

/** Returns the email from the query or the body of a request. */
function emailOf({ query, body }: Sent): string {
  return new URLSearchParams(query.replaceAll('+', '%2B')).get('email') ?? String(fieldsOf({ body })['email'] ?? '')
}
