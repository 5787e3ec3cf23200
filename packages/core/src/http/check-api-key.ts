/** Says whether a presented key is one of the accepted ones; a promise only where the runtime hashes asynchronously. */
type CheckApiKey = (presented: string) => boolean | Promise<boolean>

/**
 * Makes the check of the API key: keys are compared as SHA-256 digests, every one of them, in constant time (AUTH-1 to AUTH-12).
 *
 * Keys come in clear or as `sha256:<hex>`; throws TypeError for one that is too short or that HTTP cannot carry.
 */
export function createKeyCheck(apiKeys: readonly string[]): CheckApiKey {
  for (const key of apiKeys) requireUsable(key)
  let check: CheckApiKey | undefined
  return (presented) => {
    check ??= checkAgainst(apiKeys.map(digestOf))
    return check(presented)
  }
}

function checkAgainst(digests: readonly (string | Promise<string>)[]): CheckApiKey {
  const known = digests.filter((digest) => typeof digest === 'string')
  if (known.length === digests.length) {
    return (presented) => {
      const digest = sha256(presented)
      return typeof digest === 'string' ? matchesAny(digest, known) : digest.then((late) => matchesAny(late, known))
    }
  }
  return async (presented) => matchesAny(await sha256(presented), await Promise.all(digests))
}

const digestMark = 'sha256:'

function requireUsable(key: string): void {
  if (key.startsWith(digestMark)) {
    if (/^[0-9a-f]{64}$/i.test(key.slice(digestMark.length))) return
    throw new TypeError('apiKeys: a key that starts with sha256: must go on with the 64 hex digits of a SHA-256 digest')
  }
  if (key.length < 16) throw new TypeError('apiKeys: a key must have 16 characters or more')
  if (!/^[\x21-\x7e]+$/.test(key)) throw new TypeError('apiKeys: a key must be visible ASCII characters without spaces')
}

function digestOf(key: string): string | Promise<string> {
  return key.startsWith(digestMark) ? key.slice(digestMark.length).toLowerCase() : sha256(key)
}

function matchesAny(digest: string, accepted: readonly string[]): boolean {
  let matches = 0
  for (const other of accepted) matches += differences(digest, other) === 0 ? 1 : 0
  return matches > 0
}

/** Compares every character whatever the outcome, so that the time does not show where two digests differ. */
function differences(left: string, right: string): number {
  let found = left.length ^ right.length
  for (let index = 0; index < left.length; index++) found |= left.charCodeAt(index) ^ right.charCodeAt(index)
  return found
}

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
