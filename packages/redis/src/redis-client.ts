import { createHash } from 'node:crypto'

/** A Redis client with the required methods, such as `Redis` or `Cluster` from ioredis 5 or 6. */
export interface RedisClient {
  /** Sends one command. A cluster client chooses the node by the keys. */
  call(command: string, ...args: (string | number)[]): Promise<unknown>
  /** Returns the nodes of a cluster; absent for a single server. */
  nodes?(role: 'master'): readonly RedisClient[]
}

/** Runs a Lua script atomically on the server. */
type Script = (
  client: RedisClient,
  keys: readonly string[],
  args: readonly (string | number)[],
) => Promise<readonly string[]>

/** Creates a script from Lua source. Sends only a digest, or the source if the server has not cached the script. */
export function createScript(source: string): Script {
  const digest = createHash('sha1').update(source).digest('hex')
  return async (client, keys, args) => {
    const parameters = [keys.length, ...keys, ...args]
    try {
      return toStrings(await client.call('EVALSHA', digest, ...parameters))
    } catch (error) {
      if (!isUnknownScript(error)) throw error
      return toStrings(await client.call('EVAL', source, ...parameters))
    }
  }
}

function isUnknownScript(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('NOSCRIPT')
}

function toStrings(reply: unknown): readonly string[] {
  return Array.isArray(reply) ? reply.map(String) : []
}

/** Error for a server whose settings can cause the loss of clicks. */
export class RedisSettingsError extends Error {
  override readonly name = 'RedisSettingsError'
}

/**
 * Checks a server or all masters in a cluster. Rejects with RedisSettingsError if the settings can cause the loss of
 * clicks.
 */
export async function checkServer(client: RedisClient): Promise<void> {
  const servers = client.nodes?.('master') ?? [client]
  await Promise.all((servers.length === 0 ? [client] : servers).map(checkOne))
}

async function checkOne(server: RedisClient): Promise<void> {
  const [memory, persistence] = await Promise.all([server.call('INFO', 'memory'), server.call('INFO', 'persistence')])
  const policy = valueOf(memory, 'maxmemory_policy')
  if (policy !== undefined && policy !== 'noeviction') {
    throw new RedisSettingsError(
      `Redis evicts keys (maxmemory-policy ${policy}), so clicks can be lost. Set maxmemory-policy noeviction, or use a separate server for the ledger.`,
    )
  }
  if (valueOf(persistence, 'aof_enabled') === '0') {
    throw new RedisSettingsError(
      'Redis has no append-only file, so clicks are lost on a restart. Set appendonly yes, or pass checkServer: false if clicks are durable in another way.',
    )
  }
}

/** Returns the value of a field in the reply to `INFO`; `undefined` if the server omits the field. */
function valueOf(info: unknown, name: string): string | undefined {
  return new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(String(info))?.[1]
}
