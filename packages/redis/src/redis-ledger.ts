import { setTimeout as wait } from 'node:timers/promises'
import { type ClickDocument, type Decide, type Ledger, StoreError } from '@storeport/core'
import { checkServer, createScript, type RedisClient } from './redis-client.ts'

/** Options for `redisLedger`; each has a default. */
export interface RedisLedgerOptions {
  /** First part of every key, as a hash tag: 1–64 letters, digits and `: . _ -`; default `storeport`. */
  readonly prefix?: string | undefined
  /** Whether to reject a server that can lose clicks because it evicts keys or has no append-only file; default true. */
  readonly checkServer?: boolean | undefined
}

/** A ledger in Redis. */
export interface RedisLedger extends Ledger {
  readonly requiresScope: true
  update<Result>(key: string, decide: Decide<Result>): Promise<Result>
  /** Checks the server once. Rejects with RedisSettingsError, or with the client's error if the check fails. */
  ready(): Promise<void>
}

/** Time limit of one `update`, in milliseconds (rule 19). */
const updateMs = 2000
/** Length of the version before a document. */
const versionLength = 36

/** Lua code that sets `now` to the time of the server's clock, in milliseconds. */
const clock = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
`

/** Returns the time, and the stored value (if any). KEYS: document. */
const read = createScript(`${clock}
return { tostring(now), redis.call('GET', KEYS[1]) or nil }
`)

/**
 * Writes nothing if the document was changed since the read, or if the read is older than 1 s. A client may send a command
 * long after the request was rejected. KEYS: document. ARGV: time and version of the read, new value, end of the storage.
 */
const write = createScript(`${clock}
local version = string.sub(redis.call('GET', KEYS[1]) or '', 1, ${versionLength})
if version ~= ARGV[2] or now - ARGV[1] > 1000 then return {} end
redis.call('SET', KEYS[1], ARGV[3], 'PX', math.max(1, ARGV[4] - now))
return { 'written' }
`)

/**
 * Creates a ledger for all processes that share a Redis server or cluster. Stores only digests of emails, inputs and
 * idempotency keys. Throws TypeError for an invalid option.
 */
export function redisLedger(client: RedisClient, options: RedisLedgerOptions = {}): RedisLedger {
  const { prefix = 'storeport' } = options
  if (!/^[\w:.-]{1,64}$/.test(prefix)) throw new TypeError('prefix: must be 1 to 64 letters, digits and : . _ -')
  let checking: Promise<void> | undefined

  async function ready(): Promise<void> {
    if (options.checkServer === false) return
    checking ??= checkServer(client)
    await checking.catch((error: unknown) => {
      checking = undefined
      throw error
    })
  }

  return {
    requiresScope: true,
    ready,
    update: async (key, decide) => {
      const keys = [`{${prefix}}:clicks:${key}`]
      const endsAt = performance.now() + updateMs
      await ready()
      for (let turn = 0; ; turn++) {
        const [now, stored] = await read(client, keys, [])
        if (now === undefined) throw new Error('Redis: a script returned an unexpected reply.')
        const { result, document, until = 0 } = decide(parse(stored), Number(now))
        if (document === undefined) return result
        const value = crypto.randomUUID() + JSON.stringify(document)
        const version = stored?.slice(0, versionLength) ?? ''
        const written = await write(client, keys, [now, version, value, Math.ceil(until)])
        if (written.length > 0) return result
        if (performance.now() >= endsAt) throw new StoreError('store_unavailable', undefined, { retryAfter: 1 })
        await wait(Math.random() * Math.min(100, 5 * 2 ** turn))
      }
    },
  }
}

/** Parses the document after its version. Throws for an unreadable document, because its clicks must not run again. */
function parse(stored: string | undefined): ClickDocument | undefined {
  try {
    return stored === undefined ? undefined : Object(JSON.parse(stored.slice(versionLength)))
  } catch (cause) {
    throw new StoreError('store_unavailable', 'The stored clicks cannot be read.', { cause, retryAfter: 30 })
  }
}
