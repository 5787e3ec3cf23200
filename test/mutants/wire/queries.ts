import { page, failure } from '../messages.ts'
import { listMutants } from '../list-mutants.ts'

export const mutants = listMutants({
  queries: {
    'queries.ignore-unknown-names: query names are compared without regard to letter case': (query) =>
      query.replaceAll(/e?mail=/gi, (name) => name.toLowerCase()),
    'queries.decode-percent-signs: names in a query are not decoded': (query) => query.replace('%65mail', 'e_mail'),
    'getDiscount.reads-discount-code: a discount code is only read from `code`': (query) =>
      query.replace('discount_code=', 'other='),
    'getDiscount.reads-code: a discount code is only read from `discount_code`': (query) =>
      query.replace(/(?<!discount_)code=/, 'other='),
    'getDiscount.rejects-two-codes: of two different discount codes one is taken silently': (query) =>
      query.replace(/discount_code=ONE&/, ''),
  },
  request: {
    'getSubscription.rejects-a-repeated-parameter: of a repeated query name the last one counts': (sent) =>
      sent.path.endsWith('/subscription')
        ? { ...sent, query: sent.query.replace(/^email=[^&]*&(?=email=)/, '') }
        : sent,
    'queries.ignore-unknown-names: unknown query names are refused': (sent) =>
      sent.query.includes('utm_source') ? failure(400, 'invalid_request') : sent,
    'listProducts.treats-an-empty-email-as-absent: an empty email is no address': (sent) =>
      sent.query === 'email=' ? failure(400, 'invalid_request', 'email: is empty') : sent,
  },
  answer: {
    'queries.survive-bad-encoding: a broken percent sign ends in an exception': (answered) =>
      answered.body.includes('percent-encoded') ? page(500, 'URIError') : answered,
  },
})
