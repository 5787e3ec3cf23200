import { asPost, fieldsOfQuery, header, of, page, failure, withHeader } from '../messages.ts'
import { listMutants } from '../list-mutants.ts'

export const mutants = listMutants({
  paths: {
    'routing.rejects-a-trailing-slash: a trailing slash matches too': (path) => path.replace(/\/$/, ''),
    'routing.rejects-a-doubled-slash: doubled slashes are joined': (path) => path.replaceAll(/\/+/g, '/'),
    'routing.rejects-another-letter-case: paths match in any letter case': (path) => path.toLowerCase(),
    'routing.rejects-encoded-letters: paths are decoded before they are matched': (path) => decodeURIComponent(path),
    'routing.rejects-dots: dots in a path are resolved': (path) => new URL(path, 'http://shop.example').pathname,
    'routing.rejects-encoded-letters: parameters of a path are cut off': (path) => path.replace(/;.*/, ''),
  },
  request: {
    'sendNow.rejects-other-methods: a link can send an order: GET works like POST': (sent) => {
      const isLink = sent.method === 'GET' && sent.path.endsWith('/send-now')
      return isLink ? { ...asPost(sent), body: JSON.stringify(fieldsOfQuery(sent)) } : sent
    },
    'addProduct.rejects-other-methods: PUT works like POST': (sent) =>
      sent.method === 'PUT' ? { ...sent, method: 'POST' } : sent,
    'swapProduct.rejects-other-methods: OPTIONS is answered by a CORS middleware': (sent) =>
      sent.method === 'OPTIONS' ? { status: 204, headers: [], body: '' } : sent,
    'routing.handles-head-like-get: HEAD is not known': (sent) =>
      sent.method === 'HEAD' ? failure(405, 'method_not_allowed') : sent,
    'routing.ignores-method-overrides: a header can ask for another method': (sent) =>
      header(sent, 'X-HTTP-Method-Override') === 'POST' ? asPost(sent) : sent,
  },
  answer: {
    'routing.rejects-unknown-paths: an unknown path gets the start page': of(404, (answered) =>
      answered.body.includes('endpoint_not_found') ? page(200, 'Shop') : answered,
    ),
    'listProducts.rejects-other-methods: another method is 404': of(405, () => failure(404, 'endpoint_not_found')),
    'getDiscount.rejects-other-methods: a 405 does not say what is allowed': (answered) =>
      withHeader(answered, 'Allow'),
  },
})
