import type { NodeRequest } from './node-message.ts'

/** Bytes of body that the caller announced: 0 without a body, Infinity for a body that does not say its length. */
export function contentLength({ headers }: NodeRequest): number {
  if (headers['transfer-encoding'] !== undefined) return Infinity
  const length = Number(headers['content-length'])
  return Number.isNaN(length) ? 0 : length
}
