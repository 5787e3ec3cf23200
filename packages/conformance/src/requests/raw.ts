import type { EndpointName } from '@storeport/core'
import type { CheckContext, RawCaller, RawMessage } from '../engine/check.ts'
import type { Reply } from '../http/reply.ts'
import { harmlessInput, offeredOf } from '../shop/inputs.ts'

/** A header line. */
export type Line = readonly [name: string, value: string]

/** Returns an offered POST endpoint and a harmless body for this endpoint. */
export function findPost(t: CheckContext): readonly [name: EndpointName, body: string] {
  const [name] = offeredOf(t, 'body')
  return [name, JSON.stringify(harmlessInput(t, name))]
}

/** Returns the `Content-Length` header of a body. */
export function lengthOf(body: string): Line {
  return ['Content-Length', String(Buffer.byteLength(body))]
}

/** Encodes a body as a single chunk. */
export function asChunks(body: string): string {
  return `${Buffer.byteLength(body).toString(16)}\r\n${body}\r\n0\r\n\r\n`
}

/** Status codes that an HTTP parser may return for a malformed request. */
const parserStatuses: ReadonlySet<number> = new Set([400, 411, 413, 414, 417, 431, 501, 505])

/** Expects an error response from the HTTP parser, or a closed connection. */
export function expectParserRejection(t: CheckContext, reply: Reply | undefined): void {
  t.ok(
    reply === undefined || parserStatuses.has(reply.status),
    'a rejection by the HTTP parser, or a closed connection',
    reply,
  )
}

/** Sends a request on a new connection and returns its response. */
export async function ask(t: CheckContext, message: RawMessage): Promise<Reply> {
  return nextReply(t, await t.connect(message))
}

/** Returns the next response on a connection. Fails if the connection is closed first. */
export async function nextReply(t: CheckContext, caller: RawCaller): Promise<Reply> {
  const reply = await caller.reply()
  if (reply !== undefined) return reply
  t.equal('none', 'a response', 'before the connection is closed')
  return t.skip('never reached')
}

export const json: Line = ['Content-Type', 'application/json']
export const chunked: Line = ['Transfer-Encoding', 'chunked']
