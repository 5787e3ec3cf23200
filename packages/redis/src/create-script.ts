import { createHash } from 'node:crypto'
import type { RedisClient } from './redis-client.ts'

/** Runs a script on the server, as one step that nothing comes between. */
export type Script = (
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
