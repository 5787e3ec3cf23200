type Hash = (algorithm: 'sha256', text: string) => string

/** As much of Node's `process` as is used here; other runtimes have none. */
interface Process {
  getBuiltinModule?(id: 'node:crypto'): { readonly hash?: Hash } | undefined
}

/** Node's `crypto.hash`, once it was looked for; `none` in other runtimes. */
let hash: Hash | 'none' | undefined

/**
 * SHA-256 of a text as lower-case hex digits; a promise only where the runtime hashes asynchronously.
 *
 * The first use loads node:crypto, which takes as long as all of this package: what answers no call does not wait for it, and
 * @storeport/node loads it with the server.
 */
export function sha256(text: string): string | Promise<string> {
  hash ??= findHash() ?? 'none'
  return hash === 'none' ? sha256BySubtle(text) : hash('sha256', text)
}

/** Without an import, so that runtimes without `node:crypto` can load this file. */
function findHash(): Hash | undefined {
  try {
    const { process }: { readonly process?: Process } = Object(globalThis)
    return process?.getBuiltinModule?.('node:crypto')?.hash
  } catch {
    // Next's Edge Runtime has the function, and throws when it is called.
    return undefined
  }
}

async function sha256BySubtle(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
