import type { Answer, Call } from '@storeport/core'

/** A defect that a mount may have between the request and the pipeline, or between the answer and the response. */
export interface Defect {
  /** What the mount does, in a few words. */
  readonly defect: string
  /** The check that sees it. */
  readonly caughtBy: string
  /** What the pipeline sees of a call; a mount has one, so that it may remember. */
  readonly call?: ChangeCall
  /** What the caller gets of an answer. */
  readonly answer?: ChangeAnswer
}

type ChangeCall = () => (call: Call) => Call
type ChangeAnswer = (answer: Answer, call: Call) => Answer

const each = (change: (call: Call) => Partial<Call>) => () => (call: Call) => ({ ...call, ...change(call) })

const withoutRequestHeader = (dropped: string) =>
  each((call) => ({ header: (name) => (name === dropped ? undefined : call.header(name)) }))

const withoutHeader = (dropped: string) => (answer: Answer) => ({
  ...answer,
  headers: Object.fromEntries(Object.entries(answer.headers).filter(([name]) => name.toLowerCase() !== dropped)),
})

const withHeader = (name: string, value: string) => (answer: Answer) => ({
  ...answer,
  headers: { ...withoutHeader(name.toLowerCase())(answer).headers, [name]: value },
})

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The calls of a mount that reads a body once and takes it for the next one too. */
function reusingTheBody() {
  let kept: string | undefined
  return (call: Call): Call => ({ ...call, text: async (maxBytes) => (kept ??= await call.text(maxBytes)) })
}

const calls: Readonly<Record<string, ChangeCall>> = {
  'authentication.accepts-the-given-key: drops the key header': withoutRequestHeader('x-integration-api-key'),
  'authentication.refuses-a-repeated-key: takes the first of repeated headers': each((call) => ({
    header: (name) => call.header(name)?.split(', ')[0],
  })),
  'authentication.reads-the-key-from-neither-query-nor-body: reads the key from the query as well': each((call) => ({
    header: (name) => call.header(name) ?? new URLSearchParams(call.query).get(name) ?? undefined,
  })),
  'getDiscount.takes-discount-code: loses the query': each(() => ({ query: '' })),
  'emails.keep-a-plus-in-the-query: writes a plus in the query as a space': each(({ query }) => ({
    query: query.replaceAll('+', '%20'),
  })),
  'emails.accept-what-html-accepts: decodes the query before it is taken apart': each(({ query }) => ({
    query: decoded(query),
  })),
  'getSubscription.refuses-a-repeated-query-name: keeps the last of repeated names in the query': each(({ query }) => ({
    query: new URLSearchParams(Object.fromEntries(new URLSearchParams(query))).toString(),
  })),
  'routing.refuses-encoded-letters: decodes the path': each(({ path }) => ({ path: decoded(path) })),
  'routing.refuses-another-letter-case: writes the path in lower case': each(({ path }) => ({
    path: path.toLowerCase(),
  })),
  'routing.refuses-a-trailing-slash: takes a slash off the end of the path': each(({ path }) => ({
    path: path.replace(/\/$/, ''),
  })),
  'routing.refuses-a-doubled-slash: joins doubled slashes': each(({ path }) => ({
    path: path.replaceAll(/\/+/g, '/'),
  })),
  'routing.refuses-dots: takes dots out of the path': each(({ path }) => ({
    path: new URL(path, 'http://shop.example').pathname,
  })),
  'routing.answers-head-like-get: swallows HEAD': each(({ method }) => ({
    method: method === 'HEAD' ? 'PUT' : method,
  })),
  'routing.ignores-method-overrides: follows X-HTTP-Method-Override': each((call) => ({
    method: call.header('x-http-method-override') ?? call.method,
  })),
  'bodies.accept-json-with-parameters: drops the content type': withoutRequestHeader('content-type'),
  'bodies.refuse-another-content-type: says that every body is JSON': each((call) => ({
    header: (name) => (name === 'content-type' ? 'application/json' : call.header(name)),
  })),
  'bodies.refuse-more-than-64-kib: limits no body': each((call) => ({
    text: () => call.text(Number.MAX_SAFE_INTEGER),
  })),
  'bodies.accept-64-kib: limits bodies to 16 KiB': each((call) => ({
    text: (maxBytes) => call.text(Math.min(maxBytes, 16_384)),
  })),
  'bodies.accept-64-kib: takes the body of the first call for every later one': reusingTheBody,
  'retries.with-two-keys-are-two: drops the idempotency key': withoutRequestHeader('idempotency-key'),
  'answers.echo-the-request-id: drops the request id': withoutRequestHeader('x-request-id'),
}

