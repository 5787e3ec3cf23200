import { setTimeout } from 'node:timers/promises'
import { endpoints, type EndpointName, isDate, type Names } from '@storeport/core'
import type { ChangeLog } from './change-log.ts'
import type { Check } from './check.ts'
import type { CallOptions, CheckContext, RawRequest } from './check-context.ts'
import type { CheckFailure } from './check-failure.ts'
import { CheckPause, CheckSkip } from './check-skip.ts'
import { callTogether } from './call-together.ts'
import { connectRaw } from './connect-raw.ts'
import { createEvidence, type Evidence } from './create-evidence.ts'
import { createExpectations } from './expectations.ts'
import type { DateGuard } from './date-guard.ts'
import { isObject } from './is-object.ts'
import { createKeyHider } from '../http/hide-keys.ts'
import type { PlainRequest, Send } from '../http/plain-http.ts'
import type { Profile } from '../profile/profile.ts'
import { readReply, type Reply } from '../http/reply.ts'
import { reasonOf } from '../http/unreachable.ts'
import { TimeUp, withinTime } from '../http/within-time.ts'

/** What a check context is made of. */
export interface CheckSurroundings {
  /** The way to the server. */
  readonly send: Send
  /** The given API key. */
  readonly apiKey: string
  /** A second API key that is valid too. */
  readonly secondApiKey: string | undefined
  /** Path prefix and header names. */
  readonly names: Names
  /** Test customers, products, codes and actions. */
  readonly profile: Profile
  /** The endpoints that the shop offers. */
  readonly offered: readonly EndpointName[]
  /** The shop's date, `YYYY-MM-DD`. */
  readonly today: string
  /** Longest wait for an answer, in milliseconds. */
  readonly timeoutMs: number
  /** Whether to wait where the shop wants a pause. */
  readonly waits: boolean
  /** Whether a date may lie far ahead. */
  readonly farDates: boolean
  /** Keeps dates near. */
  readonly dates?: DateGuard | undefined
  /** Keeps what is changed. */
  readonly changes?: ChangeLog | undefined
  /** Called with the seconds that the shop wants the next call to wait. */
  readonly onWait?: ((seconds: number) => void) | undefined
  /** Fires when the check must end; its reason is what the check then ends with. */
  readonly signal: AbortSignal
}

/** A check that can be made. */
export interface PreparedCheck {
  /** What the check works with. */
  readonly context: CheckContext
  /** What it has seen. */
  readonly evidence: Evidence
  /** The first thing that does not hold, apart from the point of the check. */
  aside(): CheckFailure | undefined
}

type Input = Readonly<Record<string, unknown>>

