import { checkPositive, checkPrefix, defaultPrefix } from '../check-options.ts'
import { createScript } from '../create-script.ts'
import { digestOf } from '../digest-of.ts'
import type { RedisClient } from '../redis-client.ts'

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
