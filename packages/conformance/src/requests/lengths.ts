import { isDeepStrictEqual } from 'node:util'
import { endpoints } from '@storeport/core'
import { type Check, type Common, type CheckRow, define } from '../engine/check.ts'
import { effectiveInput, effectiveNeeds } from '../shop/changes.ts'
import { snapshot } from '../shop/customers.ts'
import { expectValid, harmlessTarget } from '../shop/inputs.ts'
import { requirements } from './http.ts'
import { asChunks, chunked, expectParserRejection, findPost, json, lengthOf, type Line, nextReply } from './raw.ts'

/** Headers that define the length of a body, and the body. With `broken-off`, the caller then closes the connection. */
type Framing = readonly [headers: readonly Line[], body: string, end?: 'broken-off']

/** A check that sends malformed addProduct requests for an existing customer, and expects that nothing is added. */
function addingNothing(ids: Check['requirements'], framingsOf: (body: string) => readonly Framing[]): CheckRow {
  return {
    requirements: ids,
    async run(t) {
      const input = await effectiveInput(t, 'addProduct')
      const { email, product_id } = input
      const before = await snapshot(t, String(email))
      for (const [headers, body, end] of framingsOf(JSON.stringify(input))) {
        const caller = await t.connect()
        caller.request({ method: 'POST', path: endpoints.addProduct.path, headers: [json, ...headers], body })
        if (end === undefined) caller.end()
        else caller.destroy()
        const reply = end === undefined ? await caller.reply() : undefined
        const after = await snapshot(t, String(email))
        // A raw request is not in the change log, so the engine cannot undo it. A new key prevents a repeat.
        if (t.offered.includes('undoAddProduct') && !isDeepStrictEqual(after, before)) {
          const options = { headers: { 'Idempotency-Key': crypto.randomUUID() } }
          await t.call('undoAddProduct', { email, product_id }, options)
        }
        expectParserRejection(t, reply)
        t.equal(after, before, "the customer's data")
      }
    },
  }
}

const sizeOf = (body: string) => Buffer.byteLength(body).toString(16)

const common: Common = { mode: 'write', layer: 'wire', needs: effectiveNeeds('addProduct'), requires: ['sockets'] }

export const checks: readonly Check[] = define(common, requirements, {
  'http.rejects-conflicting-lengths': addingNothing(['HTTP-2'], (body) => {
    const length = Buffer.byteLength(body)
    const pieces = asChunks(body)
    const invalid = [`+${length}`, `${length}x`, `${length}, ${length + 1}`, `0x${length.toString(16)}`, -length]
    const lengths = [[length, length + 5], [length + 5, length], ...invalid.map((value) => [value])]
    return [
      ...lengths.map((values): Framing => [values.map((value): Line => ['Content-Length', String(value)]), body]),
      [[lengthOf(body), chunked], body],
      [[lengthOf(pieces), chunked], pieces],
      [[chunked, lengthOf(pieces)], pieces],
    ]
  }),
  'http.rejects-invalid-chunks': addingNothing(['HTTP-3', 'HTTP-8'], (body) => {
    const size = sizeOf(body)
    const bodies = [`0x${size}`, `+${size}`, `${size}x`].map((wrong) => `${wrong}\r\n${body}\r\n0\r\n\r\n`)
    const ends = [`${size}\r\n${body}0\r\n\r\n`, `${size}\r\n${body}\r\n`]
    return [...bodies, ...ends].map((pieces) => [[chunked], pieces])
  }),
  'http.rejects-an-incomplete-body': addingNothing(['HTTP-8'], (body) => {
    const longer: Line = ['Content-Length', String(Buffer.byteLength(body) + 10)]
    return [
      [[longer], body],
      [[longer], body.slice(0, 20)],
      [[longer], body, 'broken-off'],
      [[chunked], asChunks(body).slice(0, -5), 'broken-off'],
    ]
  }),
  'http.reads-chunks': {
    requirements: ['HTTP-3'],
    mode: 'read-only',
    needs: [],
    async run(t) {
      const [name, body] = findPost(t)
      const [first, rest] = [body.slice(0, 10), body.slice(10)]
      const [size, restSize] = [sizeOf(body), sizeOf(rest)]
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