/** Makes what one check works with. */
export function createCheckContext(check: Check, surroundings: CheckSurroundings): PreparedCheck {
  const { names, apiKey, secondApiKey, profile, signal } = surroundings
  const secrets = [
    { key: apiKey, shown: '<key>' },
    { key: secondApiKey, shown: '<second key>' },
  ]
  const evidence = createEvidence(check, createKeyHider(secrets))
  let aside: CheckFailure | undefined

  async function exchange(request: PlainRequest, endpoint: EndpointName | undefined): Promise<Reply> {
    for (let waits = 0; ; waits++) {
      const reply = await sendOnce(request, endpoint)
      const wait = secondsToWait(reply)
      if (wait === undefined || waits === mostWaits || isStream(request.body)) return reply
      if (wait > 0 && !surroundings.waits && check.mode !== 'stress') throw new CheckPause(wait)
      surroundings.onWait?.(wait)
      await setTimeout(wait * 1000, undefined, { signal }).catch(() => signal.throwIfAborted())
    }
  }

  async function sendOnce(request: PlainRequest, endpoint: EndpointName | undefined): Promise<Reply> {
    signal.throwIfAborted()
    try {
      const response = await withinTime(surroundings.timeoutMs, signal, (callSignal) =>
        surroundings.send({ ...request, signal: callSignal }),
      )
      const reply = readReply(endpoint, request, response)
      evidence.keep(reply)
      return reply
    } catch (error) {
      signal.throwIfAborted()
      const noAnswer = error instanceof TimeUp ? error.message : reasonOf(error)
      const received = error instanceof TimeUp ? `none ${noAnswer}` : `none (${noAnswer})`
      const reply = readReply(endpoint, request, { status: 0, headers: [], body: '' })
      evidence.keep(reply)
      throw evidence.failure({ requirement: check.requirements[0], expected: 'an answer', received, reply, noAnswer })
    }
  }

  function keyHeaders(key: RawRequest['key']): [string, string][] {
    if (key === null) return []
    const values = key === undefined ? [apiKey] : [key].flat()
    return values.map((value) => [names.apiKeyHeader, value])
  }

  async function exchangeNamed(name: EndpointName, input: object, options: CallOptions): Promise<Reply> {
    const { method, path } = endpoints[name]
    const headers = [...keyHeaders(options.key), ...Object.entries(options.headers ?? {})]
    if (method === 'GET') {
      return exchange({ method, target: names.basePath + path + queryOf(input), headers }, name)
    }
    headers.push(['Content-Type', 'application/json'])
    return exchange({ method, target: names.basePath + path, headers, body: bytes(JSON.stringify(input)) }, name)
  }

  /** Throws CheckSkip for a delay that would go too far. */
  function allowDate(name: EndpointName, { email, new_date }: Input): void {
    if (name === 'delaySubscription' && typeof email === 'string' && typeof new_date === 'string')
      surroundings.dates?.allow(email, new_date)
  }

  function noteCall(name: EndpointName, input: Input, reply: Reply): void {
    const { email, new_date } = input
    if (typeof email === 'string') {
      const isSet = name === 'delaySubscription' && typeof new_date === 'string' && reply.status === 200
      const date = name === 'getSubscription' ? dateOf(reply) : undefined
      if (isSet) surroundings.dates?.set(email, new_date)
      if (date !== undefined) surroundings.dates?.see(email, date)
    }
    surroundings.changes?.note(name, input, reply)
  }

  const context: CheckContext = {
    ...createExpectations(check, evidence, (makeFailure) => {
      aside ??= makeFailure()
    }),
    profile,
    names,
    apiKey,
    secondApiKey,
    offered: surroundings.offered,
    today: surroundings.today,
    farDates: surroundings.farDates,

    async call(name, input = {}, options = {}) {
      allowDate(name, input)
      const reply = await exchangeNamed(name, input, options)
      noteCall(name, input, reply)
      return reply
    },
    async together(calls) {
      if (!context.hasConnections) {
        return Promise.all(calls.map(({ name, input, headers }) => context.call(name, input, { headers })))
      }
      for (const { name, input } of calls) allowDate(name, input)
      const replies = await callTogether(context, calls)
      for (const [index, reply] of replies.entries()) {
        const { name, input } = calls[index] ?? { name: 'listProducts', input: {} }
        // What was sent again on its own is noted.
        if (reply.endpoint === undefined) noteCall(name, input, reply)
      }
      return replies
    },
    async send({ method = 'GET', path, key, headers = {}, body }) {
      const lines = [...keyHeaders(key), ...Object.entries(headers)]
      const sent = typeof body === 'string' ? bytes(body) : body
      return exchange({ method, target: names.basePath + path, headers: lines, body: sent }, undefined)
    },

    hasConnections: surroundings.send.connect !== undefined,
    connect: () =>
      connectRaw({
        ...surroundings,
        evidence,
        requirement: check.requirements[0],
        basePath: names.basePath,
        keyLine: [names.apiKeyHeader, apiKey],
      }),

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
  return { context, evidence, aside: () => aside }
}

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

/** The date of a subscription, if the answer holds one. */
function dateOf({ json }: Reply): string | undefined {
  const data = isObject(json) ? json['data'] : undefined
  const date = isObject(data) ? data['next_billing_date'] : undefined
  return typeof date === 'string' && isDate(date) ? date : undefined
}

function queryOf(input: object): string {
  const pairs = Object.entries(input).map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}
