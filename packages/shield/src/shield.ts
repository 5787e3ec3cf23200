import {
  type Context,
  type EndpointName,
  endpointNames,
  endpoints,
  errorRow,
  isStoreError,
  StoreError,
  type StorePort,
} from '@storeport/core'
import { askGenerations, keepAnswers } from './keep-answers.ts'
import { inTime, takeTurns } from './take-turns.ts'
import { readShieldOptions, type ShieldCounts, type ShieldEvent, type ShieldOptions } from './shield-options.ts'

/** A store behind a shield. */
export type ShieldedStore = StorePort & {
  /** To be called when the platform says that something of a customer has changed, or, without an email, of the products and discounts. */
  changed(email?: string): Promise<void>
  /** How often the shield did what, since it was made. */
  counts(): ShieldCounts
}

/** Time for a server that processes share, in milliseconds. */
const serverTimeoutMs = 1000

type Method = (input: object, context: Context) => Promise<unknown>

/**
 * Puts a shield before a store whose platform is slow or takes few calls: answers to reads are kept, the platform is called at its
 * rate, clicks before reads, and what cannot be served in time is 503 at once.
 *
 * A read after a click is never older than the click. Throws TypeError for options that cannot be used.
 */
export function shield(store: StorePort, options: ShieldOptions): ShieldedStore {
  const settings = readShieldOptions(store, options)
  const { now } = settings
  const generations = askGenerations(settings.generations, serverTimeoutMs)
  const turns = takeTurns(settings.bucket, { maxWaiting: settings.maxWaiting, timeoutMs: serverTimeoutMs, now })
  const answers = keepAnswers({ ...settings, max: settings.maxAnswers })
  const counts: Record<keyof ShieldCounts, number> = {
    ...{ fresh: 0, stale: 0, joined: 0, asked: 0, refused: 0, failed: 0 },
    waited: 0,
  }

  function note(event: ShieldEvent): void {
    counts[event.what] += 1
    if (event.what === 'asked' && (event.waitedMs ?? 0) > 0) counts.waited += 1
    settings.observe?.(event)
  }

  /** Calls the platform when it is the turn of the call; throws what the store throws, and StoreError `store_unavailable`. */
  async function callInTurn<Result>(
    endpoint: EndpointName | 'reconcile',
    wish: { readonly urgent: boolean; readonly waitMs: number },
    call: () => Promise<Result>,
  ): Promise<Result> {
    const askedAt = now()
    const waitedMs = await turns.take({ ...wish, calls: settings.costOf(endpoint) }).catch((error: unknown) => {
      note({ what: 'refused', endpoint, waitedMs: now() - askedAt })
      throw error
    })
    note({ what: 'asked', endpoint, waitedMs })
    try {
      return await call()
    } catch (error) {
      if (isFailure(error)) {
        note({ what: 'failed', endpoint })
        const pauseMs = pauseAfter(error)
        if (pauseMs > 0) turns.pause(pauseMs)
      }
      throw error
    }
  }

  const urgent = { urgent: true, waitMs: settings.clickWaitMs }
  const patient = { urgent: false, waitMs: settings.readWaitMs }

  function readThrough(name: EndpointName, method: Method): Method {
    return async (input, context) => {
      const subject = subjectsOf(input).at(0) ?? ''
      const generation = await generations.current(subject)
      const key = JSON.stringify([name, context.testMode, subject, generation, keyOf(input)])
      const ask = () => callInTurn(name, patient, () => askForAll(method, input, context))
      return answers(key, ask, (source) => {
        if (source !== 'asked') note({ what: source, endpoint: name })
      })
    }
  }

  /** Asks for everybody who waits for the answer: no caller who leaves ends it, its own time does. */
  async function askForAll(method: Method, input: object, { requestId, idempotencyKey, testMode }: Context) {
    const timeout = new AbortController()
    const asked = method(input, { requestId, idempotencyKey, testMode, signal: timeout.signal })
    return inTime(asked, settings.timeoutMs, () => {
      const late = new StoreError('store_timeout')
      timeout.abort(late)
      return late
    })
  }

  function changeThrough(name: EndpointName, method: Method): Method {
    return async (input, context) => {
      const outdate = () => Promise.all(subjectsOf(input).map((subject) => generations.next(subject)))
      await outdate()
      try {
        return await callInTurn(name, urgent, () => method(input, context))
      } finally {
        // What was read meanwhile may be of before. The click has ended as it has, also where nobody can be told.
        await outdate().catch(() => {})
      }
    }
  }

  const shielded: Partial<Record<EndpointName, Method>> = {}
  for (const name of endpointNames) {
    const own = store[name]
    if (own === undefined) continue
    const method: Method = (input, context) => Reflect.apply(own, store, [input, context])
    shielded[name] = endpoints[name].method === 'GET' ? readThrough(name, method) : changeThrough(name, method)
  }
  const { reconcile } = store
  const asking: StorePort =
    reconcile === undefined
      ? {}
      : { reconcile: (...call) => callInTurn('reconcile', urgent, () => Reflect.apply(reconcile, store, call)) }
  return Object.assign({}, promisesOf(store), shielded, asking, {
    changed: async (email?: string) => {
      const subjects = email === undefined ? [''] : subjectsOf({ email })
      await Promise.all(subjects.map((subject) => generations.next(subject)))
    },
    counts: () => ({ ...counts }),
  })
}

/** What a store promises besides its methods. */
function promisesOf({ honoursIdempotencyKey, ledger, currency }: StorePort): Partial<StorePort> {
  return {
    ...(honoursIdempotencyKey !== undefined && { honoursIdempotencyKey }),
    ...(ledger !== undefined && { ledger }),
    ...(currency !== undefined && { currency }),
  }
}

/** The input as every spelling of an email has it. */
function keyOf(input: object): object {
  return 'email' in input && typeof input.email === 'string' ? { ...input, email: input.email.toLowerCase() } : input
}

/** Whether the platform failed, rather than refused. */
function isFailure(error: unknown): boolean {
  return !isStoreError(error) || errorRow(error.code).status >= 500 || error.code === 'rate_limited'
}

/** How long a failure asks to be left alone, in milliseconds: a second where a rate was exceeded and nothing else is said. */
function pauseAfter(error: unknown): number {
  if (!isStoreError(error)) return 0
  if (error.retryAfter !== undefined) return error.retryAfter * 1000
  return error.code === 'rate_limited' ? 1000 : 0
}

/** What the answers to an input are about: its customer, else its discount code, else all customers; and the code besides. */
function subjectsOf(input: object): readonly string[] {
  const { email, discount_code }: { readonly email?: unknown; readonly discount_code?: unknown } = input
  const subjects = [
    ...(typeof email === 'string' ? [`customer ${email.toLowerCase()}`] : []),
    ...(typeof discount_code === 'string' ? [`code ${discount_code.toLowerCase()}`] : []),
  ]
  return subjects.length === 0 ? [''] : subjects
}
