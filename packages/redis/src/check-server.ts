import type { RedisClient } from './redis-client.ts'

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
