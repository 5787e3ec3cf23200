import type { Call } from '../http/call.ts'
import type { CheckKey } from './check-key.ts'
import { explainPrefix } from './explain-path.ts'
import type { Progress } from './observe.ts'
import type { Settings } from './settings.ts'

/** Whether a path is the base path or below it. */
export function isBelow(basePath: string, path: string): boolean {
  return path.startsWith(basePath) && (path.length === basePath.length || path[basePath.length] === '/')
}

/** Returns the error message for a path outside the base path. */
export function outsideMessage(basePath: string): string {
  return `No endpoint at this path. Every path starts with ${basePath}/`
}

/**
 * Returns the error message with the correction, if a request outside the base path has a valid key and the path of an
 * endpoint with a mistake. Returns a promise only for such a path with a key, because other requests can be frequent.
 */
export type ExplainOutside = (call: Call, progress: Progress) => undefined | Promise<string | undefined>

/** Creates the explanation of paths outside the base path. An invalid key is counted as a guess, and gets no correction. */
export function createExplainOutside({ basePath, apiKeyHeader }: Settings, checkKey: CheckKey): ExplainOutside {
  const keyHeader = apiKeyHeader.toLowerCase()

  async function afterKey(message: string, call: Call, progress: Progress): Promise<string | undefined> {
    try {
      await checkKey(call, progress)
      return message
    } catch {
      return undefined
    }
  }

  return (call, progress) => {
    if (isBelow(basePath, call.path) || !call.header(keyHeader)) return undefined
    const message = explainPrefix(basePath, call.path)
    return message === undefined ? undefined : afterKey(message, call, progress)
  }
}
