import { key } from './support.ts'

export const keyLine = `X-Integration-API-Key: ${key}\r\n`

/** Returns a GET request that an integration created with `seam` handles. */
export function get(query: number | string = '', headers = ''): string {
  return `GET /integration?${query} HTTP/1.1\r\nHost: a\r\n${headers}\r\n`
}

/** GET request with `Connection: close`. */
export const last = get('last', 'Connection: close\r\n')

/** Path and query of a request for a subscription. */
export const portal = '/integration/customer-portal/subscription?email=a@example.com'

/** Path of the custom-action endpoint. */
export const action = '/integration/custom-action'

/** Valid body of a request to `action`. */
export const actionBody = '{"email":"a@example.com","action_id":"a"}'

/** Start of a POST request to `action`; tests append a length or transfer encoding, and an empty line. */
export const postAction = `POST ${action} HTTP/1.1\r\nHost: a\r\n${keyLine}Content-Type: application/json\r\n`

/** Start of a POST request that an integration created with `seam` handles. */
export const postHead = 'POST /integration HTTP/1.1\r\nHost: a\r\n'

/** Returns the status lines in the received bytes, without the reason phrase. */
export function statusesIn(received: string): readonly string[] {
  return received.match(/HTTP\/1\.1 \d+/g) ?? []
}

/** Returns the bodies that a connection received; each body is a quoted word. */
export function bodiesIn(received: string): readonly (string | undefined)[] {
  return [...received.matchAll(/\r\n\r\n"(\w+)"/g)].map(([, body]) => body)
}
