import {
  type Context,
  type EndpointName,
  endpointNames,
  endpoints,
  isStoreError,
  StoreError,
  type StorePort,
} from '@storeport/core'
import { createResponseCache, isFailure, limitGenerations } from './response-cache.ts'
import { createTurns, withTimeout } from './rate-limit.ts'
import { readShieldOptions, type ShieldCounts, type ShieldEvent, type ShieldOptions } from './shield-options.ts'

/** A store that `shield` returns. */
export type ShieldedStore = StorePort & {
  /**
   * Invalidates the cached responses of a customer. Without `email`, invalidates the general product list and all
   * discounts. Call this method from webhooks.
   */
  changed(email?: string): Promise<void>
  /** Returns the number of events of each kind since the shield was created. */
  counts(): ShieldCounts
}

/** Timeout of a call to a shared bucket or to shared generations, in milliseconds. */
const serverTimeoutMs = 1000

type Method = (input: object, context: Context) => Promise<unknown>

/**
 * Wraps a store whose shop platform is slow or rate limited. Throws TypeError for invalid options.
 *
 * Caches reads and limits the rate of requests to the platform. Clicks have priority over reads. A call that cannot be
 * sent in time fails immediately with 503. A read after a click never returns data from before the click.
 */
export function shield(store: StorePort, options: ShieldOptions): ShieldedStore {
  const settings = readShieldOptions(store, options)
  const { now } = settings
  const generations = limitGenerations(settings.generations, serverTimeoutMs)
  const turns = createTurns(settings.bucket, { maxWaiting: settings.maxWaiting, timeoutMs: serverTimeoutMs, now })
  const readCached = createResponseCache({ ...settings, max: settings.maxCached })
  const counts: Record<keyof ShieldCounts, number> = {
    ...{ fresh: 0, stale: 0, joined: 0, sent: 0, rejected: 0, failed: 0, over_budget: 0 },
    ...{ waited: 0, monthlyCalls: 0 },
  }
  let month = ''

  /** Counts the requests of a method in this month, and reports when they exceed the budget. */
  function countCalls(endpoint: EndpointName | 'reconcile'): void {
    const current = settings.date().toISOString().slice(0, 7)
    const before = current === month ? counts.monthlyCalls : 0
    month = current
    counts.monthlyCalls = before + settings.costOf(endpoint)
    const { monthlyCalls: budget } = settings
    if (before <= budget && counts.monthlyCalls > budget) report({ kind: 'over_budget', endpoint })
  }

  function report(event: ShieldEvent): void {
    counts[event.kind] += 1
    if (event.kind === 'sent' && (event.waitedMs ?? 0) > 0) counts.waited += 1
    settings.observe?.(event)
  }

  /**
   * Waits for a turn and runs `call`. Throws StoreError `store_unavailable` if no turn is available in time. Rethrows
   * the errors of `call`.
   */
  async function callInTurn<Result>(
    endpoint: EndpointName | 'reconcile',
    priority: { readonly urgent: boolean; readonly waitMs: number },
    call: () => Promise<Result>,
  ): Promise<Result> {
    const startedAt = now()
    const waitedMs = await turns.take({ ...priority, calls: settings.costOf(endpoint) }).catch((error: unknown) => {
      report({ kind: 'rejected', endpoint, waitedMs: now() - startedAt })
      throw error
    })
    report({ kind: 'sent', endpoint, waitedMs })
    countCalls(endpoint)
    try {
      return await call()
    } catch (error) {
      if (isFailure(error)) {
        report({ kind: 'failed', endpoint })
        const pauseMs = pauseAfter(error)
        if (pauseMs > 0) turns.pause(pauseMs)
      }
      throw error
    }
  }

  const urgent = { urgent: true, waitMs: settings.clickWaitMs }
  const patient = { urgent: false, waitMs: settings.readWaitMs }

  function wrapRead(name: EndpointName, method: Method): Method {
    return async (input, context) => {
      const subject = subjectsOf(input).at(0) ?? ''
      // Discounts depend on the general subject, because `changed()` without an email invalidates all discounts.
      const subjects = name === 'getDiscount' ? [subject, ''] : [subject]
      const current = await Promise.all(subjects.map((each) => generations.current(each)))
      const request = () => callInTurn(name, patient, () => callWithTimeout(method, input, context))
      // The response may be older than a running change, so it is not cached or shared.
      if (current.includes(undefined)) return request()
      const key = JSON.stringify([name, context.testMode, subject, current, normalizeEmail(input)])
      return readCached(key, request, (source) => {
        if (source !== 'sent') report({ kind: source, endpoint: name })
      })
    }
  }

  /** Calls a method with a signal that only the timeout aborts, because several callers share the response. */
  async function callWithTimeout(method: Method, input: object, { requestId, idempotencyKey, testMode }: Context) {
    const timeout = new AbortController()
    const response = method(input, { requestId, idempotencyKey, testMode, signal: timeout.signal })
    return withTimeout(response, settings.timeoutMs, () => {
      const error = new StoreError('store_timeout')
      timeout.abort(error)
      return error
    })
  }

  function wrapChange(name: EndpointName, method: Method): Method {
    return async (input, context) => {
      const subjects = subjectsOf(input)
      await Promise.all(subjects.map((subject) => generations.begin(subject)))
      try {
        return await callInTurn(name, urgent, () => method(input, context))
      } finally {
        // Ignores an error, because the click already has an outcome.
        // If `end` fails, responses for the subject are not cached.
        await Promise.all(subjects.map((subject) => generations.end(subject))).catch(() => {})
      }
    }
  }

  const shielded: Partial<Record<EndpointName, Method>> = {}
  for (const name of endpointNames) {
    const own = store[name]
    if (own === undefined) continue
    const method: Method = (input, context) => Reflect.apply(own, store, [input, context])
    shielded[name] = endpoints[name].method === 'GET' ? wrapRead(name, method) : wrapChange(name, method)
  }
  const { reconcile } = store
  const reconciling: StorePort =
    reconcile === undefined
      ? {}
      : { reconcile: (...call) => callInTurn('reconcile', urgent, () => Reflect.apply(reconcile, store, call)) }
  return Object.assign({}, propertiesOf(store), shielded, reconciling, {
    changed: async (email?: string) => {
      const subjects = email === undefined ? [''] : subjectsOf({ email })
      await Promise.all(subjects.map((subject) => generations.begin(subject)))
      await Promise.all(subjects.map((subject) => generations.end(subject)))
    },
    counts: () => ({ ...counts }),
  })
}

