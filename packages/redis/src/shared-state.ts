import {
  checkPositive,
  checkPrefix,
  createScript,
  defaultPrefix,
  digestOf,
  type RedisClient,
  setNow,
} from './redis-client.ts'

/** How a counter is set up. */
export interface RedisCounterOptions {
  /** How long a count lasts from its first one on, in seconds. */
  readonly seconds: number
  /** What every key begins with; default `storeport`. */
  readonly prefix?: string | undefined
}

/** Counts one more of something, such as a wrong key of a client; returns how many there were within the time, among all processes. */
export type RedisCounter = (what: string) => Promise<number>

const countScript = createScript(`
local count = redis.call('INCR', KEYS[1])
if count == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
return { tostring(count) }
`)

/** A counter that all processes share; keys hold a digest of what is counted and expire by themselves. Throws TypeError. */
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

/** How a bucket of calls is set up. */
export interface RedisBucketOptions {
  /** Calls that may be made in a second, by all processes together. */
  readonly perSecond: number
  /** Calls that may be made at once after a pause; default 1 second's. */
  readonly burst?: number | undefined
  /** What every key begins with: another one for each upstream; default `storeport`. */
  readonly prefix?: string | undefined
  /** The time in milliseconds, for tests; default the clock of the server. */
  readonly now?: (() => number) | undefined
}

/** Whether a call may be made now, and when to ask again if not. */
export type Taken = { readonly taken: true } | { readonly taken: false; readonly retryAfterMs: number }

/** A bucket of calls that all processes take from. */
export interface RedisBucket {
  /** Calls in a second, of all processes together. */
  readonly perSecond: number
  /** Takes calls out, one by default. While an urgent one waits, in whatever process, the others get none. */
  take(options?: { readonly urgent?: boolean; readonly calls?: number }): Promise<Taken>
}

/** KEYS: the bucket, and that somebody urgent waits. ARGV: now, interval, burst, urgent, calls. */
const takeScript = createScript(`
${setNow}
local interval, burst, urgent, calls = tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[4] == '1', tonumber(ARGV[5])
-- When the bucket is full again: each call that is taken puts it off by one interval.
local fullAt = math.max(tonumber(redis.call('GET', KEYS[1])) or 0, now)
-- More calls than it ever holds are given when it is full.
local waitMs = fullAt + (math.min(calls, burst) - burst) * interval - now
if not urgent and waitMs <= 0 then
  local urgentUntil = tonumber(redis.call('GET', KEYS[2])) or 0
  if urgentUntil > now then waitMs = interval end
end
if waitMs > 0 then
  -- It comes again after its wait, so that long and a little more the others stay behind it.
  if urgent then redis.call('SET', KEYS[2], now + waitMs + interval, 'PX', math.ceil(waitMs + interval)) end
  return { 'wait', tostring(math.ceil(waitMs)) }
end
-- A minute longer than needed: in a test, the time of the server may be ahead of the given one.
redis.call('SET', KEYS[1], fullAt + calls * interval, 'PX', math.ceil(fullAt + calls * interval - now) + 60000)
if urgent then redis.call('DEL', KEYS[2]) end
return { 'taken' }
`)

/** A bucket that all processes take their calls of one upstream from, in one round trip. Throws TypeError. */
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

/** How generations are set up; everything has a default. */
export interface RedisGenerationsOptions {
  /** How long a number is known, in seconds: longer than any answer is kept that has it in its name; default two days. */
  readonly seconds?: number | undefined
  /** What every key begins with; default `storeport`. */
  readonly prefix?: string | undefined
}

/** Numbers that say, to all processes, whose answers are outdated. */
export interface RedisGenerations {
  /** Returns the number of a subject, such as a customer. */
  current(subject: string): Promise<string>
  /** Gives a subject another number, which it never had. */
  next(subject: string): Promise<void>
}

const currentScript = createScript(`return { redis.call('GET', KEYS[1]) or '' }`)
const nextScript = createScript(`redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2]) return {}`)

/** Numbers that all processes share, for `shield` of `@storeport/shield`; keys hold a digest of the subject and expire by themselves. Throws TypeError. */
export function redisGenerations(client: RedisClient, options: RedisGenerationsOptions = {}): RedisGenerations {
  const lastsMs = Math.ceil(checkPositive('seconds', options.seconds ?? 172_800) * 1000)
  const prefix = checkPrefix(options.prefix ?? defaultPrefix)
  const keyOf = (subject: string) => `${prefix}:generation:{${digestOf(subject)}}`
  return {
    current: async (subject) => (await currentScript(client, [keyOf(subject)], []))[0] ?? '',
    next: async (subject) => void (await nextScript(client, [keyOf(subject)], [crypto.randomUUID(), lastsMs])),
  }
}
