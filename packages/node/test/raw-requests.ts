import { key } from './support.ts'

/** Header line with the API key. */
export const keyLine = `X-Integration-API-Key: ${key}\r\n`

/** Returns a GET request for `seam`. */
export function get(query: number | string = '', headers = ''): string {
  return `GET /integration?${query} HTTP/1.1\r\nHost: a\r\n${headers}\r\n`
}

/** GET request that ends the connection. */
export const last = get('last', 'Connection: close\r\n')

/** Path of the current subscription. */
export const portal = '/integration/customer-portal/subscription?email=a@example.com'

/** Path of custom actions. */
export const action = '/integration/custom-action'

/** Valid body of an action. */
export const actionBody = '{"email":"a@example.com","action_id":"a"}'

/** Start of a POST request to `action`; a length or transfer encoding and an empty line follow. */
export const postAction = `POST ${action} HTTP/1.1\r\nHost: a\r\n${keyLine}Content-Type: application/json\r\n`

/** Start of a POST request for `seam`. */
export const postHead = 'POST /integration HTTP/1.1\r\nHost: a\r\n'

/** Returns the status lines that a connection received. */
export function statusesIn(received: string): readonly string[] {
  return received.match(/HTTP\/1\.1 \d+/g) ?? []
}

/** Returns the bodies that a connection received; each is a quoted word. */
export function bodiesIn(received: string): readonly (string | undefined)[] {
  return [...received.matchAll(/\r\n\r\n"(\w+)"/g)].map(([, body]) => body)
}
