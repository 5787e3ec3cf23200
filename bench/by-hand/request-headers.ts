import { Refusal } from './refusal.ts'

/** The id that the caller sent, when it is safe to log; else a new one. */
export function requestIdOf(sent: string | null | undefined): string {
  return typeof sent === 'string' && /^[A-Za-z0-9._-]{1,128}$/.test(sent) ? sent : crypto.randomUUID()
}

/** Refuses calls for the test store: this shop has none. */
export function refuseTestMode(header: string | null | undefined, query: string): void {
  const word = header ?? (query.includes('test') ? new URLSearchParams(query).get('test') : undefined)
  if (word === null || word === undefined || word === 'false') return
  throw new Refusal('invalid_request', 'test mode: this shop has no test store')
}

/** The `Idempotency-Key` that the store is given. */
export function idempotencyKeyOf(sent: string | null | undefined): string {
  if (sent === null || sent === undefined) return crypto.randomUUID()
  if (/^[\x21-\x7e]{1,255}$/.test(sent)) return sent
  throw new Refusal('invalid_request', 'Idempotency-Key: must be 1 to 255 visible ASCII characters')
}

/** The headers of every answer; the function that writes it adds its length. */
export function answerHeaders(requestId: string): Record<string, string> {
  return {
    'Content-Type': 'application/json; charset=utf-8',
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'X-Request-Id': requestId,
  }
}
