import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { PlaygroundOptions } from './playground-options.ts'

/** Access control of a playground. Ignores the host, origin and forwarding headers, because clients can forge them. */
export interface Access {
  /** Whether a request has a valid sign-in cookie. */
  hasCookie(req: IncomingMessage): boolean
  /** Returns the value of the `Set-Cookie` header if the URL contains the token, otherwise `undefined`. */
  cookieFor(req: IncomingMessage): string | undefined
}

/** Lifetime of the cookie, in seconds: 30 days. */
const cookieSeconds = 2_592_000

/** Creates the access control for a token; throws TypeError for an invalid token or cookie name. */
export function createAccess({ token, cookieName = defaultName(token) }: AccessOptions): Access {
  if (!/^[\w-]{16,256}$/.test(token)) throw new TypeError('token: must be 16 to 256 characters of A-Z a-z 0-9 _ -')
  const expected = digest(token)
  const isToken = (value: string) => timingSafeEqual(digest(value), expected)
  const name = () => checkName(typeof cookieName === 'string' ? cookieName : cookieName())
  if (typeof cookieName === 'string') checkName(cookieName)

  return {
    hasCookie: ({ headers }) => readCookies(headers.cookie ?? '', name()).some(isToken),
    cookieFor: ({ url = '' }) => {
      const query = new URLSearchParams(url.split('?').slice(1).join('?'))
      if (!query.getAll('token').some(isToken)) return undefined
      return `${name()}=${token}; Path=/; Max-Age=${cookieSeconds}; HttpOnly; SameSite=Strict`
    },
  }
}

type AccessOptions = Pick<PlaygroundOptions, 'token' | 'cookieName'>

/** Derives a distinct cookie name from each token, because browsers share cookies between the ports of a host. */
function defaultName(token: string): string {
  return `storeport-${digest(`cookie of ${token}`).toString('hex').slice(0, 16)}`
}

function checkName(name: string): string {
  if (/^[\w-]+$/.test(name)) return name
  throw new TypeError('cookieName: must contain only the characters A-Z a-z 0-9 _ -')
}

/** Returns the values of all cookies with a name, because another server on this machine may use the same name. */
function readCookies(cookies: string, name: string): string[] {
  return cookies
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1))
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
