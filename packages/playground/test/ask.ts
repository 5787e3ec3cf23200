import { cookie } from './start-shop.ts'

/** Sends a request with the cookie of the playground and the given headers. */
export async function send(url: string, { headers, ...init }: RequestInit & { headers?: Record<string, string> } = {}) {
  const response = await fetch(url, { ...init, headers: { Cookie: cookie, ...headers } })
  const text = await response.text()
  return {
    status: response.status,
    /** Headers by lowercase name; cookies are in `cookies`. */
    headers: Object.fromEntries(response.headers),
    cookies: response.headers.getSetCookie(),
    text,
    json: (): unknown => JSON.parse(text),
  }
}

/** Sends a POST request with JSON, as the page does. */
export function post(url: string, path: string, body: unknown, headers: Record<string, string> = {}) {
  return send(url + path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Sec-Fetch-Site': 'same-origin', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
}
