import type { Call } from '@storeport/core'
import { apiKey } from '../shop.ts'

/** An HTTP request that can be sent over a connection or passed to an adapter. */
export interface RawRequest {
  readonly method: string
  /** Path and query. */
  readonly url: string
  /** Header values by lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/**
 * Requests to the two measured endpoints. Each turn has a different customer or date, so that no POST request is a
 * repeat.
 */
export const timedEndpoints = {
  'GET subscription': (turn: number): RawRequest => getSubscription(customer(turn)),
  'POST delay': (turn: number): RawRequest =>
    post('customer-portal/delay', { email: customer(turn), new_date: date(turn) }),
} as const

/** Creates a GET request for a customer's subscription. */
export function getSubscription(email: string): RawRequest {
  const url = `/integration/customer-portal/subscription?email=${encodeURIComponent(email)}`
  return { method: 'GET', url, headers: { 'x-integration-api-key': apiKey } }
}

/** Creates a POST request with a JSON body. */
export function post(path: string, body: object): RawRequest {
  const headers = { 'x-integration-api-key': apiKey, 'content-type': 'application/json' }
  return { method: 'POST', url: `/integration/${path}`, headers, body: JSON.stringify(body) }
}

/** Converts a request to the object that framework adapters pass to `integration.answer`. */
export function plainCall({ method, url, headers, body = '' }: RawRequest): Call {
  const [path = '', query = ''] = url.split('?')
  const sent = new Map(Object.entries(headers))
  return {
    method,
    path,
    query,
    header: (name) => sent.get(name),
    text: () => Promise.resolve(body),
    hasDisconnected: () => false,
  }
}

function customer(turn: number): string {
  return `customer.${String(turn % 10_000).padStart(5, '0')}@example.com`
}

function date(turn: number): string {
  const day = Math.floor(turn / 10_000)
  return new Date(Date.UTC(2031, 0, 1 + (day % 10_000))).toISOString().slice(0, 10)
}
