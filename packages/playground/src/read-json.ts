import type { IncomingMessage } from 'node:http'
import { StoreError } from '@storeport/core'

/** Largest body that the playground reads, in bytes. */
const maxBytes = 65_536

/** Reads a JSON object; throws StoreError for another media type, too many bytes or anything that is not a JSON object. */
export async function readJson(req: IncomingMessage): Promise<object> {
  const mediaType = (req.headers['content-type'] ?? '').split(';', 1)[0]
  if (mediaType?.trim().toLowerCase() !== 'application/json') throw new StoreError('unsupported_media_type')
  const body = parsed(await readText(req))
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body
  throw new StoreError('invalid_request', 'body: must be a JSON object')
}

async function readText(req: IncomingMessage): Promise<string> {
  if (Number(req.headers['content-length']) > maxBytes) throw new StoreError('payload_too_large')
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let bytes = 0
    const take = (chunk: Buffer) => {
      bytes += chunk.length
      chunks.push(chunk)
      if (bytes <= maxBytes) return
      req.off('data', take)
      reject(new StoreError('payload_too_large'))
    }
    req.on('data', take)
    req.on('end', () => resolve(Buffer.concat(chunks).toString()))
    req.on('close', () => reject(new StoreError('invalid_request', 'body: ended before it was complete')))
    req.on('error', reject)
  })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new StoreError('invalid_request', 'body: must be valid JSON')
  }
}
