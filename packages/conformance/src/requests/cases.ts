import { type EndpointName, endpoints, type ErrorCode } from '@storeport/core'
import type { CallOptions, Check, CheckContext, CheckRow, RawRequest } from '../engine/check.ts'
import { errorMessageOf } from '../engine/expectations.ts'
import type { RequirementId } from '../engine/requirement.ts'
import { queryOf } from '../http/plain-http.ts'
import type { Reply } from '../http/reply.ts'
import {
  eachGet,
  eachOffered,
  eachPost,
  expectUnauthorized,
  expectValid,
  harmlessInput,
  sendable,
} from '../shop/inputs.ts'

/**
 * The required response: a rejection with an error code, `valid` for the response to an ordinary harmless request, or a
 * function that expects another response.
 */
export type Outcome =
  | ErrorCode
  | 'valid'
  | ((t: CheckContext, reply: Reply, name: EndpointName) => void | Promise<void>)

/** A request as changes to the harmless request of an endpoint, and the required response. */
export interface Row extends CallOptions {
  readonly method?: string
  /** Changes the path. */
  readonly path?: (path: string) => string
  /** The query; replaces the harmless query of a GET. */
  readonly query?: string
  /** Additional query parameters. */
  readonly more?: string
  /** Fields that replace or extend the harmless input, `undefined` for a missing field. */
  readonly fields?: Readonly<Record<string, unknown>>
  /** The body; replaces the harmless body of a POST. */
  readonly body?: NonNullable<RawRequest['body']>
  /** Content type of the body, `null` for none; defaults to JSON. */
  readonly type?: string | null
  /** Required response; defaults to the response that the check requires. */
  readonly outcome?: Outcome
  /** Requirement that fails; defaults to the first requirement of the check. */
  readonly requirement?: RequirementId
}

/** The harmless request of an endpoint. */
export interface Harmless {
  readonly t: CheckContext
  readonly name: EndpointName
  readonly input: Readonly<Record<string, unknown>>
  readonly json: string
}

/** Sends a harmless request with changes. */
export function sendRow(t: CheckContext, name: EndpointName, row: Row): Promise<Reply> {
  const { method, path, query, more = '', fields, body, type, outcome: _, requirement: _id, ...options } = row
  const isPost = endpoints[name].method === 'POST'
  const all = Object.entries({ ...harmlessInput(t, name), ...fields })
  const input = Object.fromEntries(
    all
      .filter(([, value]) => value !== undefined)
      .map(([field, value]) => [field, typeof value === 'string' ? sendable(name, value) : value]),
  )
  if ([method, path, query, body, type].every((part) => part === undefined) && more === '') {
    return t.call(name, input, options)
  }
  const pairs = [query ?? (isPost ? '' : queryOf(input)), more].filter((part) => part !== '').join('&')
  const target = (path?.(endpoints[name].path) ?? endpoints[name].path) + (pairs && `?${pairs}`)
  const content = body ?? (isPost && (method ?? 'POST') === 'POST' ? JSON.stringify(input) : undefined)
  const typed = content === undefined || type === null ? {} : { 'Content-Type': type ?? 'application/json' }
  const { key, headers } = options
  return t.send({
    method: method ?? endpoints[name].method,
    path: target,
    headers: { ...typed, ...headers },
    ...(key !== undefined && { key }),
    ...(content !== undefined && { body: content }),
  })
}

type Ids = Check['requirements']
type RowsOf = (harmless: Harmless) => readonly Row[]

const sending = (each: typeof eachPost) => (ids: Ids, outcome: Outcome, rowsOf: RowsOf) => ({
  requirements: ids,
  run: each((t, name) => sendRows(t, name, outcome, rowsOf(harmlessOf(t, name)))),
})

/** Checks that send the rows of each offered endpoint, POST endpoint or GET endpoint, and expect their outcome. */
export const toEach = sending(eachOffered)
export const toPosts = sending(eachPost)
export const toGets = sending(eachGet)

/** Like `toEach`, for one endpoint. */
export const to = (name: EndpointName) => sending((run) => (t) => run(t, name))

/** Sends rows to one endpoint and expects their outcome. Omits rows that a read-only run does not send. */
export async function sendRows(
  t: CheckContext,
  name: EndpointName,
  outcome: Outcome,
  rows: readonly Row[],
): Promise<void> {
  for (const row of rows.filter(({ method = 'GET' }) => t.maySend(method))) {
    const { requirement, outcome: expected = outcome } = row
    const reply = await sendRow(t, name, row)
    if (typeof expected === 'function') await expected(t, reply, name)
    else if (expected === 'valid') await expectValid(t, reply, name, requirement)
    else if (expected === 'unauthorized') expectUnauthorized(t, reply, requirement)
    else t.rejected(reply, expected, requirement)
    if (reply.status < 400) continue
    t.secondary(!internals.test(reply.text), 'no internal details of the server', reply, 'ERROR-4')
    t.secondary(!repeatsMarker(reply), 'a message without data from the request', reply, 'PRIVACY-1')
  }
}

/**
 * Sends the rows to the endpoints in turn, since each endpoint may have its own code for these requests.
 *
 * Does not send every row to every endpoint, since shops limit the number of requests with an invalid key.
 */
export function inTurn(ids: Ids, outcome: Outcome, rowsOf: (t: CheckContext) => readonly Row[]): CheckRow {
  return {
    requirements: ids,
    async run(t) {
      for (const [index, row] of rowsOf(t).entries()) {
        const name = t.offered[index % t.offered.length] ?? t.skip('the shop offers no endpoints')
        await sendRows(t, name, outcome, [row])
      }
    },
  }
}

export function harmlessOf(t: CheckContext, name: EndpointName): Harmless {
  const input = harmlessInput(t, name)
  return { t, name, input, json: JSON.stringify(input) }
}

/** A word that error messages do not contain by chance. */
export const marker = 'zq7wvx'

/** Stack traces, file paths, class names, and fragments of SQL and of database errors. */
const internals =
  /\n\s+at |\bat .+:\d+:\d+|node_modules|\.(?:ts|js|py|rb|php|java|go):\d+|Traceback|Exception\b|(?:Type|Syntax|Reference|Zod|Range)Error|SQLSTATE|SQLITE_|\b(?:SELECT|INSERT|UPDATE|DELETE)\b.+\b(?:FROM|INTO|SET)\b|syntax error|constraint failed|duplicate key|no such (?:table|column)|Fatal error|goroutine \d/

function repeatsMarker({ text }: Reply): boolean {
  return text.toLowerCase().includes(marker)
}

/** Expects no server error, no internal details, and no value of the request in an error response. */
export function expectHandled(t: CheckContext, reply: Reply, value?: unknown): void {
  t.ok(reply.status < 500, 'a status below 500', reply, 'ERROR-5')
  t.ok(!internals.test(reply.text), 'no internal details of the server', reply, 'ERROR-4')
  const isEcho = typeof value === 'string' && value.length >= 6 && errorMessageOf(reply).includes(value)
  const hasMarker = reply.status !== 200 && repeatsMarker(reply)
  t.ok(!isEcho && !hasMarker, 'a message without data from the request', reply, 'PRIVACY-1')
}

/** Expects that a request was rejected without an error of the server. */
export function expectRejected(
  t: CheckContext,
  reply: Reply,
  value: unknown,
  requirement: RequirementId,
  expected = 'a rejection',
): void {
  expectHandled(t, reply, value)
  t.ok(reply.status >= 400, expected, reply, requirement)
  // A framework may reject a content coding itself.
  if (requirement !== 'ODD-2') t.errorBody(reply, 'ERROR-1')
}
