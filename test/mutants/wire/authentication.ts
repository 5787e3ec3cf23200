import {
  answer,
  at,
  fieldsOf,
  header,
  keyHeader,
  of,
  page,
  refusal,
  replaceText,
  type Sent,
  withHeader,
} from '../messages.ts'
import { keys, type Mutant } from '../mutant.ts'

const withRightKey = (sent: Sent) => withHeader(sent, keyHeader, keys.first)

const isRight = (sent: Sent) => [keys.first, keys.second].some((key) => key === header(sent, keyHeader))

const isStranger = (sent: Sent) => !isRight(sent) || sent.headers.filter(([name]) => name === keyHeader).length > 1

/** Who may call. */
export const mutants: readonly Mutant[] = [
  {
    defect: 'the key is only compared when there is one',
    caughtBy: 'sendNow.refuses-a-call-without-a-key',
    request: (sent) => (header(sent, keyHeader) === undefined ? withRightKey(sent) : sent),
  },
  {
    defect: 'one endpoint is mounted outside the key check',
    caughtBy: 'undoAddProduct.refuses-a-call-without-a-key',
    request: (sent) => (sent.path.endsWith('/undo-add-product') ? withRightKey(sent) : sent),
  },
  {
    defect: 'any key will do',
    caughtBy: 'getSubscription.refuses-a-wrong-key',
    request: (sent) => (header(sent, keyHeader) ? withRightKey(sent) : sent),
  },
  {
    defect: 'a key that begins like the right one will do',
    caughtBy: 'authentication.refuses-every-other-key',
    request: (sent) => (header(sent, keyHeader)?.startsWith(keys.first) === true ? withRightKey(sent) : sent),
  },
  {
    defect: 'a part of the key will do',
    caughtBy: 'authentication.refuses-every-other-key',
    request: (sent) => (keys.first.startsWith(header(sent, keyHeader) || '?') ? withRightKey(sent) : sent),
  },
  {
    defect: 'the key is compared without regard to letter case',
    caughtBy: 'authentication.refuses-every-other-key',
    request: (sent) => withHeader(sent, keyHeader, header(sent, keyHeader)?.toLowerCase()),
  },
  {
    defect: '"Bearer" before the key is cut off',
    caughtBy: 'authentication.refuses-every-other-key',
    request: (sent) => withHeader(sent, keyHeader, header(sent, keyHeader)?.replace('Bearer ', '')),
  },
  {
    defect: 'an empty key is no key, and no key is let in',
    caughtBy: 'authentication.refuses-every-other-key',
    request: (sent) => (header(sent, keyHeader) === '' ? withRightKey(sent) : sent),
  },
  {
    defect: 'the key is taken from the query too',
    caughtBy: 'authentication.reads-the-key-from-neither-query-nor-body',
    request: (sent) => (sent.query.includes(`api_key=${keys.first}`) ? withRightKey(sent) : sent),
  },
  {
    defect: 'the key is taken from the body too',
    caughtBy: 'authentication.reads-the-key-from-neither-query-nor-body',
    request: (sent) => (fieldsOf(sent)['token'] === keys.first ? withRightKey(sent) : sent),
  },
  {
    defect: 'a bearer token is taken for the key too',
    caughtBy: 'authentication.reads-the-key-from-no-other-header',
    request: (sent) => (header(sent, 'Authorization') === `Bearer ${keys.first}` ? withRightKey(sent) : sent),
  },
  {
    defect: 'a cookie is taken for the key too',
    caughtBy: 'authentication.reads-the-key-from-no-other-header',
    request: (sent) => (header(sent, 'Cookie')?.includes(keys.first) === true ? withRightKey(sent) : sent),
  },
  {
    defect: 'of two key headers the first one counts',
    caughtBy: 'authentication.refuses-a-repeated-key',
    request: (sent) => withHeader(sent, keyHeader, header(sent, keyHeader)),
  },
  {
    defect: 'a missing key is 403',
    caughtBy: 'addProduct.refuses-a-call-without-a-key',
    answer: of(401, (answered) => ({ ...answered, status: 403 })),
  },
  {
    defect: 'a wrong key is answered with a web page',
    caughtBy: 'getDiscount.refuses-a-wrong-key',
    answer: of(401, () => page(401)),
  },
  {
    defect: 'a missing key is a redirect to a login page',
    caughtBy: 'listProducts.refuses-a-call-without-a-key',
    answer: of(401, () => ({ ...page(302), headers: [['Location', '/login']] })),
  },
  {
    defect: 'a wrong key is answered without a body',
    caughtBy: 'swapProduct.refuses-a-wrong-key',
    answer: of(401, (answered) => ({ ...answered, body: '' })),
  },
  {
    defect: 'a 401 names no scheme',
    caughtBy: 'authentication.names-its-scheme',
    answer: (answered) => withHeader(answered, 'WWW-Authenticate'),
  },
  {
    defect: 'missing and wrong keys are answered differently',
    caughtBy: 'authentication.answers-all-strangers-alike',
    answer: (answered, sent) =>
      header(sent, keyHeader) === undefined ? replaceText('Send', 'Please send')(answered, sent) : answered,
  },
  {
    defect: 'strangers learn which paths do not exist',
    caughtBy: 'authentication.comes-before-everything-else',
    request: (sent) =>
      isStranger(sent) && sent.path.endsWith('/no-such-path') ? refusal(404, 'endpoint_not_found') : sent,
  },
  {
    defect: 'strangers learn which methods are not allowed',
    caughtBy: 'authentication.comes-before-everything-else',
    request: (sent) => (isStranger(sent) && sent.method === 'DELETE' ? refusal(405, 'method_not_allowed') : sent),
  },
  {
    defect: 'strangers learn that their JSON is broken',
    caughtBy: 'authentication.comes-before-everything-else',
    request: (sent) => (isStranger(sent) && sent.body === '{"email":' ? refusal(400, 'invalid_request') : sent),
  },
  {
    defect: 'the message repeats the key that was sent',
    caughtBy: 'authentication.keeps-the-key-to-itself',
    answer: of(401, (answered, sent) => replaceText('valid', header(sent, keyHeader) ?? '')(answered, sent)),
  },
  {
    defect: 'only one key is valid at a time',
    caughtBy: 'authentication.accepts-a-rotated-key',
    options: { apiKeys: [keys.first] },
  },
  {
    defect: 'one endpoint refuses the right key',
    caughtBy: 'authentication.accepts-the-given-key',
    request: (sent) => (sent.path.endsWith('/custom-action') ? refusal(401, 'unauthorized') : sent),
  },
  {
    defect: 'a health check at the base path tells its version to anybody',
    caughtBy: 'authentication.comes-before-everything-else',
    answer: at('/integration/', () => answer(200, { success: true, data: { version: '1.2.3' } })),
  },
]
