import { type EndpointName, endpoints } from '@storeport/core'
import { type Check, type CheckContext, type Common, define, type RawCaller, type RawMessage } from '../engine/check.ts'
import type { Reply } from '../http/reply.ts'
import { effectiveInput, effectiveNeeds } from '../steps/changes.ts'
import { snapshot } from '../steps/customers.ts'
import { expectThrough, harmlessInput, harmlessTarget, offeredOf } from '../steps/inputs.ts'

/** A header line. */
export type Line = readonly [name: string, value: string]

/** An add that must not take effect. */
interface RawAdd {
  /** What says how long the body is. */
  readonly headers: readonly Line[]
  readonly body: string
  /** Whether the connection is broken off, in place of ended, behind the body. */
  readonly isBrokenOff?: boolean
}

/** An offered endpoint that takes a body, and a harmless one for it. */
export function anyPost(t: CheckContext): readonly [name: EndpointName, body: string] {
  const [name] = offeredOf(t, 'body')
  return [name, JSON.stringify(harmlessInput(t, name))]
}

/** The length of a body as a header line. */
export function lengthOf(body: string): Line {
  return ['Content-Length', String(Buffer.byteLength(body))]
}

/** A body as a single chunk. */
export function asChunks(body: string): string {
  return `${Buffer.byteLength(body).toString(16)}\r\n${body}\r\n0\r\n\r\n`
}

/** What a parser refuses a request with: nothing that the API itself answers a well-formed call with. */
const ofParser: ReadonlySet<number> = new Set([400, 411, 413, 414, 417, 431, 501, 505])

/** Expects a request to be refused, by an answer or by the end of the connection. */
export function expectTurnedAway(t: CheckContext, reply: Reply | undefined): void {
  t.that(
    reply === undefined || ofParser.has(reply.status),
    'a refusal by the parser, or the end of the connection',
    reply,
  )
}

/** Sends adds of a customer of the shop in forms that must be refused, and expects that nothing was added. */
async function tryWithoutEffect(t: CheckContext, makeAdds: (body: string) => readonly RawAdd[]): Promise<void> {
  const input = await effectiveInput(t, 'addProduct')
  const email = String(input['email'])
  const before = await snapshot(t, email)
  for (const { headers, body, isBrokenOff = false } of makeAdds(JSON.stringify(input))) {
    const caller = await t.connect()
    const { path } = endpoints.addProduct
    caller.request({ method: 'POST', path, headers: [['Content-Type', 'application/json'], ...headers], body })
    if (isBrokenOff) caller.destroy()
    else {
      caller.end()
      expectTurnedAway(t, await caller.reply())
      await caller.closed()
    }
    const after = await snapshot(t, email)
    t.equal(after, before, 'everything about the customer')
  }
}

/** The answer to a request on a connection of its own. */
export async function ask(t: CheckContext, message: RawMessage): Promise<Reply> {
  const caller = await t.connect()
  caller.request(message)
  return answerOf(t, caller)
}

/** The next answer on a connection, which must not be closed before. */
export async function answerOf(t: CheckContext, caller: RawCaller): Promise<Reply> {
  const reply = await caller.reply()
  if (reply !== undefined) return reply
  t.that(false, 'an answer before the connection is closed')
  return t.skip('never reached')
}

const json: Line = ['Content-Type', 'application/json']
const chunked: Line = ['Transfer-Encoding', 'chunked']

const common: Common = { mode: 'write', layer: 'wire', needs: effectiveNeeds('addProduct'), requires: ['sockets'] }

/** How it is said where a body ends, on connections of its own. */
export const checks: readonly Check[] = define(common, {
  'http.refuses-conflicting-lengths': {
    title: 'A body with two lengths, a length that is no number, or a length and chunks is refused and adds nothing.',
    requirements: ['HTTP-2'],
    async run(t) {
      await tryWithoutEffect(t, (body) => {
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
  'http.refuses-broken-chunks': {
    title: 'A body whose chunks have no size, a wrong one or no end is refused and adds nothing.',
    requirements: ['HTTP-3', 'HTTP-8'],
    async run(t) {
      await tryWithoutEffect(t, (body) => {
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
  'http.counts-no-short-body': {
    title: 'A body that ends before its announced length adds nothing, even when it is whole JSON.',
    requirements: ['HTTP-8'],
    async run(t) {
      await tryWithoutEffect(t, (body) => {
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
    title: 'A body in chunks is read: sizes in either letter case, extensions, trailers.',
    requirements: ['HTTP-3'],
    mode: 'read-only',
    needs: [],
    async run(t) {
      const [name, body] = anyPost(t)
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
        await expectThrough(t, await answerOf(t, caller), name)
        // What is left over would be taken for the next request.
        caller.request({ path: harmlessTarget(t, name), method: 'POST', headers: [json, lengthOf(body)], body })
        await expectThrough(t, await answerOf(t, caller), name)
      }
    },
  },
})
