import { setTimeout } from 'node:timers/promises'
import { dateIn, endpoints, type EndpointName, namesFor } from '@storeport/core'
import type { CallOptions, Check, CheckContext, RawRequest } from './check.ts'
import { type CheckFailure, CheckPause, CheckReadOnly, CheckSkip, createEvidence, createLimit } from './check-end.ts'
import { callTogether, connectRaw } from './connect.ts'
import { createExpectations } from './expectations.ts'
import {
  allowsMethod,
  type CheckOptions,
  defaultTimeoutMs,
  mayChangeFreely,
  type RunOptions,
  waitsForShop,
} from './options.ts'
import { createKeyHider, readReply, type Reply } from '../http/reply.ts'
import { type PlainRequest, withQuery } from '../http/plain-http.ts'
import { reasonOf, TimeUp, withinTime } from '../http/unreachable.ts'
import { seedProfile } from '../profile/seed-profile.ts'

/** Creates the context of a check. `signal` aborts when the check must end. The abort reason becomes its error. */
export function prepareCheck(check: Check, options: CheckOptions, signal: AbortSignal) {
  const { send, apiKey, secondApiKey, profile = seedProfile, offered, changes } = options
  const { timeoutMs = defaultTimeoutMs, mode } = options
  const maySend = (method: string) => allowsMethod(mode, method)
  const names = namesFor(options.names)
  const farDates = mayChangeFreely(options)
  const [requirement] = check.requirements
  const secrets = [
    { key: apiKey, shown: '<key>' },
    { key: secondApiKey, shown: '<second key>' },
  ]
  const evidence = createEvidence(check, createKeyHider(secrets))
  let aside: CheckFailure | undefined

  async function exchange(request: PlainRequest, endpoint?: EndpointName): Promise<Reply> {
    for (let waits = 0; ; waits++) {
      const reply = await sendOnce(request, endpoint)
      const wait = readRetryAfter(reply)
      if (wait === undefined || waits === maxRetries || isStream(request.body)) return reply
      if (wait > 0 && !waitsForShop(options) && check.mode !== 'stress') throw new CheckPause(wait)
      options.onWait?.(wait)
      await setTimeout(wait * 1000, undefined, { signal }).catch(() => signal.throwIfAborted())
    }
  }

  async function sendOnce(request: PlainRequest, endpoint?: EndpointName): Promise<Reply> {
    signal.throwIfAborted()
    if (!maySend(request.method)) throw new CheckReadOnly()
    try {
      const response = await withinTime(timeoutMs, signal, (callSignal) => send({ ...request, signal: callSignal }))
      const reply = readReply(request, response, endpoint)
      evidence.record(reply)
      return reply
    } catch (error) {
      signal.throwIfAborted()
      const noAnswer = error instanceof TimeUp ? error.message : reasonOf(error)
      const received = error instanceof TimeUp ? `none ${noAnswer}` : `none (${noAnswer})`
      const reply = readReply(request, { status: 0, headers: [], body: '' }, endpoint)
      evidence.record(reply)
      throw evidence.failure({ requirement, expected: 'a response', received, reply, noAnswer })
    }
  }

  function keyHeaders(key: RawRequest['key']): [string, string][] {
    if (key === null) return []
    const values = key === undefined ? [apiKey] : [key].flat()
    return values.map((value) => [names.apiKeyHeader, value])
  }

  async function exchangeNamed(name: EndpointName, input: object, { key, headers }: CallOptions): Promise<Reply> {
    const { method, path } = endpoints[name]
    const lines = [...keyHeaders(key), ...Object.entries(headers ?? {})]
    const target = names.basePath + path
    if (method === 'GET') return exchange({ method, target: withQuery(target, input), headers: lines }, name)
    lines.push(['Content-Type', 'application/json'])
    return exchange({ method, target, headers: lines, body: Buffer.from(JSON.stringify(input)) }, name)
  }

  /** Units that the check has ordered, and undo requests for these orders, latest first. */
  const ordered = new Map<string, number>()
  const undos: object[] = []
  /** If the check would order more units than the profile allows, undoes its orders and skips it. */
  async function limitUnits(name: EndpointName, input: Readonly<Record<string, unknown>>): Promise<void> {
    const { email, product_id, quantity = 1 } = input
    const product = profile.products.listed.find(({ id }) => id === product_id)
    if (name !== 'addProduct' || product?.available === undefined) return
    const units = typeof quantity === 'number' && quantity > 0 && quantity <= profile.maxQuantity ? quantity : 0
    const total = (ordered.get(product.id) ?? 0) + units
    if (total > product.available) {
      for (const undo of undos) {
        await exchangeNamed('undoAddProduct', undo, { headers: { 'Idempotency-Key': crypto.randomUUID() } })
      }
      context.skip(`the profile allows only ${product.available} units of ${product.id}`)
    }
    ordered.set(product.id, total)
    undos.unshift({ email, product_id })
  }

  const context: CheckContext = {
    ...createExpectations(check, evidence, (makeFailure) => {
      aside ??= makeFailure()
    }),
    profile,
    names,
    apiKey,
    secondApiKey,
    offered,
    today: todayOf(options),
    farDates,
    maySend,

    async call(name, input = {}, callOptions = {}) {
      await limitUnits(name, input)
      if (!farDates) changes?.allow(name, input)
      const reply = await exchangeNamed(name, input, callOptions)
      changes?.note(name, input, reply)
      return reply
    },
    async concurrently(calls) {
      if (!context.hasConnections) {
        return Promise.all(calls.map(({ name, input, headers }) => context.call(name, input, { headers })))
      }
      for (const { name, input } of calls) await limitUnits(name, input)
      if (!farDates) for (const { name, input } of calls) changes?.allow(name, input)
      const replies = await callTogether(context, calls)
      for (const [index, { name, input }] of calls.entries()) {
        const reply = replies[index]
        // A reply with an endpoint is the result of a retry with `call`, which has already recorded it.
        if (reply !== undefined && reply.endpoint === undefined) changes?.note(name, input, reply)
      }
      return replies
    },
    async send({ method = 'GET', path, key, headers = {}, body }) {
      const lines = [...keyHeaders(key), ...Object.entries(headers)]
      const sent = typeof body === 'string' ? Buffer.from(body) : body
      return exchange({ method, target: names.basePath + path, headers: lines, body: sent })
    },

    hasConnections: send.connect !== undefined,
    connect: () => connectRaw({ send, names, apiKey, timeoutMs, signal, evidence, requirement, maySend }),

    skip(reason) {
      throw new CheckSkip(reason, false)
    },
    skipUsed(reason) {
      throw new CheckSkip(reason, true)
    },
    need(value, where) {
      if (value !== undefined) return value
      throw new CheckSkip(`the profile has no ${where}`, false, where)
    },
  }
  return {
    context,
    evidence,
    /** Returns the first secondary failure, if any. */
    aside: () => aside,
  }
}

