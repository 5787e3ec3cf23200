import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { PlaygroundOptions } from './playground-options.ts'

/** Who may use a playground. Name, origin and forwarding headers of a request count for nothing: whoever writes it chooses them. */
export interface Access {
  /** Whether a request carries the cookie. */
  hasCookie(req: IncomingMessage): boolean
  /** The `Set-Cookie` of the answer when the address holds the token. */
  cookieFor(req: IncomingMessage): string | undefined
}

/** How long a browser keeps the cookie, in seconds: 30 days. */
const cookieSeconds = 2_592_000

/** Opens a playground to whoever has its token; throws TypeError for a token or a name that a cookie cannot carry. */
export function createAccess({ token, cookieName = defaultName(token) }: AccessOptions): Access {
  if (!/^[\w-]{16,256}$/.test(token)) throw new TypeError('token: must be 16 to 256 of the characters A-Z a-z 0-9 _ -')
  const expected = digest(token)
  const isToken = (text: string) => timingSafeEqual(digest(text), expected)
  const name = () => checkName(typeof cookieName === 'string' ? cookieName : cookieName())
  if (typeof cookieName === 'string') checkName(cookieName)

  return {
    hasCookie: ({ headers }) => valuesOf(headers.cookie ?? '', name()).some(isToken),
    cookieFor: ({ url = '' }) => {
      const query = new URLSearchParams(url.split('?').slice(1).join('?'))
      if (!query.getAll('token').some(isToken)) return undefined
      return `${name()}=${token}; Path=/; Max-Age=${cookieSeconds}; HttpOnly; SameSite=Strict`
    },
  }
}

type AccessOptions = Pick<PlaygroundOptions, 'token' | 'cookieName'>

/** Cookies are not separated by port, so each playground needs a name of its own. */
function defaultName(token: string): string {
  return `storeport-${digest(`cookie of ${token}`).toString('hex').slice(0, 16)}`
}

function checkName(name: string): string {
  if (/^[\w-]+$/.test(name)) return name
  throw new TypeError('cookieName: must be of the characters A-Z a-z 0-9 _ -')
}

/** All cookies of the name: another server of this machine can set one of the same name, which must not sign anybody out. */
function valuesOf(cookies: string, name: string): string[] {
  return cookies
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1))
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
