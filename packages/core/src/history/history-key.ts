/** A key that digests customers and seals the rest of a record. */
export interface HistoryKey {
  /** Id of the key, which does not reveal the key. */
  readonly id: string
  /** Returns the keyed digest of a string. */
  digest(text: string): string
  /** Encrypts a string with AES-256-GCM. */
  seal(text: string): string
  /** Decrypts a string. Throws if the string was not sealed with this key. */
  open(sealed: string): string
}

const minLength = 32
const nonceBytes = 12
const tagBytes = 16
/** Characters of a digest: 66 bits, because a shorter index is faster. */
const digestLength = 11

/** Creates a history key from a secret. Throws TypeError for a short secret and for a runtime without node:crypto. */
export function createHistoryKey(secret: string): HistoryKey {
  if (typeof secret !== 'string' || secret.length < minLength)
    throw new TypeError(`keys: a history key must be a string of at least ${minLength} characters`)
  const { createHmac, createCipheriv, createDecipheriv, randomBytes, Buffer } = requireCrypto()
  const derive = (purpose: string) => createHmac('sha256', secret).update(`storeport-history-${purpose}`)
  const digestKey = derive('digest').digest()
  const sealKey = derive('seal').digest()
  let nonces = randomBytes(0)
  let at = 0

  /** Returns a random nonce. Creates 256 nonces together, because each call of `randomBytes` takes 2 µs. */
  function nextNonce(): Bytes {
    if (at === nonces.length) {
      nonces = randomBytes(nonceBytes * 256)
      at = 0
    }
    at += nonceBytes
    return nonces.subarray(at - nonceBytes, at)
  }

  return {
    id: derive('id').digest('hex').slice(0, 8),
    digest: (text) => createHmac('sha256', digestKey).update(text).digest('base64url').slice(0, digestLength),
    seal: (text) => {
      const nonce = nextNonce()
      const cipher = createCipheriv('aes-256-gcm', sealKey, nonce)
      const data = cipher.update(text, 'utf8')
      // GCM returns all data from `update`.
      cipher.final()
      return Buffer.concat([nonce, data, cipher.getAuthTag()]).toString('base64')
    },
    open: (sealed) => {
      const bytes = Buffer.from(sealed, 'base64')
      const decipher = createDecipheriv('aes-256-gcm', sealKey, bytes.subarray(0, nonceBytes))
      decipher.setAuthTag(bytes.subarray(-tagBytes))
      const data = bytes.subarray(nonceBytes, -tagBytes)
      return Buffer.concat([decipher.update(data), decipher.final()]).toString('utf8')
    },
  }
}

interface Bytes extends Uint8Array {
  subarray(start: number, end?: number): Bytes
  toString(encoding?: 'base64' | 'utf8'): string
}

interface Hmac {
  update(text: string): Hmac
  digest(): Bytes
  digest(encoding: 'hex' | 'base64url'): string
}

interface Cipher {
  update(data: string | Uint8Array, encoding?: 'utf8'): Bytes
  final(): Bytes
}

/** The part of node:crypto that this file uses. */
interface Crypto {
  createHmac(algorithm: 'sha256', key: string | Uint8Array): Hmac
  createCipheriv(algorithm: 'aes-256-gcm', key: Uint8Array, nonce: Uint8Array): Cipher & { getAuthTag(): Bytes }
  createDecipheriv(
    algorithm: 'aes-256-gcm',
    key: Uint8Array,
    nonce: Uint8Array,
  ): Cipher & { setAuthTag(tag: Uint8Array): unknown }
  randomBytes(size: number): Bytes
}

/** The part of node:buffer that this file uses. */
interface BufferModule {
  readonly Buffer: { from(text: string, encoding: 'base64'): Bytes; concat(parts: readonly Uint8Array[]): Bytes }
}

interface Process {
  getBuiltinModule?(id: 'node:crypto' | 'node:buffer'): unknown
}

/**
 * Finds node:crypto without an import, so that every runtime can load this file. WebCrypto is not used, because its
 * asynchronous calls take several times longer for short strings.
 */
function requireCrypto(): Crypto & BufferModule {
  const { process }: { readonly process?: Process } = Object(globalThis)
  const crypto = process?.getBuiltinModule?.('node:crypto')
  const buffer = process?.getBuiltinModule?.('node:buffer')
  if (!crypto || !buffer)
    throw new TypeError('history: requires node:crypto. Use Node.js, Deno, Bun, or Workers with nodejs_compat.')
  // oxlint-disable-next-line typescript/consistent-type-assertions -- the modules of the runtime, whose types core does not load
  return { ...(crypto as Crypto), ...(buffer as BufferModule) }
}