/** Placeholder check for requests that do not belong to a check. */
const noCheck: Check = {
  id: 'no.check',
  title: 'The shop is reachable.',
  requirements: ['ROUTE-1'],
  mode: 'read-only',
  layer: 'wire',
  needs: [],
  async run() {},
}

/** Runs requests outside of checks, with the time limit of a check. */
export async function probe<Found>(options: CheckOptions, look: (t: CheckContext) => Promise<Found>): Promise<Found> {
  const limit = createLimit(options)
  try {
    return await look(prepareCheck(noCheck, options, limit.signal).context)
  } finally {
    limit.end()
  }
}

/** Returns the current date of the shop, `YYYY-MM-DD`. */
export function todayOf({
  profile = seedProfile,
  now = () => new Date(),
}: Pick<RunOptions, 'profile' | 'now'>): string {
  if (profile.today !== undefined) return profile.today
  // Caches the formatter, which is slow to create and needed before every check.
  const calendar = calendars.get(profile.timeZone) ?? dateIn(profile.timeZone)
  calendars.set(profile.timeZone, calendar)
  return calendar(now())
}

const calendars = new Map<string, (instant: Date) => string>()

/** Maximum number of retries of a rate-limited request. */
const maxRetries = 5

/** Maximum pause before a retry, in seconds. Most shops limit the number of requests per minute. */
export const maxWaitSeconds = 60

/** Returns the `Retry-After` of a 429 response, in seconds; `undefined` if missing or longer than the maximum. */
function readRetryAfter(reply: Reply): number | undefined {
  const header = reply.header('Retry-After') ?? ''
  const seconds = Number(header)
  const isRateLimited = reply.status === 429 && /^\d+$/.test(header) && seconds <= maxWaitSeconds
  return isRateLimited ? seconds : undefined
}

function isStream(body: PlainRequest['body']): boolean {
  return body !== undefined && !(body instanceof Uint8Array)
}
