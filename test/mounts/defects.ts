import type { Answer, Call } from '@storeport/core'

/** A defect in a mount, which changes requests before the pipeline or responses after the pipeline. */
export interface Defect {
  /** Short description that starts with a verb. */
  readonly defect: string
  /** Id of the check that detects the defect. */
  readonly caughtBy: string
  /** Creates the function that changes requests. Runs once for each mount, so that the function can have state. */
  readonly changeRequest?: ChangeRequest
  readonly changeResponse?: ChangeResponse
}

type ChangeRequest = () => (call: Call) => Call
type ChangeResponse = (response: Answer, call: Call) => Answer

const each = (change: (call: Call) => Partial<Call>) => () => (call: Call) => ({ ...call, ...change(call) })

const withoutRequestHeader = (dropped: string) =>
  each((call) => ({ header: (name) => (name === dropped ? undefined : call.header(name)) }))

const withoutHeader = (dropped: string) => (response: Answer) => ({
  ...response,
  headers: Object.fromEntries(Object.entries(response.headers).filter(([name]) => name.toLowerCase() !== dropped)),
})

const withHeader = (name: string, value: string) => (response: Answer) => ({
  ...response,
  headers: { ...withoutHeader(name.toLowerCase())(response).headers, [name]: value },
})

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Returns the body of the first request for every later request. */
function reuseBody() {
  let firstBody: string | undefined
  return (call: Call): Call => ({ ...call, text: async (maxBytes) => (firstBody ??= await call.text(maxBytes)) })
}

const requestDefects: Readonly<Record<string, ChangeRequest>> = {
  'authentication.accepts-the-given-key: drops the key header': withoutRequestHeader('x-integration-api-key'),
  'authentication.rejects-a-repeated-key: uses the first of repeated headers': each((call) => ({
    header: (name) => call.header(name)?.split(', ')[0],
  })),
  'authentication.ignores-a-key-in-query-or-body: accepts the key in the query': each((call) => ({
    header: (name) => call.header(name) ?? new URLSearchParams(call.query).get(name) ?? undefined,
  })),
  'getDiscount.reads-discount-code: drops the query': each(() => ({ query: '' })),
  'emails.preserve-a-plus-in-the-query: replaces a plus in the query with a space': each(({ query }) => ({
    query: query.replaceAll('+', '%20'),
  })),
  'emails.accept-what-html-accepts: decodes the query before it is parsed': each(({ query }) => ({
    query: decoded(query),
  })),
  'getSubscription.rejects-a-repeated-parameter: uses the last of repeated query parameters': each(({ query }) => ({
    query: new URLSearchParams(Object.fromEntries(new URLSearchParams(query))).toString(),
  })),
  'routing.rejects-encoded-letters: decodes the path': each(({ path }) => ({ path: decoded(path) })),
  'routing.rejects-another-letter-case: converts the path to lower case': each(({ path }) => ({
    path: path.toLowerCase(),
  })),
  'routing.rejects-a-trailing-slash: removes a trailing slash from the path': each(({ path }) => ({
    path: path.replace(/\/$/, ''),
  })),
  'routing.rejects-a-doubled-slash: merges repeated slashes': each(({ path }) => ({
    path: path.replaceAll(/\/+/g, '/'),
  })),
  'routing.rejects-dots: resolves dots in the path': each(({ path }) => ({
    path: new URL(path, 'http://shop.example').pathname,
  })),
  'routing.handles-head-like-get: does not support HEAD': each(({ method }) => ({
    method: method === 'HEAD' ? 'PUT' : method,
  })),
  'routing.ignores-method-overrides: follows X-HTTP-Method-Override': each((call) => ({
    method: call.header('x-http-method-override') ?? call.method,
  })),
  'bodies.accept-json-with-parameters: drops the content type': withoutRequestHeader('content-type'),
  'bodies.reject-another-content-type: treats every body as JSON': each((call) => ({
    header: (name) => (name === 'content-type' ? 'application/json' : call.header(name)),
  })),
  'bodies.reject-more-than-64-kib: does not limit bodies': each((call) => ({
    text: () => call.text(Number.MAX_SAFE_INTEGER),
  })),
  'bodies.accept-64-kib: limits bodies to 16 KiB': each((call) => ({
    text: (maxBytes) => call.text(Math.min(maxBytes, 16_384)),
  })),
  'bodies.accept-64-kib: reuses the body of the first request': reuseBody,
  'retries.with-two-keys-take-effect-twice: drops the idempotency key': withoutRequestHeader('idempotency-key'),
  'responses.echo-the-request-id: drops the request id': withoutRequestHeader('x-request-id'),
}

