import type { Call } from '../pipeline/call.ts'
import { StoreError } from '../errors.ts'

/** The `Idempotency-Key` of a call, quoted or bare, or `undefined`; throws StoreError `invalid_request` for one that is not 1–255 visible ASCII characters. */
export function readIdempotencyKey(call: Call): string | undefined {
  const header = call.header('idempotency-key')
  if (header === null || header === undefined) return undefined
  const text = /^".*"$/.test(header) ? header.slice(1, -1).replaceAll(/\\(["\\])/g, '$1') : header
  if (/^[\x21-\x7e]{1,255}$/.test(text)) return text
  throw new StoreError('invalid_request', 'Idempotency-Key: must be 1 to 255 visible ASCII characters')
}
