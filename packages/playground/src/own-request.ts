import type { IncomingHttpHeaders } from 'node:http'

/** Whether a request names this server: any other name would be a foreign page that points its own name here (DNS rebinding). */
export function isForOwnHost({ host = '' }: IncomingHttpHeaders, publicUrl: string | undefined): boolean {
  const name = host.toLowerCase()
  if (/^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/.test(name)) return true
  return publicUrl !== undefined && name === new URL(publicUrl).host
}

/** Whether a request comes from our own page: a foreign page must not make calls with the merchant's key (CSRF). */
export function isFromOwnPage(method: string | undefined, headers: IncomingHttpHeaders): boolean {
  const site = headers['sec-fetch-site']
  const { origin, host } = headers
  if (origin !== undefined && hostOf(origin) !== host?.toLowerCase()) return false
  if (site === undefined) return origin !== undefined || method === 'GET'
  // `none` is a person who typed the address.
  return site === 'same-origin' || (site === 'none' && method === 'GET')
}

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined
}
