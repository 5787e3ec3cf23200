import { apiKey } from '../shop.ts'

/** A request of HTTP/1.1 as it goes over the wire. */
export interface RawRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** The two endpoints that are timed. */
export const timedEndpoints = {
  'GET subscription': (turn: number): RawRequest => ({
    method: 'GET',
    path: `/integration/customer-portal/subscription?email=${encodeURIComponent(customer(turn))}`,
    headers: { 'X-Integration-API-Key': apiKey },
  }),
  'POST delay': (turn: number): RawRequest => ({
    method: 'POST',
    path: '/integration/customer-portal/delay',
    headers: { 'X-Integration-API-Key': apiKey, 'Content-Type': 'application/json' },
    body: JSON.stringify({ email: customer(turn), new_date: date(turn) }),
  }),
} as const

/** Name of a timed endpoint. */
export type TimedEndpoint = keyof typeof timedEndpoints

/** The names of the timed endpoints. */
export const timedEndpointNames = ['GET subscription', 'POST delay'] as const satisfies TimedEndpoint[]

/** The text of a request, as a client over a kept connection sends it. */
export function wireText({ method, path, headers, body }: RawRequest): string {
  const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }
  const lines = Object.entries({ Host: '127.0.0.1', Accept: 'application/json', ...headers, ...length })
  return `${method} ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body ?? ''}`
}

function customer(turn: number): string {
  return `customer.${String(turn % 10_000).padStart(5, '0')}@example.com`
}

/** A customer whose turn comes again asks for another date, so that no POST is a repeat of the one before. */
function date(turn: number): string {
  const day = Math.floor(turn / 10_000)
  return new Date(Date.UTC(2031, 0, 1 + (day % 10_000))).toISOString().slice(0, 10)
}
