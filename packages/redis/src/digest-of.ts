import { createHash } from 'node:crypto'

/** Returns what stands in a key in place of something that could be read: its SHA-256. */
export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}
