import { type EndpointName, endpoints } from '@storeport/core'
import { listMutants } from '../list-mutants.ts'
import {
  changeField,
  failure,
  fieldsOf,
  header,
  isRecord,
  isTo,
  keyHeader,
  posts,
  replaceText,
  type Sent,
  withHeader,
} from '../messages.ts'
import { keys, type Mutant } from '../mutant.ts'

/** Endpoints that look up an id or a code in a database. */
const withIds = [
  'addProduct',
  'undoAddProduct',
  'swapProduct',
  'reactivateSubscription',
  'runCustomAction',
  'getDiscount',
] as const satisfies readonly EndpointName[]

const fieldsOfLists = [
  ['undoAddProduct', 'product_id'],
  ['sendNow', 'email'],
  ['swapProduct', 'new_product_id'],
  ['reactivateSubscription', 'subscription_id'],
  ['runCustomAction', 'action_id'],
] as const

/** Defects that only unusual input shows. */
export const mutants: readonly Mutant[] = [
  ...posts.flatMap((name) =>
    listMutants({
      crashes: {
        [`the fields of ${name} are walked recursively, and deep ones overflow the stack`]: (sent) =>
          isTo(sent, name) && /"[a-z_]+":[[{][^}\]]{5000}/.test(sent.body ?? ''),
      },
      request: {
        [`a body of ${name} that is no JSON is taken for {}`]: (sent) =>
          isTo(sent, name) && parsed(sent.body) === undefined ? { ...sent, body: '{}' } : sent,
      },
    }),
  ),
  ...fieldsOfLists.flatMap(([name, field]) =>
    listMutants({
      request: {
        [`${name} takes a list with one ${field} for that one`]: (sent) =>
          isTo(sent, name) ? changeField(field, (value) => (Array.isArray(value) ? value[0] : value))(sent) : sent,
      },
    }),
  ),
  ...withIds.flatMap((name) =>
    listMutants({
      store: {
        [`the database column behind ${name} holds letters of three bytes at most`]: (store) => ({
          [name]: failFor(store[name], /[\u{10000}-\u{10ffff}]/u),
        }),
      },
    }),
  ),
  ...listMutants({
    inputs: {
      getDiscount: {
        'codes are converted to upper case by the rules of Unicode': ({ discount_code }) => ({
          discount_code: discount_code.toUpperCase(),
        }),
      },
      addProduct: {
        'product ids are compared without regard to letter case': (input) => ({
          ...input,
          product_id: input.product_id.toLowerCase(),
        }),
        'spaces at the end of a product id are ignored': (input) => ({
          ...input,
          product_id: input.product_id.trimEnd() || input.product_id,
        }),
      },
      reactivateSubscription: {
        'a subscription is looked up with LIKE': (input, { account }) => {
          const pattern = likeOf(input.subscription_id)
          const id = account.subscriptions.find((one) => pattern.test(one.id))?.id ?? input.subscription_id
          return { ...input, subscription_id: id }
        },
      },
    },
    methods: {
      runCustomAction: {
        'the name of an action may be in capitals': (runCustomAction) => (input, context) =>
          runCustomAction({ ...input, action_id: input.action_id.toLowerCase() }, context),
        'percent signs in the id of an action are decoded': (runCustomAction) => (input, context) =>
          runCustomAction(
            { ...input, action_id: input.action_id.replaceAll(/%[\da-f]{2}/gi, decodeURIComponent) },
            context,
          ),
      },
      delaySubscription: {
        'the update of a delay is made with LIKE': (delay) => (input, context) =>
          delay({ ...input, email: input.email.replace(/^%@|^_nother@/, 'another@') }, context),
      },
    },
    queries: {
      'a query is decoded twice': (query) => query.replaceAll('%25', '%'),
      '`email[]` in a query is taken for `email`': (query) => query.replace(/email(?:\[\]|%5B%5D)=/, 'email='),
      '`email[$ne]` is a condition of the query': (query) =>
        query.replace(/^email\[\$ne\]=.*/, 'email=cancelled%40example.com'),
      'a nested parameter replaces the plain one': (query) => (query.includes('email[a]') ? 'email=x' : query),
    },
    request: {
      'addresses are looked up in capitals': changeField('email', (value) =>
        typeof value === 'string' ? value.normalize('NFKC') : value,
      ),
      'the endpoints are mounted without a prefix and a key too': (sent) =>
        Object.values(endpoints).some(({ path }) => path === sent.path)
          ? withHeader({ ...sent, path: `/integration${sent.path}` }, keyHeader, keys.first)
          : sent,
      'a client that wants a web page is told 406': (sent) =>
        header(sent, 'Accept')?.startsWith('text/html') === true ? failure(406, 'not_acceptable') : sent,
      'digits of any script are digits': changeField('new_date', (value) =>
        typeof value === 'string' ? value.normalize('NFKC') : value,
      ),
      'a NUL in an id ends the process': (sent) => closeConnectionIf(sent, String.raw`\u0000b`),
      'a body that is deep ends the process': (sent) => closeConnectionIf(sent, '['.repeat(9000)),
      'a quantity of 0 is 1 for whoever has a subscription': ofSubscriber(
        changeField('quantity', (value) => (value === 0 ? 1 : value)),
      ),
      'a date in words is the next one for whoever has a subscription': ofSubscriber(
        changeField('new_date', (value) => (value === 'tomorrow' ? '2090-01-01' : value)),
      ),
      'a quantity is cut to 32 bits': changeField('quantity', (value) => (value === 4_294_967_297 ? 1 : value)),
    },
    crashes: {
      'a key of two bytes a letter ends in an exception': (sent) => /[\x80-\xff]/.test(header(sent, keyHeader) ?? ''),
      'a long key ends in an exception of the digest': (sent) => (header(sent, keyHeader) ?? '').length > 2000,
      'a broken trace context ends in an exception': (sent) => header(sent, 'traceparent') === '00-zz',
      'a request id is too long for the column of the log': (sent) => (header(sent, 'X-Request-Id') ?? '').length > 255,
      'a compressed body ends in an exception': (sent) => header(sent, 'Content-Encoding') === 'gzip',
      'bytes that are no UTF-8 end in an exception': (sent) => sent.body?.includes('\ufffd') === true,
      'a path is decoded without a look at malformed percent signs': (sent) => !isEncoded(sent.path),
      'half a surrogate pair in a product id ends in an exception of the encoder': has(
        String.raw`"product_id":"\ud83c"`,
      ),
      'a malformed percent sign in the query of a POST ends in an exception': (sent) =>
        sent.method === 'POST' && !isEncoded(sent.query),
      'a quantity that no number holds is read as Infinity, which is no fraction and has no end': has('1e400'),
      'the year 0 ends in an exception of the date library': has('"0000-01-01"'),
    },
    answer: {
      'prices depend on the language': (answered, sent) =>
        header(sent, 'Accept-Language')?.startsWith('de')
          ? replaceText(/"price":(\d+)\.(\d+)/g, '"price":"$1,$2"')(answered, sent)
          : answered,
      'URLs of images contain the host of the proxy': (answered, sent) =>
        replaceText('localhost:3000', header(sent, 'X-Forwarded-Host') ?? 'localhost:3000')(answered, sent),
      'the message of the database is passed on': (answered, sent) =>
        isTo(sent, 'swapProduct') && String(fieldsOf(sent)['email']).includes("'")
          ? failure(400, 'invalid_request', 'near "OR": syntax error')
          : answered,
    },
  }),
]

