import type { Answer, Call } from '@storeport/core'

/** A defect that a mount may have between the request and the pipeline, or between the answer and the response. */
export interface Defect {
  /** What the mount does, in a few words. */
  readonly defect: string
  /** What the pipeline sees of a call; a mount has one, so that it may remember. */
  readonly call?: () => (call: Call) => Call
  /** What the caller gets of an answer. */
  readonly answer?: (answer: Answer, call: Call) => Answer
  /** The check of the wire layer that sees it. */
  readonly caughtBy?: string
  /** Where the wire layer cannot see it: the check of the whole suite that does, and why the small layer does not. */
  readonly unseen?: { readonly caughtBy: string; readonly because: string }
}

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

/** Small defects of mounts, each with the check that sees it. */
export const defects: readonly Defect[] = [
  {
    defect: 'drops the key header',
    call: withoutRequestHeader('x-integration-api-key'),
    caughtBy: 'authentication.accepts-the-given-key',
  },
  {
    defect: 'takes the first of repeated headers',
    call: each((call) => ({ header: (name) => call.header(name)?.split(', ')[0] })),
    caughtBy: 'authentication.refuses-a-repeated-key',
  },
  {
    defect: 'reads the key from the query as well',
    call: each((call) => ({
      header: (name) => call.header(name) ?? new URLSearchParams(call.query).get(name) ?? undefined,
    })),
    caughtBy: 'authentication.reads-the-key-from-neither-query-nor-body',
  },
  {
    defect: 'loses the query',
    call: each(() => ({ query: '' })),
    caughtBy: 'getDiscount.takes-discount-code',
  },
  {
    defect: 'writes a plus in the query as a space',
    call: each(({ query }) => ({ query: query.replaceAll('+', '%20') })),
    caughtBy: 'emails.keep-a-plus-in-the-query',
  },
  {
    defect: 'decodes the query before it is taken apart',
    call: each(({ query }) => ({ query: decoded(query) })),
    caughtBy: 'emails.accept-what-html-accepts',
  },
  {
    defect: 'keeps the last of repeated names in the query',
    call: each(({ query }) => ({
      query: new URLSearchParams(Object.fromEntries(new URLSearchParams(query))).toString(),
    })),
    caughtBy: 'getSubscription.refuses-a-repeated-query-name',
  },
  {
    defect: 'decodes the path',
    call: each(({ path }) => ({ path: decoded(path) })),
    caughtBy: 'routing.refuses-encoded-letters',
  },
  {
    defect: 'writes the path in lower case',
    call: each(({ path }) => ({ path: path.toLowerCase() })),
    caughtBy: 'routing.refuses-another-letter-case',
  },
  {
    defect: 'takes a slash off the end of the path',
    call: each(({ path }) => ({ path: path.replace(/\/$/, '') })),
    caughtBy: 'routing.refuses-a-trailing-slash',
  },
  {
    defect: 'joins doubled slashes',
    call: each(({ path }) => ({ path: path.replaceAll(/\/+/g, '/') })),
    caughtBy: 'routing.refuses-a-doubled-slash',
  },
  {
    defect: 'takes dots out of the path',
    call: each(({ path }) => ({ path: new URL(path, 'http://shop.example').pathname })),
    caughtBy: 'routing.refuses-dots',
  },
  {
    defect: 'swallows HEAD',
    call: each(({ method }) => ({ method: method === 'HEAD' ? 'PUT' : method })),
    caughtBy: 'routing.answers-head-like-get',
  },
  {
    defect: 'follows X-HTTP-Method-Override',
    call: each((call) => ({ method: call.header('x-http-method-override') ?? call.method })),
    caughtBy: 'routing.ignores-method-overrides',
  },
  {
    defect: 'drops the content type',
    call: withoutRequestHeader('content-type'),
    caughtBy: 'bodies.accept-json-with-parameters',
  },
  {
    defect: 'says that every body is JSON',
    call: each((call) => ({ header: (name) => (name === 'content-type' ? 'application/json' : call.header(name)) })),
    caughtBy: 'bodies.refuse-another-content-type',
  },
  {
    defect: 'limits no body',
    call: each((call) => ({ text: () => call.text(Number.MAX_SAFE_INTEGER) })),
    caughtBy: 'bodies.refuse-more-than-64-kib',
  },
  {
    defect: 'limits bodies to 16 KiB',
    call: each((call) => ({ text: (maxBytes) => call.text(Math.min(maxBytes, 16_384)) })),
    caughtBy: 'bodies.accept-64-kib',
  },
  {
    defect: 'takes the body of the first call for every later one',
    call: reusingTheBody,
    caughtBy: 'bodies.accept-64-kib',
  },
  {
    defect: 'drops the idempotency key',
    call: withoutRequestHeader('idempotency-key'),
    caughtBy: 'retries.with-two-keys-are-two',
  },
  {
    defect: 'drops the request id',
    call: withoutRequestHeader('x-request-id'),
    caughtBy: 'answers.echo-the-request-id',
  },
  {
    defect: 'answers without Cache-Control',
    answer: withoutHeader('cache-control'),
    caughtBy: 'answers.are-not-stored',
  },
  {
    defect: 'answers without X-Content-Type-Options',
    answer: withoutHeader('x-content-type-options'),
    caughtBy: 'answers.are-not-sniffed',
  },
  {
    defect: 'answers without WWW-Authenticate',
    answer: withoutHeader('www-authenticate'),
    caughtBy: 'authentication.names-its-scheme',
  },
  {
    defect: 'answers 405 without Allow',
    answer: withoutHeader('allow'),
    caughtBy: 'getDiscount.refuses-other-methods',
  },
  {
    defect: 'answers as HTML',
    answer: withHeader('Content-Type', 'text/html; charset=utf-8'),
    caughtBy: 'answers.have-one-content-type',
  },
  {
    defect: 'allows every origin',
    answer: withHeader('Access-Control-Allow-Origin', '*'),
    caughtBy: 'answers.have-no-cors-header',
  },
  {
    defect: 'answers every refusal with 500',
    answer: (answer) => ({ ...answer, status: answer.status >= 400 ? 500 : answer.status }),
    caughtBy: 'errors.are-never-the-fault-of-the-server',
  },
  {
    defect: 'answers every success with 201',
    answer: (answer) => ({ ...answer, status: answer.status === 200 ? 201 : answer.status }),
    caughtBy: 'listProducts.answers-with-products',
  },
  {
    defect: 'leaves the body of a refusal out',
    answer: (answer) => ({ ...answer, body: answer.status >= 400 ? '' : answer.body }),
    caughtBy: 'answers.are-json',
  },
  {
    defect: 'leaves the body of a POST out',
    answer: (answer, { method }) => ({ ...answer, body: method === 'POST' ? '' : answer.body }),
    caughtBy: 'answers.of-actions-are-success-alone',
  },
  {
    defect: 'rounds amounts of an answer down',
    answer: (answer) => ({
      ...answer,
      body: answer.body.replaceAll(/"((?:discount|order)_[a-z_]+)":(\d+)\.\d+/g, '"$1":$2'),
    }),
    unseen: {
      caughtBy: 'addProduct.takes-a-percentage-off',
      because: 'totals with cents come only of a code that was used',
    },
  },
  {
    defect: 'leaves optional fields out of its answers',
    answer: (answer) => ({
      ...answer,
      body: answer.body.replaceAll(/,"(?:compare_at_price|description)":(?:"[^"]*"|[\d.]+)/g, ''),
    }),
    unseen: {
      caughtBy: 'listProducts.lists-every-available-product',
      because: 'a product without them is a product too: what the shop sells is compared over a store',
    },
  },
  {
    defect: 'takes an empty list for an error',
    answer: (answer) => ({ ...answer, status: answer.body.includes('"products":[]') ? 404 : answer.status }),
    unseen: {
      caughtBy: 'listProducts.follows-the-subscription',
      because: 'no list of these few calls is empty',
    },
  },
]
