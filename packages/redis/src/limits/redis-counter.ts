import { checkPositive, checkPrefix, defaultPrefix } from '../check-options.ts'
import { createScript } from '../create-script.ts'
import { digestOf } from '../digest-of.ts'
import type { RedisClient } from '../redis-client.ts'

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
