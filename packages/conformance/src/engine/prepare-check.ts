import { setTimeout } from 'node:timers/promises'
import { dateIn, endpoints, type EndpointName, namesFor } from '@storeport/core'
import type { CallOptions, Check, CheckContext, RawRequest } from './check.ts'
import { type CheckFailure, CheckSkip, createEvidence, createLimit, skipReadOnly } from './check-end.ts'
import { callTogether, connectRaw } from './connect.ts'
import { createExpectations } from './expectations.ts'
import type { Requirement, RequirementId } from './requirement.ts'
import { createChangeLog } from './changes.ts'
import { watchCheck } from './watch.ts'
import {
  allowsMethod,
  type CheckOptions,
  defaultTimeoutMs,
  mayChangeFreely,
  type RunOptions,
  systemClock,
  waitsForShop,
} from './options.ts'
import { readReply, type Reply } from '../http/reply.ts'
import { type PlainRequest, withQuery } from '../http/plain-http.ts'
import { withinTime } from '../http/unreachable.ts'
import { seedProfile } from '../profile/seed-profile.ts'
import { createKeyHider } from '../http/hide-keys.ts'

/** Creates the context of a check. When `signal` aborts, pending requests reject with the abort reason. */
export function prepareCheck(
  check: Check,
  options: CheckOptions,
  signal: AbortSignal,
  requirementOf?: (id: RequirementId) => Requirement,
) {
  const { send, apiKey, secondApiKey, profile = seedProfile, offered } = options
  const { timeoutMs = defaultTimeoutMs, mode, clock = systemClock } = options
  const maySend = (method: string) => allowsMethod(mode, method)
  const names = namesFor(options.names)
  const farDates = mayChangeFreely(options)
  const evidence = createEvidence(check, createKeyHider(options), () => clock.now())
  let aside: CheckFailure | undefined

  async function exchange(request: PlainRequest, endpoint?: EndpointName): Promise<Reply> {
    const isStream = request.body !== undefined && Symbol.asyncIterator in request.body
    for (let waits = 0; ; waits++) {
      const reply = await sendOnce(request, endpoint)
      // An invalid key must always return 401. If an invalid key is rate-limited, the check fails instead of waiting.
      const wait = hasValidKey(request) ? readRetryAfter(reply) : undefined
      if (wait === undefined || waits === maxRetries || isStream) return reply
      if (wait > 0 && !waitsForShop(options) && check.mode !== 'stress')
        throw new CheckSkip(`the shop's rate limit requires a pause of ${wait} s`, { kind: 'pause', seconds: wait })
      options.onWait?.(wait)
      await setTimeout(wait * 1000, undefined, { signal }).catch(() => signal.throwIfAborted())
    }
  }

  async function sendPlain(request: PlainRequest, endpoint?: EndpointName): Promise<Reply> {
    const response = await withinTime(timeoutMs, signal, (callSignal) => send({ ...request, signal: callSignal }))
    return readReply(request, response, endpoint)
  }

  async function sendOnce(unsent: PlainRequest, endpoint?: EndpointName): Promise<Reply> {
    signal.throwIfAborted()
    if (!maySend(unsent.method)) throw skipReadOnly()
    const request = { ...unsent, sentAt: clock.now() }
    try {
      const reply = await sendPlain(request, endpoint)
      evidence.record(reply)
      return reply
    } catch (error) {
      signal.throwIfAborted()
      throw evidence.silence(request, error, endpoint)
    }
  }

  function hasValidKey({ headers }: PlainRequest): boolean {
    const keys = headers.filter(([name]) => name.toLowerCase() === names.apiKeyHeader.toLowerCase())
    return keys.length === 1 && [apiKey, secondApiKey].includes(keys[0]?.[1])
  }

  function keyHeaders(key: RawRequest['key']): [string, string][] {
    if (key === null) return []
    const values = key === undefined ? [apiKey] : [key].flat()
    return values.map((value) => [names.apiKeyHeader, value])
  }

  function toRequest(name: EndpointName, input: object, { key, headers }: CallOptions = {}): PlainRequest {
    const { method, path } = endpoints[name]
    const lines = [...keyHeaders(key), ...Object.entries(headers ?? {})]
    const target = names.basePath + path
    if (method === 'GET') return { method, target: withQuery(target, input), headers: lines }
    lines.push(['Content-Type', 'application/json'])
    return { method, target, headers: lines, body: Buffer.from(JSON.stringify(input)) }
  }

  const exchangeNamed = (name: EndpointName, input: object = {}, callOptions?: CallOptions) =>
    exchange(toRequest(name, input, callOptions), name)

  const log = options.changes ?? createChangeLog(profile)
  const sendUnrecorded = (name: EndpointName, input: object) => sendPlain(toRequest(name, input), name)
  const watch = watchCheck(check, profile, log, offered, { send: sendUnrecorded, farDates })
  const trials = new Map<EndpointName, number>()

  const context: CheckContext = {
    ...createExpectations(check, evidence, (makeFailure) => void (aside ??= makeFailure()), requirementOf),
    profile,
    names,
    apiKey,
    secondApiKey,
    offered,
    today: todayOf(options),
    farDates,
    maySend,

    async call(name, input = {}, callOptions = {}) {
      const before = await watch.before({ name, input })
      const reply = await exchangeNamed(name, input, callOptions)
      await watch.after({ name, input }, reply, before)
      return reply
    },
    async concurrently(calls, offsetsMs = []) {
      const before = await watch.before(...calls)
      const replies = context.hasConnections
        ? await callTogether(calls, offsetsMs, context.connect, exchangeNamed)
        : await Promise.all(
            calls.map(async ({ name, input, headers }, index) => {
              await setTimeout(offsetsMs[index] ?? 0)
              return exchangeNamed(name, input, { headers })
            }),
          )
      for (const [index, call] of calls.entries()) {
        const reply = replies[index]
        if (reply !== undefined) await watch.after(call, reply, before)
      }
      return replies
    },
    now: () => clock.now(),
    async waitUntil(at) {
      await clock.sleep(Math.max(0, at - clock.now()), signal)
      signal.throwIfAborted()
    },
    tried: (name, times = 1) => void trials.set(name, (trials.get(name) ?? 0) + times),
    async send({ method = 'GET', path, isOutside = false, key, headers = {}, body }) {
      const lines = [...keyHeaders(key), ...Object.entries(headers)]
      const sent = typeof body === 'string' ? Buffer.from(body) : body
      if (sent !== undefined) await watch.start()
      if (sent instanceof Uint8Array) watch.touch(Buffer.from(sent).toString())
      return exchange({ method, target: (isOutside ? '' : names.basePath) + path, headers: lines, body: sent })
    },

    hasConnections: send.connect !== undefined,
    async connect(first) {
      if (maySend('POST')) await watch.start()
      const caller = await connectRaw(context, options, signal, evidence, (text) => watch.touch(text))
      if (first !== undefined) caller.request(first)
      return caller
    },

    explore: options.explore,
    fail(details) {
      throw evidence.failure(details)
    },
    skip(reason) {
      throw new CheckSkip(reason)
    },
    skipUsed(reason, by) {
      throw new CheckSkip(reason + (by === undefined ? '' : watch.describeUses(by)), { kind: 'spent' })
    },
    need(value, where) {
      if (value !== undefined) return value
      throw new CheckSkip(`the profile has no ${where}`, { kind: 'profile', lacks: [where] })
    },
  }
  return {
    context,
    evidence,
    trials,
    /** Returns the first change that an operation must not make. If no such change exists, returns the first secondary failure. */
    async aside(): Promise<CheckFailure | undefined> {
      const violation = await watch.end()
      return violation === undefined ? aside : evidence.failure(violation)
    },
    /** Reverts the additions and swaps of the check. Returns the customers that could not be restored. */
    takeBack: () =>
      // Sends a new `Idempotency-Key` with each request, so that the shop does not treat the request as a repeat.
      watch.takeBack((name, input) =>
        exchangeNamed(name, input, { headers: { 'Idempotency-Key': crypto.randomUUID() } }),
      ),
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

/** Sends requests that do not belong to a check, with the time limit of a check. */
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
  // Caches the formatter, which is slow to create. Every check needs the date.
  const { timeZone } = profile
  const calendar = calendars.get(timeZone) ?? dateIn(timeZone)
  calendars.set(timeZone, calendar)
  return calendar(now())
}

const calendars = new Map<string, (instant: Date) => string>()

/** Maximum number of retries of a rate-limited request. */
const maxRetries = 5

/** Maximum pause before a retry, in seconds. Sufficient for most shops, which limit the requests per minute. */
export const maxWaitSeconds = 60

/** Returns the `Retry-After` of a 429 response, in seconds; `undefined` if it is missing, invalid or too long. */
function readRetryAfter(reply: Reply): number | undefined {
  const header = reply.header('Retry-After') ?? ''
  const seconds = Number(header)
  const isRateLimited = reply.status === 429 && /^\d+$/.test(header) && seconds <= maxWaitSeconds
  return isRateLimited ? seconds : undefined
}
