import { keys } from './keys.ts'

/** API key of most integrations in tests. */
export const key = keys.first

interface Sent {
  method?: string
  headers?: Record<string, string>
  body?: unknown
}

/** Sends a request to an integration in this process, or to a server at a URL. A body that is not a string is sent as JSON. */
export async function send(
  target: { fetch(request: Request): Promise<Response> } | string,
  path: string,
  { method, headers = {}, body }: Sent = {},
) {
  const { origin, fetch: respond } =
    typeof target === 'string'
      ? { origin: target, fetch }
      : { origin: 'https://shop.example', fetch: (request: Request) => target.fetch(request) }
  const response = await respond(
    new Request(origin + path, {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      headers: {
        'x-integration-api-key': key,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    }),
  )
  const text = await response.text()
  return {
    status: response.status,
    headers: response.headers,
    text,
    get json() {
      return parsed(text)
    },
  }
}

function parsed(text: string): { success?: unknown; data?: unknown; error?: { code?: unknown; message?: unknown } } {
  return text === '' ? {} : JSON.parse(text)
}
