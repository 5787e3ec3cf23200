import { endpointNames, type EndpointName, endpoints } from '@storeport/core'
import type { CheckContext } from '../engine/check.ts'
import { CheckFailure } from '../engine/check-end.ts'
import { errorCodeOf, errorMessageOf } from '../engine/expectations.ts'
import type { RunOptions } from '../engine/options.ts'
import { probe } from '../engine/prepare-check.ts'
import { isObject, type Reply } from '../http/reply.ts'
import { explain } from '../http/unreachable.ts'

/**
 * Thrown if the shop is unreachable, rejects the API key, or does not offer the API at the URL. The message explains
 * how to fix the problem.
 */
export class ShopError extends Error {
  override readonly name = 'ShopError'
}

/**
 * Detects the endpoints that the shop offers. Sends requests without fields, which change nothing.
 *
 * Rejects with ShopError if the shop is unreachable, rejects the API key, or does not offer the API.
 */
export async function offeredBy(options: RunOptions): Promise<readonly EndpointName[]> {
  return probe({ ...options, offered: [] }, (t) => discover(t, options.send.host ?? 'the shop'))
}

/** The response of each endpoint to a request without fields; `undefined` if the response is missing. */
type Replies = ReadonlyMap<EndpointName, Reply | undefined>

async function discover(t: CheckContext, host: string): Promise<readonly EndpointName[]> {
  const answers = await requestEach(t, host)
  const nowhere = await replyOrFailure(() => t.send({ path: '/no-such-path' }))
  const unknown = nowhere instanceof CheckFailure ? undefined : nowhere
  const found = [...answers].filter(([, reply]) => reply === undefined || !isAbsent(reply, unknown))
  const replies = found.flatMap(([, reply]) => reply ?? [])
  const all = [...answers.values()].flatMap((reply) => reply ?? [])
  rejectOtherServers(t, host, all)
  if (found.length > 0 && replies.length === found.length) rejectInvalidKey(t, replies)
  if (found.length > 0) return found.map(([name]) => name)
  throw new ShopError(
    t.maySend('POST')
      ? `the shop offers no endpoints below ${t.names.basePath}. Check the URL and --base-path`
      : `a read-only run found no GET endpoints below ${t.names.basePath}. Check the URL and --base-path, or run without --read-only on a test shop`,
  )
}

/** Maximum number of requests without a response before the shop is reported as unreachable. */
const maxWithoutResponse = 2

async function requestEach(t: Pick<CheckContext, 'call' | 'maySend'>, host: string): Promise<Replies> {
  const answers = new Map<EndpointName, Reply | undefined>()
  for (const name of endpointNames.filter((each) => t.maySend(endpoints[each].method))) {
    const reply = await replyOrFailure(() => t.call(name))
    answers.set(name, reply instanceof CheckFailure ? undefined : reply)
    if (!(reply instanceof CheckFailure) || [...answers.values()].some((other) => other !== undefined)) continue
    const { noAnswer = '' } = reply
    // A running server may fail to respond to one request. If the second request has no response either, further
    // attempts do not help.
    const mayLoseOne = noAnswer.startsWith('within') || noAnswer === 'ECONNRESET'
    if (!mayLoseOne || answers.size >= maxWithoutResponse) throw new ShopError(explain(noAnswer, host))
  }
  return answers
}

/** Returns the response, or the failure of a request without a response. */
export async function replyOrFailure(call: () => Promise<Reply>): Promise<Reply | CheckFailure> {
  try {
    return await call()
  } catch (error) {
    if (error instanceof CheckFailure && error.noAnswer !== undefined) return error
    throw error
  }
}

/** Returns whether an endpoint is missing. A 404 with an error body may mean that the customer was not found. */
function isAbsent(reply: Reply, nowhere: Reply | undefined): boolean {
  if (reply.status === 405 || reply.status === 501) return true
  if (reply.status !== 404) return false
  const code = errorCodeOf(reply)
  if (code === undefined || code.startsWith('endpoint_not_')) return true
  const isLikeUnknownPath = nowhere?.status === 404 && errorCodeOf(nowhere) === code
  return isLikeUnknownPath && errorMessageOf(reply) === errorMessageOf(nowhere)
}

/** Throws ShopError if the responses are not from the API but from a proxy or another server. */
function rejectOtherServers({ names }: Pick<CheckContext, 'names'>, host: string, replies: readonly Reply[]): void {
  const [first] = replies
  if (first === undefined) throw new ShopError(`${host} did not respond`)
  if (replies.every(({ status }) => status >= 300 && status < 400)) {
    const target = first.header('Location') ?? 'another URL'
    throw new ShopError(`${host} redirects every request. The first target is ${target}. Use that URL`)
  }
  if (replies.every(({ status }) => status >= 500)) {
    throw new ShopError(`${host} returns ${first.status} for every request. Check that the shop's server is running`)
  }
  if (replies.every((reply) => !isObject(reply.json))) {
    const what = /^\s*</.test(first.text) ? 'an HTML page' : 'a body that is not JSON'
    const where = `${first.request.method} ${names.basePath}${endpoints.listProducts.path}`
    throw new ShopError(
      `${host} returns ${what} instead of the API's JSON (${first.status} for ${where}). Check the URL and --base-path`,
    )
  }
}

/** Throws ShopError if every endpoint rejects the key. */
function rejectInvalidKey({ names }: Pick<CheckContext, 'names'>, replies: readonly Reply[]): void {
  const [first] = replies
  if (first === undefined || !replies.every(({ status }) => status === 401 || status === 403)) return
  throw new ShopError(
    `the shop rejects the API key (${first.status} for every request). Check the key and the header name ${names.apiKeyHeader}`,
  )
}
