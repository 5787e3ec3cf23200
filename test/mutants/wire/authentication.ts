import {
  answer,
  at,
  fieldsOf,
  header,
  keyHeader,
  of,
  page,
  failure,
  replaceText,
  type Sent,
  withHeader,
} from '../messages.ts'
import { listMutants } from '../list-mutants.ts'
import { keys } from '../mutant.ts'

const withRightKey = (sent: Sent) => withHeader(sent, keyHeader, keys.first)

const isRight = (sent: Sent) => [keys.first, keys.second].some((key) => key === header(sent, keyHeader))

const isStranger = (sent: Sent) => !isRight(sent) || sent.headers.filter(([name]) => name === keyHeader).length > 1

export const mutants = listMutants({
  request: {
    'the key is only compared when there is one': (sent) =>
      header(sent, keyHeader) === undefined ? withRightKey(sent) : sent,
    'one endpoint is mounted outside the key check': (sent) =>
      sent.path.endsWith('/undo-add-product') ? withRightKey(sent) : sent,
    'any key will do': (sent) => (header(sent, keyHeader) ? withRightKey(sent) : sent),
    'a key that begins like the right one will do': (sent) =>
      header(sent, keyHeader)?.startsWith(keys.first) === true ? withRightKey(sent) : sent,
    'a part of the key will do': (sent) =>
      keys.first.startsWith(header(sent, keyHeader) || '?') ? withRightKey(sent) : sent,
    'the key is compared without regard to letter case': (sent) =>
      withHeader(sent, keyHeader, header(sent, keyHeader)?.toLowerCase()),
    '"Bearer" before the key is cut off': (sent) =>
      withHeader(sent, keyHeader, header(sent, keyHeader)?.replace('Bearer ', '')),
    'an empty key is no key, and no key is let in': (sent) =>
      header(sent, keyHeader) === '' ? withRightKey(sent) : sent,
    'the key is taken from the query too': (sent) =>
      sent.query.includes(`api_key=${keys.first}`) ? withRightKey(sent) : sent,
    'the key is taken from the body too': (sent) =>
      fieldsOf(sent)['token'] === keys.first ? withRightKey(sent) : sent,
    'a bearer token is taken for the key too': (sent) =>
      header(sent, 'Authorization') === `Bearer ${keys.first}` ? withRightKey(sent) : sent,
    'a cookie is taken for the key too': (sent) =>
      header(sent, 'Cookie')?.includes(keys.first) === true ? withRightKey(sent) : sent,
    'of two key headers the first one counts': (sent) => withHeader(sent, keyHeader, header(sent, keyHeader)),
    'strangers learn which paths do not exist': (sent) =>
      isStranger(sent) && sent.path.endsWith('/no-such-path') ? failure(404, 'endpoint_not_found') : sent,
    'strangers learn which methods are not allowed': (sent) =>
      isStranger(sent) && sent.method === 'DELETE' ? failure(405, 'method_not_allowed') : sent,
    'strangers learn that their JSON is broken': (sent) =>
      isStranger(sent) && sent.body === '{"email":' ? failure(400, 'invalid_request') : sent,
    'one endpoint refuses the right key': (sent) =>
      sent.path.endsWith('/custom-action') ? failure(401, 'unauthorized') : sent,
  },
  answer: {
    'a missing key is 403': of(401, (answered) => ({
      ...answered,
      status: 403,
    })),
    'a wrong key is answered with a web page': of(401, () => page(401)),
    'a missing key is a redirect to a login page': of(401, () => ({
      ...page(302),
      headers: [['Location', '/login']],
    })),
    'a wrong key is answered without a body': of(401, (answered) => ({
      ...answered,
      body: '',
    })),
    'a 401 names no scheme': (answered) => withHeader(answered, 'WWW-Authenticate'),
    'missing and wrong keys are answered differently': (answered, sent) =>
      header(sent, keyHeader) === undefined ? replaceText('Send', 'Please send')(answered, sent) : answered,
    'the message repeats the key that was sent': of(401, (answered, sent) =>
      replaceText('valid', header(sent, keyHeader) ?? '')(answered, sent),
    ),
    'a health check at the base path tells its version to anybody': at('/integration/', () =>
      answer(200, { success: true, data: { version: '1.2.3' } }),
    ),
  },
  options: {
    'only one key is valid at a time': { apiKeys: [keys.first] },
  },
})
