import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/** Lifetime of the cookie, in seconds: 30 days. */
const cookieSeconds = 2_592_000

/**
 * Creates the access control for a token; throws TypeError for an invalid token. Ignores the host, origin and forwarding
 * headers, because clients can forge them.
 */
export function createAccess(token: string) {
  if (!/^[\w-]{16,256}$/.test(token)) throw new TypeError('token: must be 16 to 256 characters of A-Z a-z 0-9 _ -')
  const expected = digest(token)
  const isToken = (value: string) => timingSafeEqual(digest(value), expected)
  // Differs for each token, because browsers share cookies between the ports of a host.
  const name = `storeport-${digest(`cookie of ${token}`).toString('hex').slice(0, 16)}`

  return {
    /** Whether a request has a valid sign-in cookie. */
    hasCookie: ({ headers }: IncomingMessage) => readCookies(headers.cookie ?? '', name).some(isToken),
    /** Returns the value of the `Set-Cookie` header if the URL contains the token, otherwise `undefined`. */
    cookieFor: ({ url = '' }: IncomingMessage) => {
      const query = new URLSearchParams(url.split('?').slice(1).join('?'))
      if (!query.getAll('token').some(isToken)) return undefined
      return `${name}=${token}; Path=/; Max-Age=${cookieSeconds}; HttpOnly; SameSite=Strict`
    },
  }
}

/** Returns the values of all cookies with a name, because another server on this machine may use the same name. */
function readCookies(cookies: string, name: string): string[] {
  const pairs = cookies.split(';').map((pair) => pair.trim())
  return pairs.filter((pair) => pair.startsWith(`${name}=`)).map((pair) => pair.slice(name.length + 1))
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
