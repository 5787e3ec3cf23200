import {
  checkPositive,
  checkPrefix,
  createScript,
  defaultPrefix,
  digestOf,
  type RedisClient,
  setNow,
} from './redis-client.ts'

/** Options for `redisCounter`. */
export interface RedisCounterOptions {
  /** Period in which a subject is counted, in seconds. The period begins with the first call for the subject. */
  readonly seconds: number
  /** First part of every key; default `storeport`. */
  readonly prefix?: string | undefined
}

/** Increments the count of a subject, such as an IP address. Returns the total of all processes in the current period. */
export type RedisCounter = (what: string) => Promise<number>

const countScript = createScript(`
local count = redis.call('INCR', KEYS[1])
if count == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
return { tostring(count) }
`)

/** Creates a shared counter. Keys contain a digest of the subject, and expire. Throws TypeError for invalid options. */
export function redisCounter(
  client: RedisClient,
  { seconds, prefix = defaultPrefix }: RedisCounterOptions,
): RedisCounter {
  const lastsMs = Math.ceil(checkPositive('seconds', seconds) * 1000)
  checkPrefix(prefix)
  return async (what) => {
    const [count] = await countScript(client, [`${prefix}:count:{${digestOf(what)}}`], [lastsMs])
    return Number(count)
  }
}

/** Options for `redisBucket`. */
export interface RedisBucketOptions {
  /** Maximum number of requests per second from all processes together. */
  readonly perSecond: number
  /** Maximum number of requests that are granted immediately after an idle period. Default: the requests of one second. */
  readonly burst?: number | undefined
  /** First part of every key; use a different prefix for each platform. Default `storeport`. */
  readonly prefix?: string | undefined
  /** Returns the time in milliseconds, for tests; default: the server's clock. */
  readonly now?: (() => number) | undefined
}

/** Whether the requests may be sent now. If not, `retryAfterMs` is the wait before the next attempt, in milliseconds. */
export type Taken = { readonly taken: true } | { readonly taken: false; readonly retryAfterMs: number }

/** A token bucket that all processes share. */
export interface RedisBucket {
  /** Maximum number of requests per second from all processes together. */
  readonly perSecond: number
  /** Takes tokens for `calls` requests; default 1. While an urgent request waits, other requests receive no tokens. */
  take(options?: { readonly urgent?: boolean; readonly calls?: number }): Promise<Taken>
}

/** KEYS: bucket, time until which an urgent request waits. ARGV: now, interval, burst, urgent, calls. */
const takeScript = createScript(`
${setNow}
local interval, burst, urgent, calls = tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[4] == '1', tonumber(ARGV[5])
-- The time at which the bucket is full. Each taken token delays it by one interval.
local fullAt = math.max(tonumber(redis.call('GET', KEYS[1])) or 0, now)
-- A request for more tokens than the burst is granted when the bucket is full.
local waitMs = fullAt + (math.min(calls, burst) - burst) * interval - now
if not urgent and waitMs <= 0 then
  local urgentUntil = tonumber(redis.call('GET', KEYS[2])) or 0
  if urgentUntil > now then waitMs = interval end
end
if waitMs > 0 then
  -- The urgent request retries after its wait. Other requests wait one interval longer.
  if urgent then redis.call('SET', KEYS[2], now + waitMs + interval, 'PX', math.ceil(waitMs + interval)) end
  return { 'wait', tostring(math.ceil(waitMs)) }
end
-- One additional minute, because in tests the server's clock may be ahead of the given time.
redis.call('SET', KEYS[1], fullAt + calls * interval, 'PX', math.ceil(fullAt + calls * interval - now) + 60000)
if urgent then redis.call('DEL', KEYS[2]) end
return { 'taken' }
`)

/** Creates a shared token bucket for one platform. `take` uses one round trip. Throws TypeError for invalid options. */
export function redisBucket(client: RedisClient, options: RedisBucketOptions): RedisBucket {
  const intervalMs = 1000 / checkPositive('perSecond', options.perSecond)
  const burst = Math.max(1, checkPositive('burst', options.burst ?? Math.max(1, Math.floor(options.perSecond))))
  const prefix = checkPrefix(options.prefix ?? defaultPrefix)
  const keys = [`{${prefix}}:bucket`, `{${prefix}}:urgent`]
  return {
    perSecond: options.perSecond,
    take: async ({ urgent = false, calls = 1 } = {}) => {
      const parameters = [options.now?.() ?? '', intervalMs, burst, urgent ? '1' : '0', calls]
      const [state, retryAfterMs] = await takeScript(client, keys, parameters)
      return state === 'taken' ? { taken: true } : { taken: false, retryAfterMs: Number(retryAfterMs) }
    },
  }
}

/** Options for `redisGenerations`; each has a default. */
export interface RedisGenerationsOptions {
  /** How long a generation is stored, in seconds; default two days. Must exceed the time for which responses are cached. */
  readonly seconds?: number | undefined
  /** First part of every key; default `storeport`. */
  readonly prefix?: string | undefined
}

/** Generations of cached responses, shared so that one process can invalidate the caches of all processes. */
export interface RedisGenerations {
  /**
   * Returns the generation of a subject, such as a customer. Returns `undefined` while a change runs, or if the end of
   * a change was not recorded.
   */
  current(subject: string): Promise<string | undefined>
  /** Records that a change begins, and sets a new, unique generation. */
  begin(subject: string): Promise<void>
  /** Records that a change has ended, and sets a new, unique generation. */
  end(subject: string): Promise<void>
  /** Rejects with the client's error if the server is unreachable or rejects writes. */
  ready(): Promise<void>
}

/** Time in which a change without a recorded end prevents caching, in milliseconds. */
const changeMs = 60 * 60_000

/**
 * KEYS: generation, number of running changes. ARGV: new generation, how long it is stored. A lost generation is never
 * reused.
 */
const currentScript = createScript(`
if tonumber(redis.call('GET', KEYS[2]) or '0') > 0 then return {} end
redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2])
return { redis.call('GET', KEYS[1]) }
`)
/**
 * KEYS, ARGV[1] and ARGV[2] are the same as in `currentScript`. ARGV[3] is 1 at the beginning of a change and -1 at its
 * end. ARGV[4] is how long the number of running changes is stored.
 */
const changeScript = createScript(`
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
if redis.call('INCRBY', KEYS[2], ARGV[3]) > 0 then redis.call('PEXPIRE', KEYS[2], ARGV[4])
else redis.call('DEL', KEYS[2]) end
return {}
`)

/**
 * Creates shared generations for `@storeport/shield`. Keys contain a digest of the subject and expire.
 * Throws TypeError for an invalid option.
 */
export function redisGenerations(client: RedisClient, options: RedisGenerationsOptions = {}): RedisGenerations {
  const lastsMs = Math.ceil(checkPositive('seconds', options.seconds ?? 172_800) * 1000)
  const prefix = checkPrefix(options.prefix ?? defaultPrefix)
  const keysOf = (subject: string) => {
    const key = `${prefix}:generation:{${digestOf(subject)}}`
    return [key, `${key}:running`]
  }
  const change = async (subject: string, step: number) =>
    void (await changeScript(client, keysOf(subject), [crypto.randomUUID(), lastsMs, step, changeMs]))
  const current = async (subject: string) =>
    (await currentScript(client, keysOf(subject), [crypto.randomUUID(), lastsMs]))[0]
  return {
    current,
    begin: (subject) => change(subject, 1),
    end: (subject) => change(subject, -1),
    ready: async () => void (await current('')),
  }
}
