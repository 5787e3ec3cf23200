/** Returns whether a key is accepted. Returns a promise only if the runtime hashes asynchronously. */
type CheckApiKey = (presented: string) => boolean | Promise<boolean>

/**
 * Creates the API key check, which compares the SHA-256 digests of keys in constant time (AUTH-1 to AUTH-12).
 *
 * A key is plain text or `sha256:<hex>`. Throws TypeError for a key that is too short or has invalid characters.
 */
export function createKeyCheck(apiKeys: readonly string[]): CheckApiKey {
  for (const key of apiKeys) requireValidKey(key)
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

const digestPrefix = 'sha256:'

function requireValidKey(key: string): void {
  if (key.startsWith(digestPrefix)) {
    if (/^[0-9a-f]{64}$/i.test(key.slice(digestPrefix.length))) return
    throw new TypeError(
      'apiKeys: a key that starts with sha256: must continue with the 64 hex digits of a SHA-256 digest',
    )
  }
  if (key.length < 16) throw new TypeError('apiKeys: a key must have at least 16 characters')
  if (!/^[\x21-\x7e]+$/.test(key))
    throw new TypeError('apiKeys: a key must contain only visible ASCII characters and no spaces')
}

function digestOf(key: string): string | Promise<string> {
  return key.startsWith(digestPrefix) ? key.slice(digestPrefix.length).toLowerCase() : sha256(key)
}

function matchesAny(digest: string, accepted: readonly string[]): boolean {
  let matches = 0
  for (const other of accepted) matches += differences(digest, other) === 0 ? 1 : 0
  return matches > 0
}

/** Compares every character, so that the duration does not reveal the position of a difference. */
function differences(left: string, right: string): number {
  let found = left.length ^ right.length
  for (let index = 0; index < left.length; index++) found |= left.charCodeAt(index) ^ right.charCodeAt(index)
  return found
}

type Hash = (algorithm: 'sha256', value: string) => string

/** The part of Node's `process` that `findHash` uses. Other runtimes may have no `process`. */
interface Process {
  getBuiltinModule?(id: 'node:crypto'): { readonly hash?: Hash } | undefined
}

/** `crypto.hash`, or `none` in a runtime without `crypto.hash`; `undefined` before the first use. */
let hash: Hash | 'none' | undefined

/**
 * Returns the SHA-256 digest of a string in lowercase hex. Returns a promise only if the runtime hashes asynchronously.
 *
 * Loads node:crypto on first use, because node:crypto takes as long to load as this package. @storeport/node loads
 * node:crypto at startup.
 */
export function sha256(value: string): string | Promise<string> {
  hash ??= findHash() ?? 'none'
  return hash === 'none' ? hashWithSubtle(value) : hash('sha256', value)
}

/** Finds `crypto.hash` without an import, so that runtimes without `node:crypto` can load this file. */
function findHash(): Hash | undefined {
  try {
    const { process }: { readonly process?: Process } = Object(globalThis)
    return process?.getBuiltinModule?.('node:crypto')?.hash
  } catch {
    // In the Next.js Edge Runtime, `getBuiltinModule` exists but throws.
    return undefined
  }
}

async function hashWithSubtle(value: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(value))
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