const responseDefects: Readonly<Record<string, ChangeResponse>> = {
  'responses.are-not-stored: omits Cache-Control': withoutHeader('cache-control'),
  'responses.are-not-sniffed: omits X-Content-Type-Options': withoutHeader('x-content-type-options'),
  'authentication.names-the-scheme: omits WWW-Authenticate': withoutHeader('www-authenticate'),
  'getDiscount.rejects-other-methods: returns 405 without Allow': withoutHeader('allow'),
  'responses.have-one-content-type: returns HTML as the content type': withHeader(
    'Content-Type',
    'text/html; charset=utf-8',
  ),
  'responses.have-no-cors-header: allows every origin': withHeader('Access-Control-Allow-Origin', '*'),
  'errors.never-cause-a-server-error: returns 500 for every rejected request': (response) => ({
    ...response,
    status: response.status >= 400 ? 500 : response.status,
  }),
  'listProducts.returns-products: returns 201 for every success': (response) => ({
    ...response,
    status: response.status === 200 ? 201 : response.status,
  }),
  'responses.are-json: omits the body of an error response': (response) => ({
    ...response,
    body: response.status >= 400 ? '' : response.body,
  }),
  'responses.of-actions-contain-only-success: omits the body of a POST response': (response, { method }) => ({
    ...response,
    body: method === 'POST' ? '' : response.body,
  }),
}

/** Defects that the wire layer cannot detect, each with the reason. */
const shopResponseDefects: Readonly<Record<string, ChangeResponse>> = {
  // Only a discount code produces totals with cents.
  'addProduct.subtracts-a-percentage: rounds amounts down': (response) => ({
    ...response,
    body: response.body.replaceAll(/"((?:discount|order)_[a-z_]+)":(\d+)\.\d+/g, '"$1":$2'),
  }),
  // A product without optional fields is valid. Only the shop layer compares the list with the store.
  'listProducts.lists-every-available-product: omits optional fields': (response) => ({
    ...response,
    body: response.body.replaceAll(/,"(?:compare_at_price|description)":(?:"[^"]*"|[\d.]+)/g, ''),
  }),
  // No request of the wire layer returns an empty list.
  'listProducts.follows-the-subscription: returns 404 for an empty list': (response) => ({
    ...response,
    status: response.body.includes('"products":[]') ? 404 : response.status,
  }),
}

/** Defects that the wire layer detects. */
export const wireDefects: readonly Defect[] = [
  ...rowsOf(requestDefects).map(({ value: changeRequest, ...row }) => ({ ...row, changeRequest })),
  ...rowsOf(responseDefects).map(({ value: changeResponse, ...row }) => ({ ...row, changeResponse })),
]

/** Defects that only the shop layer detects. */
export const shopDefects: readonly Defect[] = rowsOf(shopResponseDefects).map(({ value: changeResponse, ...row }) => ({
  ...row,
  changeResponse,
}))

function rowsOf<Value>(table: Readonly<Record<string, Value>>) {
  return Object.entries(table).map(([name, value]) => {
    const [caughtBy = '', defect = ''] = name.split(': ')
    return { caughtBy, defect, value }
  })
}
