import { endpoints } from '@storeport/core'
import { fieldsOf, header, isTo, keyHeader, replaceText, failure, changeField, withHeader } from '../messages.ts'
import { listMutants } from '../list-mutants.ts'
import { keys } from '../mutant.ts'

/** Defects that only unusual input shows. */
export const mutants = listMutants({
  queries: {
    'a query is decoded twice': (query) => query.replaceAll('%25', '%'),
    '`email[]` in a query is taken for `email`': (query) => query.replace(/email(?:\[\]|%5B%5D)=/, 'email='),
    '`email[$ne]` is a condition of the query': (query) =>
      query.replace(/^email\[\$ne\]=.*/, 'email=cancelled%40example.com'),
    'a nested parameter replaces the plain one': (query) => (query.includes('email[a]') ? 'email=x' : query),
  },
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
  crashes: {
    'a key of two bytes a letter ends in an exception': (sent) => /[\x80-\xff]/.test(header(sent, keyHeader) ?? ''),
    'a long key ends in an exception of the digest': (sent) => (header(sent, keyHeader) ?? '').length > 2000,
    'a broken trace context ends in an exception': (sent) => header(sent, 'traceparent') === '00-zz',
    'a request id is too long for the column of the log': (sent) => (header(sent, 'X-Request-Id') ?? '').length > 255,
    'a compressed body ends in an exception': (sent) => header(sent, 'Content-Encoding') === 'gzip',
    'bytes that are no UTF-8 end in an exception': (sent) => sent.body?.includes('\ufffd') === true,
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
})

/** Converts a pattern of LIKE to a regular expression. */
function likeOf(text: string): RegExp {
  const escaped = text.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&')
  return new RegExp(`^${escaped.replaceAll('%', '.*').replaceAll('_', '.')}$`)
}
