import { type IncomingHttpHeaders, request } from 'node:http'
import { cookie } from './start-shop.ts'

/** What came back. */
export interface Reply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  /** The body read as JSON. */
  json(): unknown
}

/** Sends a request with the cookie of the playground and exactly these headers, the Host header included, which `fetch` does not let one choose. */
export function ask(
  url: string,
  options: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<Reply> {
  const { method = 'GET', headers = {}, body } = options
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method, headers: { Cookie: cookie, ...headers }, agent: false }, (incoming) => {
      const chunks: Buffer[] = []
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
      incoming.on('error', reject)
      incoming.on('end', () => {
        const text = Buffer.concat(chunks).toString()
        resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text, json: () => JSON.parse(text) })
      })
    })
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

/** Posts JSON as the page does. */
export function post(url: string, path: string, body: unknown, headers: Record<string, string> = {}): Promise<Reply> {
  return ask(url + path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Sec-Fetch-Site': 'same-origin', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
}
