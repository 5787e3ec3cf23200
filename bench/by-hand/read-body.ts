import type { IncomingMessage } from 'node:http'
import { Refusal } from './refusal.ts'

/** Largest body, in bytes. */
export const maxBodyBytes = 65_536

/** The body of a request of node:http as text. */
export function readBody(req: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    if (Number(req.headers['content-length']) > maxBodyBytes) return reject(new Refusal('payload_too_large'))
    const chunks: Buffer[] = []
    let bytes = 0
    req.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > maxBodyBytes) reject(new Refusal('payload_too_large'))
      else chunks.push(chunk)
    })
    req.on('end', () => {
      const [first] = chunks
      resolve(chunks.length === 1 && first !== undefined ? first.toString() : Buffer.concat(chunks).toString())
    })
    req.on('close', () => {
      if (!req.readableEnded) reject(new Refusal('invalid_request', 'body: ended before it was complete'))
    })
  })
}
