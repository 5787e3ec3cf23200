import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { PlaygroundOptions } from './playground-options.ts'

/** Access control of a playground. Ignores the host, origin and forwarding headers, because clients can forge them. */
export interface Access {
  /** Whether a request has a valid cookie. */
  hasCookie(req: IncomingMessage): boolean
  /** Returns the `Set-Cookie` header if the URL contains the token. */
  cookieFor(req: IncomingMessage): string | undefined
}

/** Lifetime of the cookie, in seconds: 30 days. */
const cookieSeconds = 2_592_000

/** Creates the access control for a token; throws TypeError if a cookie cannot contain the token or the name. */
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

/** Derives the name from the token, because browsers share cookies between the ports of a host. */
function defaultName(token: string): string {
  return `storeport-${digest(`cookie of ${token}`).toString('hex').slice(0, 16)}`
}

function checkName(name: string): string {
  if (/^[\w-]+$/.test(name)) return name
  throw new TypeError('cookieName: must contain only the characters A-Z a-z 0-9 _ -')
}

/** Returns all cookies with this name, because another server on this machine may set a cookie with the same name. */
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
