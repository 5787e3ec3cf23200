import { keys } from './keys.ts'

/** API key of most integrations in tests. */
export const key = keys.first

interface Sent {
  method?: string
  headers?: Record<string, string>
  body?: unknown
}

/** Sends a request to an integration in this process. A body that is not a string is sent as JSON. */
export async function send(
  integration: { fetch(request: Request): Promise<Response> },
  path: string,
  { method, headers = {}, body }: Sent = {},
) {
  const response = await integration.fetch(
    new Request(`https://shop.example${path}`, {
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
  return { status: response.status, headers: response.headers, text, json: parsed(text) }
}

function parsed(text: string): { success?: unknown; data?: unknown; error?: { code?: unknown; message?: unknown } } {
  return text === '' ? {} : JSON.parse(text)
}
