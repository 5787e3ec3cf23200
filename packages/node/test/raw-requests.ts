import { key } from './support.ts'

/** The header that lets a request in. */
export const keyLine = `X-Integration-API-Key: ${key}\r\n`

/** A GET of what `seam` answers. */
export function get(query: number | string = '', headers = ''): string {
  return `GET /integration?${query} HTTP/1.1\r\nHost: a\r\n${headers}\r\n`
}

/** A GET after whose answer the connection ends. */
export const last = get('last', 'Connection: close\r\n')

/** Where the current subscription is read. */
export const portal = '/integration/customer-portal/subscription?email=a@example.com'

/** Where an action is run. */
export const action = '/integration/custom-action'

/** A valid body of an action. */
export const actionBody = '{"email":"a@example.com","action_id":"a"}'

/** The start of a POST to the action: its length, or how it is sent in chunks, and an empty line come next. */
export const postAction = `POST ${action} HTTP/1.1\r\nHost: a\r\n${keyLine}Content-Type: application/json\r\n`

/** The start of a POST to what `seam` answers. */
export const postHead = 'POST /integration HTTP/1.1\r\nHost: a\r\n'

/** The status lines in what a connection received. */
export function statusesIn(received: string): readonly string[] {
  return received.match(/HTTP\/1\.1 \d+/g) ?? []
}

/** The bodies in what a connection received, each a word in quotation marks. */
export function bodiesIn(received: string): readonly (string | undefined)[] {
  return [...received.matchAll(/\r\n\r\n"(\w+)"/g)].map(([, body]) => body)
}
