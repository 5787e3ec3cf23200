import type { IncomingHttpHeaders } from 'node:http'

/**
 * Whether a browser says that our own page makes a request, or that a person typed the address: another page, also one of
 * another port of this machine, must not make calls with the cookie (CSRF). Behind a proxy `Origin` and `Host` need not agree.
 */
export function isFromOwnPage(method: string | undefined, headers: IncomingHttpHeaders): boolean {
  const site = headers['sec-fetch-site']
  return site === undefined || site === 'same-origin' || (site === 'none' && method === 'GET')
}
