import { asPost, fieldsOfQuery, header, of, page, refusal, withHeader } from '../messages.ts'
import type { Mutant } from '../mutant.ts'

/** Paths and methods. */
export const mutants: readonly Mutant[] = [
  {
    defect: 'a trailing slash matches too',
    caughtBy: 'routing.refuses-a-trailing-slash',
    request: (sent) => ({ ...sent, path: sent.path.replace(/\/$/, '') }),
  },
  {
    defect: 'doubled slashes are joined',
    caughtBy: 'routing.refuses-a-doubled-slash',
    request: (sent) => ({ ...sent, path: sent.path.replaceAll(/\/+/g, '/') }),
  },
  {
    defect: 'paths match in any letter case',
    caughtBy: 'routing.refuses-another-letter-case',
    request: (sent) => ({ ...sent, path: sent.path.toLowerCase() }),
  },
  {
    defect: 'paths are decoded before they are matched',
    caughtBy: 'routing.refuses-encoded-letters',
    request: (sent) => ({ ...sent, path: decodeURIComponent(sent.path) }),
  },
  {
    defect: 'parameters of a path are cut off',
    caughtBy: 'routing.refuses-encoded-letters',
    request: (sent) => ({ ...sent, path: sent.path.replace(/;.*/, '') }),
  },
  {
    defect: 'an unknown path gets the start page',
    caughtBy: 'routing.refuses-unknown-paths',
    answer: of(404, (answered) => (answered.body.includes('endpoint_not_found') ? page(200, 'Shop') : answered)),
  },
  {
    defect: 'another method is 404',
    caughtBy: 'listProducts.refuses-other-methods',
    answer: of(405, () => refusal(404, 'endpoint_not_found')),
  },
  {
    defect: 'a 405 does not say what is allowed',
    caughtBy: 'getDiscount.refuses-other-methods',
    answer: (answered) => withHeader(answered, 'Allow'),
  },
  {
    defect: 'a link can send an order: GET works like POST',
    caughtBy: 'sendNow.refuses-other-methods',
    request: (sent) => {
      const isLink = sent.method === 'GET' && sent.path.endsWith('/send-now')
      return isLink ? { ...asPost(sent), body: JSON.stringify(fieldsOfQuery(sent)) } : sent
    },
  },
  {
    defect: 'PUT works like POST',
    caughtBy: 'addProduct.refuses-other-methods',
    request: (sent) => (sent.method === 'PUT' ? { ...sent, method: 'POST' } : sent),
  },
  {
    defect: 'OPTIONS is answered by a CORS middleware',
    caughtBy: 'swapProduct.refuses-other-methods',
    request: (sent) => (sent.method === 'OPTIONS' ? { status: 204, headers: [], body: '' } : sent),
  },
  {
    defect: 'HEAD is not known',
    caughtBy: 'routing.answers-head-like-get',
    request: (sent) => (sent.method === 'HEAD' ? refusal(405, 'method_not_allowed') : sent),
  },
  {
    defect: 'a header can ask for another method',
    caughtBy: 'routing.ignores-method-overrides',
    request: (sent) => (header(sent, 'X-HTTP-Method-Override') === 'POST' ? asPost(sent) : sent),
  },
]
