import { asPost, fieldsOfQuery, header, of, page, failure, withHeader } from '../messages.ts'
import { listMutants } from '../list-mutants.ts'

export const mutants = listMutants({
  paths: {
    'routing.refuses-a-trailing-slash: a trailing slash matches too': (path) => path.replace(/\/$/, ''),
    'routing.refuses-a-doubled-slash: doubled slashes are joined': (path) => path.replaceAll(/\/+/g, '/'),
    'routing.refuses-another-letter-case: paths match in any letter case': (path) => path.toLowerCase(),
    'routing.refuses-encoded-letters: paths are decoded before they are matched': (path) => decodeURIComponent(path),
    'routing.refuses-encoded-letters: parameters of a path are cut off': (path) => path.replace(/;.*/, ''),
  },
  request: {
    'sendNow.refuses-other-methods: a link can send an order: GET works like POST': (sent) => {
      const isLink = sent.method === 'GET' && sent.path.endsWith('/send-now')
      return isLink ? { ...asPost(sent), body: JSON.stringify(fieldsOfQuery(sent)) } : sent
    },
    'addProduct.refuses-other-methods: PUT works like POST': (sent) =>
      sent.method === 'PUT' ? { ...sent, method: 'POST' } : sent,
    'swapProduct.refuses-other-methods: OPTIONS is answered by a CORS middleware': (sent) =>
      sent.method === 'OPTIONS' ? { status: 204, headers: [], body: '' } : sent,
    'routing.answers-head-like-get: HEAD is not known': (sent) =>
      sent.method === 'HEAD' ? failure(405, 'method_not_allowed') : sent,
    'routing.ignores-method-overrides: a header can ask for another method': (sent) =>
      header(sent, 'X-HTTP-Method-Override') === 'POST' ? asPost(sent) : sent,
  },
  answer: {
    'routing.refuses-unknown-paths: an unknown path gets the start page': of(404, (answered) =>
      answered.body.includes('endpoint_not_found') ? page(200, 'Shop') : answered,
    ),
    'listProducts.refuses-other-methods: another method is 404': of(405, () => failure(404, 'endpoint_not_found')),
    'getDiscount.refuses-other-methods: a 405 does not say what is allowed': (answered) =>
      withHeader(answered, 'Allow'),
  },
})
