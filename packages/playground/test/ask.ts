import { cookie } from './start-shop.ts'

/** What came back. */
export interface TestResponse {
  readonly status: number
  /** By name in lower case; all cookies are in `cookies`. */
  readonly headers: Readonly<Record<string, string>>
  readonly cookies: readonly string[]
  readonly text: string
  /** The body read as JSON. */
  json(): unknown
}

/** Sends a request with the cookie of the playground and these headers. */
export async function sendRequest(
  url: string,
  { headers, ...init }: RequestInit & { headers?: Record<string, string> } = {},
): Promise<TestResponse> {
  const response = await fetch(url, { ...init, headers: { Cookie: cookie, ...headers } })
  const text = await response.text()
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    cookies: response.headers.getSetCookie(),
    text,
    json: () => JSON.parse(text),
  }
}

/** Posts JSON as the page does. */
export function post(
  url: string,
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<TestResponse> {
  return sendRequest(url + path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Sec-Fetch-Site': 'same-origin', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
}
