import { endpointNames, type EndpointName, endpoints } from '@storeport/core'
import type { CheckContext } from '../engine/check.ts'
import { CheckFailure } from '../engine/check-end.ts'
import { errorCodeOf, errorMessageOf } from '../engine/expectations.ts'
import type { CheckOptions, RunOptions } from '../engine/options.ts'
import { probe } from '../engine/prepare-check.ts'
import { isObject, type Reply } from '../http/reply.ts'
import { explain } from '../http/unreachable.ts'

/** Nothing can be checked: the shop cannot be reached, refuses the key, or there is no such API at the address; the message says what to check. */
export class ShopError extends Error {
  override readonly name = 'ShopError'
}

/**
 * The endpoints that the shop of a run offers, found out by calls without any field, which change nothing.
 *
 * Throws ShopError when this cannot be found out: nobody answers, the key is refused, or there is no such API.
 */
export async function offeredBy(options: RunOptions & Pick<CheckOptions, 'onWait'>): Promise<readonly EndpointName[]> {
  return probe({ ...options, offered: [] }, (t) => discover(t, options.send.host ?? 'the shop'))
}

/** What each endpoint answers to a call without any field; `undefined` for no answer. */
type Answers = ReadonlyMap<EndpointName, Reply | undefined>

async function discover(t: CheckContext, host: string): Promise<readonly EndpointName[]> {
  const answers = await askEach(t, host)
  const nowhere = await answerTo(() => t.send({ path: '/no-such-path' }))
  const unknown = nowhere instanceof CheckFailure ? undefined : nowhere
  const found = [...answers].filter(([, reply]) => reply === undefined || !isAbsent(reply, unknown))
  const replies = found.flatMap(([, reply]) => reply ?? [])
  const all = [...answers.values()].flatMap((reply) => reply ?? [])
  refuseElsewhere(t, host, all)
  if (found.length > 0 && replies.length === found.length) refuseAlike(t, replies)
  if (found.length > 0) return found.map(([name]) => name)
  throw new ShopError(`the shop offers no endpoint below ${t.names.basePath}: is the address right, and the base path?`)
}

/** How many calls without any answer are enough, when there was none before. */
const mostWithoutAnswer = 2

async function askEach(t: Pick<CheckContext, 'call'>, host: string): Promise<Answers> {
  const answers = new Map<EndpointName, Reply | undefined>()
  for (const name of endpointNames) {
    const reply = await answerTo(() => t.call(name))
    answers.set(name, reply instanceof CheckFailure ? undefined : reply)
    if (!(reply instanceof CheckFailure) || [...answers.values()].some((other) => other !== undefined)) continue
    const { noAnswer = '' } = reply
    // A server that is there may lose one call; nothing more can be learnt where there is none.
    const mayLoseOne = noAnswer.startsWith('within') || noAnswer === 'ECONNRESET'
    if (!mayLoseOne || answers.size >= mostWithoutAnswer) throw new ShopError(explain(noAnswer, host))
  }
  return answers
}

async function answerTo(call: () => Promise<Reply>): Promise<Reply | CheckFailure> {
  try {
    return await call()
  } catch (error) {
    if (error instanceof CheckFailure && error.noAnswer !== undefined) return error
    throw error
  }
}

/** A shop may well answer 404 in the error body when it looks for a customer before it checks the fields. */
function isAbsent(reply: Reply, nowhere: Reply | undefined): boolean {
  if (reply.status === 405 || reply.status === 501) return true
  if (reply.status !== 404) return false
  const code = errorCodeOf(reply)
  if (code === undefined || code.startsWith('endpoint_not_')) return true
  const isAsAnywhere = nowhere?.status === 404 && errorCodeOf(nowhere) === code
  return isAsAnywhere && errorMessageOf(reply) === errorMessageOf(nowhere)
}

/** Throws when it is not the API that answers, but something in front of it or in its place. */
function refuseElsewhere({ names }: Pick<CheckContext, 'names'>, host: string, replies: readonly Reply[]): void {
  const [first] = replies
  if (first === undefined) throw new ShopError(`no answer from ${host}`)
  if (replies.every(({ status }) => status >= 300 && status < 400)) {
    const target = first.header('Location') ?? 'another address'
    throw new ShopError(
      `${host} redirects every call, the first one to ${target}: give the address that it redirects to`,
    )
  }
  if (replies.every(({ status }) => status >= 500)) {
    throw new ShopError(`${host} answers every call with ${first.status}: is the server behind it running?`)
  }
  if (replies.every((reply) => !isObject(reply.json))) {
    const what = /^\s*</.test(first.text) ? 'a web page' : 'no JSON'
    const where = `${first.request.method} ${names.basePath}${endpoints.listProducts.path}`
    throw new ShopError(
      `${host} answers with ${what} rather than the JSON of the API (${first.status} for ${where}): is the address right, and the base path?`,
    )
  }
}

/** Throws when every endpoint refuses the key: then it is the wrong one. */
function refuseAlike({ names }: Pick<CheckContext, 'names'>, replies: readonly Reply[]): void {
  const [first] = replies
  if (first === undefined || !replies.every(({ status }) => status === 401 || status === 403)) return
  throw new ShopError(
    `the shop refuses the API key (${first.status} for every call): is it the right key, and is ${names.apiKeyHeader} the right header?`,
  )
}