/** Converts a pattern of LIKE to a regular expression. */
function likeOf(text: string): RegExp {
  const escaped = text.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&')
  return new RegExp(`^${escaped.replaceAll('%', '.*').replaceAll('_', '.')}$`)
}

function has(text: string) {
  return ({ body }: Sent): boolean => body?.includes(text) === true
}

/** Wraps a method so that it fails for input with unsupported characters. */
function failFor<Method extends (...words: never[]) => unknown>(method: Method, odd: RegExp): Method {
  // oxlint-disable-next-line typescript/consistent-type-assertions -- it has the parameters and the result of the method
  return ((...words: Parameters<Method>) => {
    if (odd.test(JSON.stringify(words[0]))) throw new TypeError('the database does not support this string')
    return method(...words)
  }) as Method
}

/** Applies a change only to requests for customers with a subscription. */
function ofSubscriber(change: (sent: Sent) => Sent): (sent: Sent) => Sent {
  const emails = ['subscription@example.com', 'another@example.com']
  return (sent) => (emails.some((email) => sent.body?.includes(email)) ? change(sent) : sent)
}

function isEncoded(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

function parsed(body: string | undefined): unknown {
  try {
    const value: unknown = JSON.parse((body ?? '').replace(/^\uFEFF/, ''))
    return isRecord(value) ? value : null
  } catch {
    return undefined
  }
}

/** Simulates a server that closes the connection before it responds. */
function closeConnectionIf(sent: Sent, text: string): Sent {
  if (has(text)(sent)) throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' })
  return sent
}
