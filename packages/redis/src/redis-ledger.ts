import { setTimeout as wait } from 'node:timers/promises'
import { type ClickDocument, type Decide, type Ledger, StoreError } from '@storeport/core'
import { checkServer, createScript, type RedisClient } from './redis-client.ts'

/** Options for `redisLedger`; each has a default. */
export interface RedisLedgerOptions {
  /** First part of every key, as a hash tag: 1–64 letters, digits and `: . _ -`; default `storeport`. */
  readonly prefix?: string | undefined
  /** Time limit of one `update`, in milliseconds; default 2,000. StorePort never waits longer than 2 seconds. */
  readonly timeoutMs?: number | undefined
  /** Whether to reject a server that can lose clicks because it evicts keys or has no append-only file; default true. */
  readonly checkServer?: boolean | undefined
  /** Returns the time in milliseconds since 1970, for tests; default: the server's clock. */
  readonly now?: (() => number) | undefined
}

/** A ledger in Redis. */
export interface RedisLedger extends Ledger {
  readonly requiresScope: true
  update<Result>(key: string, decide: Decide<Result>): Promise<Result>
  /** Checks the server once. Rejects with RedisSettingsError, or with the client's error if the check fails. */
  ready(): Promise<void>
}

/** Lua code that sets `now` in milliseconds, from the first argument or from the server's clock. */
const clock = `
local now = tonumber(ARGV[1])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end
`

/** Reads a document. KEYS: document. ARGV: now. Returns the time, and the document (if present). */
const readScript = createScript(`${clock}
return { tostring(now), redis.call('GET', KEYS[1]) or nil }
`)

/**
 * Writes the document. Writes nothing if the document was changed since the read, or if the read is older than 1 s.
 * KEYS: document. ARGV: now, time and version of the read, new value, time until which it is stored.
 */
const writeScript = createScript(`${clock}
local version, readAt = string.sub(redis.call('GET', KEYS[1]) or '', 1, 36), tonumber(ARGV[2])
if version ~= ARGV[3] or now - readAt > 1000 then return {} end
redis.call('SET', KEYS[1], ARGV[4], 'PX', math.max(1, tonumber(ARGV[5]) - now))
return { 'written' }
`)

/**
 * Creates a ledger for all processes that share a Redis server or cluster. Stores only digests of emails, inputs and
 * idempotency keys. Throws TypeError for an invalid option.
 */
export function redisLedger(client: RedisClient, options: RedisLedgerOptions = {}): RedisLedger {
  const { prefix = 'storeport', timeoutMs = 2000 } = options
  if (!/^[\w:.-]{1,64}$/.test(prefix)) throw new TypeError('prefix: must be 1 to 64 letters, digits and : . _ -')
  if (!Number.isFinite(timeoutMs) || timeoutMs <= 0) throw new TypeError('timeoutMs: must be a number greater than 0')
  const time = () => options.now?.() ?? ''
  let checked: Promise<void> | undefined

  /** Checks the server once, and again after a failed check. */
  const ready = () =>
    (checked ??= (options.checkServer === false ? Promise.resolve() : checkServer(client)).catch((error: unknown) => {
      checked = undefined
      throw error
    }))

  /**
   * Reads the document, calls `decide` and writes the new document. Retries after a concurrent change. `endsAt` is a
   * time of `performance.now()`.
   */
  async function change<Result>(key: string, decide: Decide<Result>, endsAt: number): Promise<Result> {
    const keys = [`{${prefix}}:clicks:${key}`]
    await ready()
    for (let turn = 0; ; turn++) {
      const [now, stored] = await readScript(client, keys, [time()])
      if (now === undefined) throw new Error('Redis: a script returned an unexpected reply.')
      // Prevents a write after `update` has already rejected.
      if (performance.now() >= endsAt) throw unavailable()
      const { result, document, until = 0 } = decide(parse(stored), Number(now))
      if (document === undefined) return result
      const value = crypto.randomUUID() + JSON.stringify(document)
      const version = stored?.slice(0, 36) ?? ''
      const written = await writeScript(client, keys, [time(), now, version, value, Math.ceil(until)])
      if (written.length > 0) return result
      await wait(Math.random() * Math.min(100, 5 * 2 ** turn))
    }
  }

  return {
    requiresScope: true,
    ready,
    update: (key, decide) =>
      new Promise((resolve, reject) => {
        const late = () => reject(unavailable(new Error(`Redis: no result within ${timeoutMs} ms.`)))
        const timer = setTimeout(late, timeoutMs)
        const changed = change(key, decide, performance.now() + timeoutMs)
        changed.then(resolve, reject).finally(() => clearTimeout(timer))
      }),
  }
}

/**
 * Parses the document, which follows a version of 36 characters. Throws StoreError `store_unavailable`
 * for an unreadable document.
 */
function parse(stored: string | undefined): ClickDocument | undefined {
  try {
    return stored === undefined ? undefined : JSON.parse(stored.slice(36))
  } catch (error) {
    throw unavailable(error)
  }
}

const unavailable = (cause?: unknown) => new StoreError('store_unavailable', undefined, { cause })
