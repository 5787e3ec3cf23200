import { listMutants } from '../list-mutants.ts'
import { asPost, failure, fieldsOfQuery, header, of, page, withHeader } from '../messages.ts'
import { flaws } from '../over-sockets/flaws.ts'

const testMode = 'X-Integration-Test-Mode'

/** Defects in the handling of paths, methods and the test mode, and in the HTTP server. */
export const mutants = listMutants({
  flaw: Object.fromEntries(Object.entries(flaws).map(([name, flaw]) => [`the HTTP server ${name}`, flaw])),
  paths: {
    'a trailing slash matches too': (path) => path.replace(/\/$/, ''),
    'doubled slashes are joined': (path) => path.replaceAll(/\/+/g, '/'),
    'paths match in any letter case': (path) => path.toLowerCase(),
    'paths are decoded before they are matched': (path) => decodeURIComponent(path),
    'dots in a path are resolved': (path) => new URL(path, 'http://shop.example').pathname,
    'parameters of a path are cut off': (path) => path.replace(/;.*/, ''),
  },
  refuses: {
    'any value of the test-mode header turns it on': (sent) => header(sent, testMode) === 'false',
  },
  request: {
    'the test-mode header is ignored': (sent) => withHeader(sent, testMode),
    'reads in test mode come from the real store': (sent) =>
      sent.method === 'GET' ? withHeader(sent, testMode) : sent,
    'a link can send an order: GET works like POST': (sent) => {
      const isLink = sent.method === 'GET' && sent.path.endsWith('/send-now')
      return isLink ? { ...asPost(sent), body: JSON.stringify(fieldsOfQuery(sent)) } : sent
    },
    'PUT works like POST': (sent) => (sent.method === 'PUT' ? { ...sent, method: 'POST' } : sent),
    'OPTIONS is answered by a CORS middleware': (sent) =>
      sent.method === 'OPTIONS' ? { status: 204, headers: [], body: '' } : sent,
    'HEAD is not known': (sent) => (sent.method === 'HEAD' ? failure(405, 'method_not_allowed') : sent),
    'a header can ask for another method': (sent) =>
      header(sent, 'X-HTTP-Method-Override') === 'POST' ? asPost(sent) : sent,
  },
  answer: {
    'an unknown path gets the start page': of(404, (answered) =>
      answered.body.includes('endpoint_not_found') ? page(200, 'Shop') : answered,
    ),
    'another method is 404': of(405, () => failure(404, 'endpoint_not_found')),
    'a 405 does not say what is allowed': (answered) => withHeader(answered, 'Allow'),
  },
})