/** Returns the properties of a store that are not methods. */
function propertiesOf({ honoursIdempotencyKey, ledger, currency }: StorePort): Partial<StorePort> {
  return {
    ...(honoursIdempotencyKey !== undefined && { honoursIdempotencyKey }),
    ...(ledger !== undefined && { ledger }),
    ...(currency !== undefined && { currency }),
  }
}

/** Converts the email in an input to lower case. */
function normalizeEmail(input: object): object {
  return 'email' in input && typeof input.email === 'string' ? { ...input, email: input.email.toLowerCase() } : input
}

/** Returns the pause after a failure, in milliseconds: the `retryAfter` of the error, or one second for `rate_limited`. */
function pauseAfter(error: unknown): number {
  if (!isStoreError(error)) return 0
  if (error.retryAfter !== undefined) return error.retryAfter * 1000
  return error.code === 'rate_limited' ? 1000 : 0
}

/**
 * Returns the customer and the discount code in an input. Returns `['']` if the input has neither. Reads use only the
 * first subject.
 */
function subjectsOf(input: object): readonly string[] {
  const { email, discount_code }: { readonly email?: unknown; readonly discount_code?: unknown } = input
  const subjects = [
    ...(typeof email === 'string' ? [`customer ${email.toLowerCase()}`] : []),
    ...(typeof discount_code === 'string' ? [`code ${discount_code.toLowerCase()}`] : []),
  ]
  return subjects.length === 0 ? [''] : subjects
}
