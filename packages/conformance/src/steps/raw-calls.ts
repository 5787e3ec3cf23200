import { type EndpointName, endpoints } from '@storeport/core'
import type { CheckContext, RawCaller } from '../engine/check-context.ts'
import type { Reply } from '../http/reply.ts'
import { effectiveInput } from './changes.ts'
import { snapshot } from './customers.ts'
import { harmlessInput, offeredPosts } from './inputs.ts'

/** A header line. */
export type Line = readonly [name: string, value: string]

/** An add that must not take effect. */
export interface RawAdd {
  /** What says how long the body is. */
  readonly headers: readonly Line[]
  /** What is sent as the body. */
  readonly body: string
  /** Whether the connection is broken off, in place of ended, behind the body. */
  readonly isBrokenOff?: boolean
}

/** An offered endpoint that takes a body, and a harmless one for it. */
export function anyPost(t: CheckContext): readonly [name: EndpointName, body: string] {
  const [name = t.skip('the shop offers no endpoint that takes a body')] = offeredPosts(t)
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
export async function tryWithoutEffect(t: CheckContext, makeAdds: (body: string) => readonly RawAdd[]): Promise<void> {
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

/** The next answer on a connection, which must not be closed before. */
export async function answerOf(t: CheckContext, caller: RawCaller): Promise<Reply> {
  const reply = await caller.reply()
  if (reply !== undefined) return reply
  t.that(false, 'an answer before the connection is closed')
  return t.skip('never reached')
}
