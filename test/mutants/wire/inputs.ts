import { endpointNames, type EndpointName } from '@storeport/core'
import { changeField, isRecord, isTo, posts, type Sent } from '../messages.ts'
import { listMutants } from '../list-mutants.ts'
import type { Mutant } from '../mutant.ts'

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

/** Defects in the handling of unusual input. */
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
  ...endpointNames.flatMap((name) =>
    listMutants({
      crashes: {
        [`a path like that of ${name} is decoded without a look at malformed percent signs`]: (sent) =>
          isTo({ ...sent, path: sent.path.replace(/\/?%.*$/, '') }, name) && !isEncoded(sent.path),
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
    crashes: {
      'half a surrogate pair in a product id ends in an exception of the encoder': has(
        String.raw`"product_id":"\ud83c"`,
      ),
      'a malformed percent sign in the query of a POST ends in an exception': (sent) =>
        sent.method === 'POST' && !isEncoded(sent.query),
      'a quantity that no number holds is read as Infinity, which is no fraction and has no end': has('1e400'),
      'the year 0 ends in an exception of the date library': has('"0000-01-01"'),
    },
    request: {
      'a NUL in an id ends the process': (sent) => closeConnectionIf(sent, String.raw`\u0000b`),
      'half a surrogate pair is replaced, and the rest is looked up as an action that is there': changeField(
        'action_id',
        (value) => (value === '\ud83c' ? 'join_waitlist_product_123' : value),
      ),
      'a body that is deep ends the process': (sent) => closeConnectionIf(sent, '['.repeat(9000)),
      'a quantity of 0 is 1 for whoever has a subscription': ofSubscriber(
        changeField('quantity', (value) => (value === 0 ? 1 : value)),
      ),
      'a date in words is the next one for whoever has a subscription': ofSubscriber(
        changeField('new_date', (value) => (value === 'tomorrow' ? '2090-01-01' : value)),
      ),
      'a quantity is cut to 32 bits': changeField('quantity', (value) => (value === 4_294_967_297 ? 1 : value)),
    },
  }),
]

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
