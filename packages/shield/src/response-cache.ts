import { errorRow, isStoreError, StoreError } from '@storeport/core'
import { LRUCache } from 'lru-cache'
import { withTimeout } from './rate-limit.ts'

/** Versions of cached data. A new generation of a subject, such as a customer, invalidates its cached responses. */
export interface Generations {
  /** Returns the current generation of a subject. */
  current(subject: string): string | Promise<string>
  /** Sets a new, unique generation for a subject. */
  next(subject: string): void | Promise<void>
}

/**
 * Creates generations in the memory of one process, for at most `max` subjects. An eviction sets a new generation
 * for all subjects that are not stored, so that their old cached responses stay invalid.
 */
export function createLocalGenerations(max: number): Generations {
  let latest = 0
  let fallback = 0
  const known = new LRUCache<string, number>({
    max,
    dispose: (_number, _subject, reason) => {
      if (reason === 'evict') fallback = ++latest
    },
  })
  return {
    current: (subject) => String(known.get(subject) ?? fallback),
    next: (subject) => void known.set(subject, ++latest),
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
    next: (subject) => limit(() => generations.next(subject)),
  }
}

interface CacheOptions {
  /** Time for which a response is returned without a new request, in milliseconds. */
  readonly freshMs: number
  /** Maximum age of a response that is returned while it is refreshed, in milliseconds. */
  readonly staleMs: number
  /** Maximum number of cached responses. */
  readonly max: number
  /** Returns the time in milliseconds. */
  readonly now: () => number
}

/** Source of a response; see `ShieldEvent.what`. */
type Source = 'fresh' | 'stale' | 'joined' | 'sent'

/** Returns the cached response for a key, or runs `request` and throws its errors. Passes the source to `onSource`. */
type ResponseCache = (
  key: string,
  request: () => Promise<unknown>,
  onSource: (source: Source) => void,
) => Promise<unknown>

/** A cached value, or a cached error with status 404 such as `customer_not_found`. */
type Cached = { readonly value: unknown } | { readonly notFound: Error }

/** Creates a cache that sends one request per key at a time, and returns stale responses during a refresh. */
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
    if (known !== undefined && age < staleMs) {
      // If the refresh fails, the stale response remains cached.
      if (joined === undefined) load(key, request).catch(() => {})
      onSource('stale')
      return unwrap(known.response)
    }
    onSource(joined === undefined ? 'sent' : 'joined')
    return unwrap(await (joined ?? load(key, request)))
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
