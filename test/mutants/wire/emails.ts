import { fieldsOf, refusal, type Sent } from '../messages.ts'
import type { Mutant } from '../mutant.ts'

/** Which email addresses are accepted, and how they are compared. */
export const mutants: readonly Mutant[] = [
  {
    defect: 'addresses may hold letters, digits, dots and hyphens alone',
    caughtBy: 'emails.accept-what-html-accepts',
    request: (sent) =>
      /[^\w.@-]/.test(emailOf(sent).trim()) ? refusal(400, 'invalid_request', 'email: is wrong') : sent,
  },
  {
    defect: 'addresses need a dot behind the @',
    caughtBy: 'emails.accept-what-html-accepts',
    request: (sent) => (/@[^.]+$/.test(emailOf(sent)) ? refusal(400, 'invalid_request', 'email: is wrong') : sent),
  },
  {
    defect: 'anything with an @ is an address',
    caughtBy: 'emails.refuse-what-html-refuses',
    request: (sent) =>
      /^[^@]+@[^@]+$/.test(emailOf(sent)) && /_|\.$/.test(emailOf(sent)) ? refusal(404, 'customer_not_found') : sent,
  },
  {
    defect: 'addresses may have any length',
    caughtBy: 'emails.have-at-most-254-characters',
    request: (sent) => (emailOf(sent).trim().length > 254 ? refusal(404, 'customer_not_found') : sent),
  },
  {
    defect: 'addresses may have 100 letters',
    caughtBy: 'emails.have-at-most-254-characters',
    request: (sent) => (emailOf(sent).length > 100 ? refusal(400, 'invalid_request', 'email: is too long') : sent),
  },
  {
    defect: 'space around an address is not cut off',
    caughtBy: 'emails.are-trimmed',
    request: (sent) =>
      emailOf(sent) === emailOf(sent).trim() ? sent : refusal(400, 'invalid_request', 'email: is wrong'),
  },
  {
    defect: 'addresses are compared letter by letter',
    caughtBy: 'emails.ignore-the-letter-case',
    find: (email, accounts) => accounts.get(email),
  },
  {
    defect: 'addresses are compared letter by letter in actions',
    caughtBy: 'emails.in-bodies-find-the-same-customer',
    request: (sent) =>
      /[A-Z]/.test(String(fieldsOf(sent)['email'] ?? '')) ? refusal(404, 'customer_not_found') : sent,
  },
  {
    defect: 'the query is decoded as a form, where a plus is a space',
    caughtBy: 'emails.keep-a-plus-in-the-query',
    request: (sent) => ({ ...sent, query: sent.query.replaceAll('+', '%20') }),
  },
]

/** The address of a call, from its query or its body. */
function emailOf({ query, body }: Sent): string {
  return new URLSearchParams(query.replaceAll('+', '%2B')).get('email') ?? String(fieldsOf({ body })['email'] ?? '')
}
