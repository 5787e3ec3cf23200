import { page, refusal } from '../messages.ts'
import type { Mutant } from '../mutant.ts'

/** How queries are read. */
export const mutants: readonly Mutant[] = [
  {
    defect: 'of a repeated query name the last one counts',
    caughtBy: 'getSubscription.refuses-a-repeated-query-name',
    request: (sent) =>
      sent.path.endsWith('/subscription')
        ? { ...sent, query: sent.query.replace(/^email=[^&]*&(?=email=)/, '') }
        : sent,
  },
  {
    defect: 'unknown query names are refused',
    caughtBy: 'queries.ignore-unknown-names',
    request: (sent) => (sent.query.includes('utm_source') ? refusal(400, 'invalid_request') : sent),
  },
  {
    defect: 'query names are compared without regard to letter case',
    caughtBy: 'queries.ignore-unknown-names',
    request: (sent) => ({ ...sent, query: sent.query.replaceAll(/e?mail=/gi, (name) => name.toLowerCase()) }),
  },
  {
    defect: 'names in a query are not decoded',
    caughtBy: 'queries.decode-percent-signs',
    request: (sent) => ({ ...sent, query: sent.query.replace('%65mail', 'e_mail') }),
  },
  {
    defect: 'a broken percent sign ends in an exception',
    caughtBy: 'queries.survive-bad-encoding',
    answer: (answered) => (answered.body.includes('percent-encoded') ? page(500, 'URIError') : answered),
  },
  {
    defect: 'an empty email is no address',
    caughtBy: 'listProducts.takes-an-empty-email-for-none',
    request: (sent) => (sent.query === 'email=' ? refusal(400, 'invalid_request', 'email: is empty') : sent),
  },
  {
    defect: 'a discount code is only read from `code`',
    caughtBy: 'getDiscount.takes-discount-code',
    request: (sent) => ({ ...sent, query: sent.query.replace('discount_code=', 'other=') }),
  },
  {
    defect: 'a discount code is only read from `discount_code`',
    caughtBy: 'getDiscount.takes-code-too',
    request: (sent) => ({ ...sent, query: sent.query.replace(/(?<!discount_)code=/, 'other=') }),
  },
  {
    defect: 'of two different discount codes one is taken silently',
    caughtBy: 'getDiscount.refuses-two-codes',
    request: (sent) => ({ ...sent, query: sent.query.replace(/discount_code=ONE&/, '') }),
  },
]