const answers: Readonly<Record<string, ChangeAnswer>> = {
  'answers.are-not-stored: answers without Cache-Control': withoutHeader('cache-control'),
  'answers.are-not-sniffed: answers without X-Content-Type-Options': withoutHeader('x-content-type-options'),
  'authentication.names-its-scheme: answers without WWW-Authenticate': withoutHeader('www-authenticate'),
  'getDiscount.refuses-other-methods: answers 405 without Allow': withoutHeader('allow'),
  'answers.have-one-content-type: answers as HTML': withHeader('Content-Type', 'text/html; charset=utf-8'),
  'answers.have-no-cors-header: allows every origin': withHeader('Access-Control-Allow-Origin', '*'),
  'errors.are-never-the-fault-of-the-server: answers every refusal with 500': (answer) => ({
    ...answer,
    status: answer.status >= 400 ? 500 : answer.status,
  }),
  'listProducts.answers-with-products: answers every success with 201': (answer) => ({
    ...answer,
    status: answer.status === 200 ? 201 : answer.status,
  }),
  'answers.are-json: leaves the body of a refusal out': (answer) => ({
    ...answer,
    body: answer.status >= 400 ? '' : answer.body,
  }),
  'answers.of-actions-are-success-alone: leaves the body of a POST out': (answer, { method }) => ({
    ...answer,
    body: method === 'POST' ? '' : answer.body,
  }),
}

/** What the wire layer does not see, each with the reason. */
const answersInTheShop: Readonly<Record<string, ChangeAnswer>> = {
  // Totals with cents come only of a code that was used.
  'addProduct.takes-a-percentage-off: rounds amounts of an answer down': (answer) => ({
    ...answer,
    body: answer.body.replaceAll(/"((?:discount|order)_[a-z_]+)":(\d+)\.\d+/g, '"$1":$2'),
  }),
  // A product without them is a product too: what the shop sells is compared over a store.
  'listProducts.lists-every-available-product: leaves optional fields out of its answers': (answer) => ({
    ...answer,
    body: answer.body.replaceAll(/,"(?:compare_at_price|description)":(?:"[^"]*"|[\d.]+)/g, ''),
  }),
  // No list of these few calls is empty.
  'listProducts.follows-the-subscription: takes an empty list for an error': (answer) => ({
    ...answer,
    status: answer.body.includes('"products":[]') ? 404 : answer.status,
  }),
}

/** Small defects of mounts that a check of the wire layer sees. */
export const defects: readonly Defect[] = [
  ...rowsOf(calls).map(({ value: call, ...row }) => ({ ...row, call })),
  ...rowsOf(answers).map(({ value: answer, ...row }) => ({ ...row, answer })),
]

/** Those that the wire layer cannot see; a check of the shop's layer does. */
export const unseenDefects: readonly Defect[] = rowsOf(answersInTheShop).map(({ value: answer, ...row }) => ({
  ...row,
  answer,
}))

function rowsOf<Value>(table: Readonly<Record<string, Value>>) {
  return Object.entries(table).map(([name, value]) => {
    const [caughtBy = '', defect = ''] = name.split(': ')
    return { caughtBy, defect, value }
  })
}
