import { isDeepStrictEqual } from 'node:util'
import { type EndpointName, endpoints } from '@storeport/core'
import { type Check, type CheckContext, type Common, define, type RawCaller, type RawMessage } from '../engine/check.ts'
import type { Reply } from '../http/reply.ts'
import { effectiveInput, effectiveNeeds } from '../shop/changes.ts'
import { snapshot } from '../shop/customers.ts'
import { expectValid, harmlessInput, harmlessTarget, offeredOf } from '../shop/inputs.ts'

type Input = Readonly<Record<string, unknown>>

/** A header line. */
export type Line = readonly [name: string, value: string]

/** An addProduct request that must not take effect. */
interface RawAdd {
  /** Headers that define the length of the body. */
  readonly headers: readonly Line[]
  readonly body: string
  /** Whether to destroy the connection after the body, instead of half-closing it. */
  readonly isBrokenOff?: boolean
}

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

/** Sends malformed addProduct requests for an existing customer, and expects that nothing is added. */
async function expectNoEffect(t: CheckContext, makeAdds: (body: string) => readonly RawAdd[]): Promise<void> {
  const input = await effectiveInput(t, 'addProduct')
  const email = String(input['email'])
  const before = await snapshot(t, email)
  try {
    await sendWithoutEffect(t, makeAdds(JSON.stringify(input)), email, before)
  } catch (error) {
    await undoEffect(t, input, before).catch(() => {})
    throw error
  }
}

/** Undoes an addition that took effect. A raw request is not in the change log, so the engine cannot undo it. */
async function undoEffect(t: CheckContext, { email, product_id }: Input, before: object): Promise<void> {
  if (!t.offered.includes('undoAddProduct') || isDeepStrictEqual(await snapshot(t, String(email)), before)) return
  // A new key prevents the shop from treating the undo as a repeat.
  await t.call('undoAddProduct', { email, product_id }, { headers: { 'Idempotency-Key': crypto.randomUUID() } })
}

async function sendWithoutEffect(
  t: CheckContext,
  adds: readonly RawAdd[],
  email: string,
  before: object,
): Promise<void> {
  for (const { headers, body, isBrokenOff = false } of adds) {
    const caller = await t.connect()
    const { path } = endpoints.addProduct
    caller.request({ method: 'POST', path, headers: [['Content-Type', 'application/json'], ...headers], body })
    if (isBrokenOff) caller.destroy()
    else {
      caller.end()
      expectParserRejection(t, await caller.reply())
      await caller.closed()
    }
    const after = await snapshot(t, email)
    t.equal(after, before, "the customer's data")
  }
}

/** Sends a request on a new connection and returns its response. */
export async function ask(t: CheckContext, message: RawMessage): Promise<Reply> {
  const caller = await t.connect()
  caller.request(message)
  return nextReply(t, caller)
}

/** Returns the next response on a connection. Fails if the connection is closed first. */
export async function nextReply(t: CheckContext, caller: RawCaller): Promise<Reply> {
  const reply = await caller.reply()
  if (reply !== undefined) return reply
  t.equal('none', 'a response', 'before the connection is closed')
  return t.skip('never reached')
}

const json: Line = ['Content-Type', 'application/json']
const chunked: Line = ['Transfer-Encoding', 'chunked']

const common: Common = { mode: 'write', layer: 'wire', needs: effectiveNeeds('addProduct'), requires: ['sockets'] }

export const checks: readonly Check[] = define(common, {
  'http.rejects-conflicting-lengths': {
    title:
      'A request with two `Content-Length` values, an invalid value, or both `Content-Length` and chunked encoding is rejected and adds nothing.',
    requirements: ['HTTP-2'],
    async run(t) {
      await expectNoEffect(t, (body) => {
        const length = Buffer.byteLength(body)
        const pieces = asChunks(body)
        const lengths = [
          [length, length + 5],
          [length + 5, length],
          [`+${length}`],
          [`${length}x`],
          [`${length}, ${length + 1}`],
          [`0x${length.toString(16)}`],
          [-length],
        ]
        return [
          ...lengths.map((values) => ({
            headers: values.map((value): Line => ['Content-Length', String(value)]),
            body,
          })),
          { headers: [['Content-Length', String(length)], chunked], body },
          { headers: [['Content-Length', String(Buffer.byteLength(pieces))], chunked], body: pieces },
          { headers: [chunked, ['Content-Length', String(Buffer.byteLength(pieces))]], body: pieces },
        ]
      })
    },
  },
  'http.rejects-invalid-chunks': {
    title: 'A request with a missing or invalid chunk size, or without the last chunk, is rejected and adds nothing.',
    requirements: ['HTTP-3', 'HTTP-8'],
    async run(t) {
      await expectNoEffect(t, (body) => {
        const size = Buffer.byteLength(body).toString(16)
        const bodies = [
          `0x${size}\r\n${body}\r\n0\r\n\r\n`,
          `+${size}\r\n${body}\r\n0\r\n\r\n`,
          `${size}x\r\n${body}\r\n0\r\n\r\n`,
          `${size}\r\n${body}0\r\n\r\n`,
          `${size}\r\n${body}\r\n`,
        ]
        return bodies.map((pieces) => ({ headers: [chunked], body: pieces }))
      })
    },
  },
  'http.rejects-an-incomplete-body': {
    title: 'A request with a body shorter than its `Content-Length` adds nothing, even if the body is complete JSON.',
    requirements: ['HTTP-8'],
    async run(t) {
      await expectNoEffect(t, (body) => {
        const longer: Line = ['Content-Length', String(Buffer.byteLength(body) + 10)]
        return [
          { headers: [longer], body },
          { headers: [longer], body: body.slice(0, 20) },
          { headers: [longer], body, isBrokenOff: true },
          { headers: [chunked], body: asChunks(body).slice(0, -5), isBrokenOff: true },
        ]
      })
    },
  },
  'http.reads-chunks': {
    title:
      'A request with a chunked body is accepted, including extensions, trailers, and chunk sizes in uppercase or lowercase.',
    requirements: ['HTTP-3'],
    mode: 'read-only',
    needs: [],
    async run(t) {
      const [name, body] = findPost(t)
      const size = Buffer.byteLength(body).toString(16)
      const [first, rest] = [body.slice(0, 10), body.slice(10)]
      const restSize = Buffer.byteLength(rest).toString(16)
      for (const pieces of [
        `a\r\n${first}\r\n${restSize}\r\n${rest}\r\n0\r\n\r\n`,
        `A\r\n${first}\r\n${restSize.toUpperCase()}\r\n${rest}\r\n0\r\n\r\n`,
        `000${size}\r\n${body}\r\n0\r\n\r\n`,
        `${size};name=value\r\n${body}\r\n0;last\r\n\r\n`,
        `${size}\r\n${body}\r\n0\r\nX-Checksum: 1\r\n\r\n`,
      ]) {
        const caller = await t.connect()
        const { path } = endpoints[name]
        caller.request({ method: 'POST', path, headers: [json, chunked], body: pieces })
        await expectValid(t, await nextReply(t, caller), name)
        // If the server did not read the whole first body, it would parse the rest as part of this second request.
        const second = caller.isLast() ? await t.connect() : caller
        second.request({ path: harmlessTarget(t, name), method: 'POST', headers: [json, lengthOf(body)], body })
        await expectValid(t, await nextReply(t, second), name)
      }
    },
  },
})
