import { page, failure } from '../messages.ts'
import { listMutants } from '../list-mutants.ts'

export const mutants = listMutants({
  queries: {
    'query names are compared without regard to letter case': (query) =>
      query.replaceAll(/e?mail=/gi, (name) => name.toLowerCase()),
    'names in a query are not decoded': (query) => query.replace('%65mail', 'e_mail'),
    'a discount code is only read from `code`': (query) => query.replace('discount_code=', 'other='),
    'a discount code is only read from `discount_code`': (query) => query.replace(/(?<!discount_)code=/, 'other='),
    'of two different discount codes one is taken silently': (query) => query.replace(/discount_code=ONE&/, ''),
  },
  request: {
    'of a repeated query name the last one counts': (sent) =>
      sent.path.endsWith('/subscription')
        ? { ...sent, query: sent.query.replace(/^email=[^&]*&(?=email=)/, '') }
        : sent,
    'unknown query names are refused': (sent) =>
      sent.query.includes('utm_source') ? failure(400, 'invalid_request') : sent,
    'an empty email is no address': (sent) =>
      sent.query === 'email=' ? failure(400, 'invalid_request', 'email: is empty') : sent,
  },
  answer: {
    'a broken percent sign ends in an exception': (answered) =>
      answered.body.includes('percent-encoded') ? page(500, 'URIError') : answered,
  },
})
