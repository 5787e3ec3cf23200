import { createHash } from 'node:crypto'

/** A Redis client with the required methods, such as `Redis` or `Cluster` from ioredis 5 or 6. */
export interface RedisClient {
  /** Sends one command. A cluster client chooses the node by the keys. */
  call(command: string, ...args: (string | number)[]): Promise<unknown>
  /** Returns the nodes of a cluster; absent for a single server. */
  nodes?(role: 'master'): readonly RedisClient[]
}

/** Creates a function that runs a Lua script. Sends the source only if the server has not cached the script. */
export function createScript(source: string) {
  const digest = createHash('sha1').update(source).digest('hex')
  return async (client: RedisClient, keys: readonly string[], args: readonly (string | number)[]) => {
    const parameters = [keys.length, ...keys, ...args]
    const reply = await client.call('EVALSHA', digest, ...parameters).catch((error: unknown) => {
      if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error
      return client.call('EVAL', source, ...parameters)
    })
    return Array.isArray(reply) ? reply.map(String) : []
  }
}

/** Error for a server whose settings can cause the loss of clicks. */
export class RedisSettingsError extends Error {
  override readonly name = 'RedisSettingsError'
}

/** Checks a server or all masters in a cluster. Rejects with RedisSettingsError if the settings can cause the loss of clicks. */
export async function checkServer(client: RedisClient): Promise<void> {
  const servers = client.nodes?.('master') ?? []
  await Promise.all((servers.length === 0 ? [client] : servers).map(checkOne))
}

async function checkOne(server: RedisClient): Promise<void> {
  const info = await Promise.all(['memory', 'persistence'].map((section) => server.call('INFO', section)))
  // Some servers omit fields.
  const policy = /^maxmemory_policy:(.*?)\r?$/m.exec(info.join('\n'))?.[1] ?? 'noeviction'
  if (policy !== 'noeviction')
    throw new RedisSettingsError(
      `Redis evicts keys (maxmemory-policy ${policy}), so clicks can be lost. Set maxmemory-policy noeviction, or use a separate server for the ledger.`,
    )
  if (/^aof_enabled:0\r?$/m.test(info.join('\n')))
    throw new RedisSettingsError(
      'Redis has no append-only file, so clicks are lost on a restart. Set appendonly yes, or pass checkServer: false if clicks are durable in another way.',
    )
}
