import { setTimeout } from 'node:timers/promises'
import { dateIn, endpoints, type EndpointName, namesFor } from '@storeport/core'
import type { CallOptions, Check, CheckContext, RawRequest } from './check.ts'
import { type CheckFailure, CheckPause, CheckSkip, createEvidence, createLimit } from './check-end.ts'
import { callTogether, connectRaw } from './connect.ts'
import { createExpectations } from './expectations.ts'
import { type CheckOptions, defaultTimeoutMs, mayGoFar, type RunOptions, waitsForShop } from './options.ts'
import { createKeyHider, readReply, type Reply } from '../http/reply.ts'
import { type PlainRequest, withQuery } from '../http/plain-http.ts'
import { reasonOf, TimeUp, withinTime } from '../http/unreachable.ts'
import { seedProfile } from '../profile/seed-profile.ts'

/** Makes what one check of a run works with; `signal` fires when the check must end, its reason is what the check then ends with. */
export function prepareCheck(check: Check, options: CheckOptions, signal: AbortSignal) {
  const { send, apiKey, secondApiKey, profile = seedProfile, offered, changes } = options
  const { timeoutMs = defaultTimeoutMs } = options
  const names = namesFor(options.names)
  const farDates = mayGoFar(options)
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
      const wait = secondsToWait(reply)
      if (wait === undefined || waits === mostWaits || isStream(request.body)) return reply
      if (wait > 0 && !waitsForShop(options) && check.mode !== 'stress') throw new CheckPause(wait)
      options.onWait?.(wait)
      await setTimeout(wait * 1000, undefined, { signal }).catch(() => signal.throwIfAborted())
    }
  }

  async function sendOnce(request: PlainRequest, endpoint?: EndpointName): Promise<Reply> {
    signal.throwIfAborted()
    try {
      const response = await withinTime(timeoutMs, signal, (callSignal) => send({ ...request, signal: callSignal }))
      const reply = readReply(request, response, endpoint)
      evidence.keep(reply)
      return reply
    } catch (error) {
      signal.throwIfAborted()
      const noAnswer = error instanceof TimeUp ? error.message : reasonOf(error)
      const received = error instanceof TimeUp ? `none ${noAnswer}` : `none (${noAnswer})`
      const reply = readReply(request, { status: 0, headers: [], body: '' }, endpoint)
      evidence.keep(reply)
      throw evidence.failure({ requirement, expected: 'an answer', received, reply, noAnswer })
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

    async call(name, input = {}, callOptions = {}) {
      if (!farDates) changes?.allow(name, input)
      const reply = await exchangeNamed(name, input, callOptions)
      changes?.note(name, input, reply)
      return reply
    },
    async together(calls) {
      if (!context.hasConnections) {
        return Promise.all(calls.map(({ name, input, headers }) => context.call(name, input, { headers })))
      }
      if (!farDates) for (const { name, input } of calls) changes?.allow(name, input)
      const replies = await callTogether(context, calls)
      for (const [index, { name, input }] of calls.entries()) {
        const reply = replies[index]
        // What was sent again on its own is noted.
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
    connect: () => connectRaw({ send, names, apiKey, timeoutMs, signal, evidence, requirement }),

    skip(reason) {
      throw new CheckSkip(reason, false)
    },
    spent(reason) {
      throw new CheckSkip(reason, true)
    },
    need(value, where) {
      if (value !== undefined) return value
      throw new CheckSkip(`the profile names no ${where}`, false, where)
    },
  }
  return {
    context,
    evidence,
    /** The first thing that does not hold, apart from the point of the check. */ aside: () => aside,
  }
}

/** What calls outside of any check fail as. */
const noCheck: Check = {
  id: 'no.check',
  title: 'The shop can be asked.',
  requirements: ['ROUTE-1'],
  mode: 'read-only',
  layer: 'wire',
  needs: [],
  async run() {},
}

/** Makes calls outside of any check, within the time of one. */
export async function probe<Found>(options: CheckOptions, look: (t: CheckContext) => Promise<Found>): Promise<Found> {
  const limit = createLimit(options)
  try {
    return await look(prepareCheck(noCheck, options, limit.signal).context)
  } finally {
    limit.end()
  }
}

/** The date of the shop now, `YYYY-MM-DD`. */
export function todayOf({
  profile = seedProfile,
  now = () => new Date(),
}: Pick<RunOptions, 'profile' | 'now'>): string {
  if (profile.today !== undefined) return profile.today
  // A formatter takes long to make, and a run asks for the date before every check.
  const calendar = calendars.get(profile.timeZone) ?? dateIn(profile.timeZone)
  calendars.set(profile.timeZone, calendar)
  return calendar(now())
}

const calendars = new Map<string, (instant: Date) => string>()

/** So often a call is sent again when the shop says that it comes too soon. */
const mostWaits = 5

/** A wait that is longer is not worth it: shops count calls by the minute. */
export const longestWaitSeconds = 60

/** How long a shop that counts calls wants us to wait; `undefined` when it does not. */
function secondsToWait(reply: Reply): number | undefined {
  const header = reply.header('Retry-After') ?? ''
  const seconds = Number(header)
  const wants = reply.status === 429 && /^\d+$/.test(header) && seconds <= longestWaitSeconds
  return wants ? seconds : undefined
}

function isStream(body: PlainRequest['body']): boolean {
  return body !== undefined && !(body instanceof Uint8Array)
}
