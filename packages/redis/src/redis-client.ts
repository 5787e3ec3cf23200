import { createHash } from 'node:crypto'

/** What is asked of a client: `Redis` and `Cluster` of ioredis 5 and 6 have it. */
export interface RedisClient {
  /** Sends one command; a cluster finds its node by the keys. */
  call(command: string, ...args: (string | number)[]): Promise<unknown>
  /** The nodes of a cluster; a single server has none. */
  nodes?(role: 'master'): readonly RedisClient[]
}

/** What every key begins with when nothing else is chosen. */
export const defaultPrefix = 'storeport'

/** Returns a prefix that can stand in a hash tag; throws TypeError for any other. */
export function checkPrefix(prefix: string): string {
  if (/^[\w:.-]{1,64}$/.test(prefix)) return prefix
  throw new TypeError('prefix: must be 1 to 64 letters, digits and : . _ -')
}

/** Returns a number that is more than nothing; throws TypeError that names it for any other. */
export function checkPositive(name: string, value: number): number {
  if (Number.isFinite(value) && value > 0) return value
  throw new TypeError(`${name}: must be a number, more than 0`)
}

/** Runs a script on the server, as one step that nothing comes between. */
type Script = (
  client: RedisClient,
  keys: readonly string[],
  args: readonly (string | number)[],
) => Promise<readonly string[]>

/** Makes a script of Lua source: it is sent by its digest, and whole to a server that does not know it (yet, or any more). */
export function createScript(source: string): Script {
  const digest = createHash('sha1').update(source).digest('hex')
  return async (client, keys, args) => {
    const parameters = [keys.length, ...keys, ...args]
    try {
      return toTexts(await client.call('EVALSHA', digest, ...parameters))
    } catch (error) {
      if (!isUnknownScript(error)) throw error
      return toTexts(await client.call('EVAL', source, ...parameters))
    }
  }
}

function isUnknownScript(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('NOSCRIPT')
}

function toTexts(reply: unknown): readonly string[] {
  return Array.isArray(reply) ? reply.map(String) : []
}

/** Returns what stands in a key in place of something that could be read: its SHA-256. */
export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}

/** Lua that sets `now`, in milliseconds: what the caller passes as the first argument, else the clock of the server. */
export const setNow = `
local now = tonumber(ARGV[1])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end
`

/** A server that may forget clicks as it is set up. */
export class RedisSettingsError extends Error {
  override readonly name = 'RedisSettingsError'
}

/** Asks a server, or every master of a cluster, how it keeps its keys; rejects with RedisSettingsError for one that may forget a click. */
export async function checkServer(client: RedisClient): Promise<void> {
  const servers = client.nodes?.('master') ?? [client]
  await Promise.all((servers.length === 0 ? [client] : servers).map(checkOne))
}

async function checkOne(server: RedisClient): Promise<void> {
  const [memory, persistence] = await Promise.all([server.call('INFO', 'memory'), server.call('INFO', 'persistence')])
  const policy = valueOf(memory, 'maxmemory_policy')
  if (policy !== undefined && policy !== 'noeviction') {
    throw new RedisSettingsError(
      `Redis evicts keys (maxmemory-policy ${policy}), and with them clicks: set maxmemory-policy noeviction, or give the ledger a server of its own.`,
    )
  }
  if (valueOf(persistence, 'aof_enabled') === '0') {
    throw new RedisSettingsError(
      'Redis writes no append-only file, so that a restart forgets clicks: set appendonly yes, or checkServer: false where it is kept otherwise.',
    )
  }
}

/** A line of what `INFO` answers; a service that says less has none. */
function valueOf(info: unknown, name: string): string | undefined {
  return new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(String(info))?.[1]
}
