import { errorRow, isStoreError, StoreError } from '@storeport/core'
import { LRUCache } from 'lru-cache'
import { withTimeout } from './rate-limit.ts'

/** Versions of cached data. A new generation of a subject, such as a customer, invalidates its cached responses. */
export interface Generations {
  /**
   * Returns the current generation of a subject. Returns `undefined` while a change runs, or if the end of a change was
   * not recorded.
   */
  current(subject: string): string | undefined | Promise<string | undefined>
  /** Records that a change begins, and sets a new, unique generation. */
  begin(subject: string): void | Promise<void>
  /** Records that a change has ended, and sets a new, unique generation. */
  end(subject: string): void | Promise<void>
}

/**
 * Creates generations in the memory of one process, for at most `max` subjects. An eviction sets a new generation
 * for all subjects that are not stored, so that their old cached responses stay invalid.
 */
export function createLocalGenerations(max: number): Generations {
  let latest = 0
  let fallback = 0
  const running = new Map<string, number>()
  const known = new LRUCache<string, number>({
    max,
    dispose: (_number, _subject, reason) => {
      if (reason === 'evict') fallback = ++latest
    },
  })
  return {
    current: (subject) => (running.has(subject) ? undefined : String(known.get(subject) ?? fallback)),
    begin: (subject) => {
      running.set(subject, (running.get(subject) ?? 0) + 1)
      known.set(subject, ++latest)
    },
    end: (subject) => {
      const others = (running.get(subject) ?? 1) - 1
      if (others === 0) running.delete(subject)
      else running.set(subject, others)
      known.set(subject, ++latest)
    },
  }
}

/** Adds a time limit to shared generations. Throws StoreError `store_unavailable` after a failure or at the limit. */
export function limitGenerations(generations: Generations, timeoutMs: number): Generations {
  function limit<Value>(load: () => Value | Promise<Value>): Value | Promise<Value> {
    const loading = load()
    if (!(loading instanceof Promise)) return loading
    const createError = () => new Error(`No response within ${timeoutMs} ms.`)
    return withTimeout(loading, timeoutMs, createError).catch((cause: unknown) => {
      throw new StoreError('store_unavailable', undefined, { cause })
    })
  }
  return {
    current: (subject) => limit(() => generations.current(subject)),
    begin: (subject) => limit(() => generations.begin(subject)),
    end: (subject) => limit(() => generations.end(subject)),
  }
}

interface CacheOptions {
  /** Time in which a cached response is returned without a new request, in milliseconds. */
  readonly freshMs: number
  /** Maximum age of a response that is returned if a new request fails, in milliseconds. */
  readonly staleMs: number
  /** Maximum number of cached responses. */
  readonly max: number
  /** Returns the time in milliseconds. */
  readonly now: () => number
}

/** Source of a response; see `ShieldEvent.kind`. */
type Source = 'fresh' | 'stale' | 'joined' | 'sent'

/** Returns the cached response for a key, or runs `request` and throws its errors. Passes the source to `onSource`. */
type ResponseCache = (
  key: string,
  request: () => Promise<unknown>,
  onSource: (source: Source) => void,
) => Promise<unknown>

/** A cached value, or a cached error with status 404 such as `customer_not_found`. */
type Cached = { readonly value: unknown } | { readonly notFound: Error }

/** Creates a cache that sends one request per key at a time, and returns a stale response only if the request fails. */
export function createResponseCache({ freshMs, staleMs, max, now }: CacheOptions): ResponseCache {
  const cache = new LRUCache<string, { readonly response: Cached; readonly at: number }>({ max })
  const pending = new Map<string, Promise<Cached>>()

  function load(key: string, request: () => Promise<unknown>): Promise<Cached> {
    const at = now()
    const loading = catchNotFound(request).then((response) => {
      cache.set(key, { response, at })
      return response
    })
    pending.set(key, loading)
    const remove = () => void pending.delete(key)
    loading.then(remove, remove)
    return loading
  }

  return async (key, request, onSource) => {
    const known = cache.get(key)
    const age = known === undefined ? Number.POSITIVE_INFINITY : now() - known.at
    if (known !== undefined && age < freshMs) {
      onSource('fresh')
      return unwrap(known.response)
    }
    const joined = pending.get(key)
    const loading = joined ?? load(key, request)
    onSource(joined === undefined ? 'sent' : 'joined')
    if (age >= staleMs) return unwrap(await loading)
    const response = await loading.catch((error: unknown) => {
      if (known === undefined || !isFailure(error)) throw error
      onSource('stale')
      return known.response
    })
    return unwrap(response)
  }
}

async function catchNotFound(request: () => Promise<unknown>): Promise<Cached> {
  try {
    return { value: await request() }
  } catch (error) {
    if (isStoreError(error) && errorRow(error.code).status === 404) return { notFound: error }
    throw error
  }
}

function unwrap(response: Cached): unknown {
  if ('notFound' in response) throw response.notFound
  return response.value
}

/** Returns whether an error means that the platform failed or limited the rate. */
export function isFailure(error: unknown): boolean {
  return !isStoreError(error) || errorRow(error.code).status >= 500 || error.code === 'rate_limited'
}
