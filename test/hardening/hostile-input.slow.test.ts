import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { createIntegration, errors, isErrorCode } from '@storeport/core'
import { type RunningServer, serve } from '@storeport/node'
import { createMemoryStore } from '@storeport/store-memory'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import * as hostile from './hostile-values.ts'
import { isNightly } from './is-nightly.ts'
import { exchange, type RawAnswer } from './raw-answers.ts'

const key = 'a-key-of-the-tests-0001'
const neighbour = 'another@example.com'
/** By night, 100,000 requests and more. */
const numRuns = (ordinary: number) => ({ numRuns: isNightly ? ordinary * 21 : ordinary })
vi.setConfig({ testTimeout: isNightly ? 3_600_000 : 60_000 })

describe('whatever is sent to a shop', () => {
  const store = createMemoryStore({ today: '2026-03-10' })
  const neighbourBefore = JSON.stringify(store.account(neighbour))
  const told: string[] = []
  const stray: unknown[] = []
  const note = (error: unknown) => stray.push(error)
  const statuses: number[] = []
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  /** One host that takes large bodies, and one as it is by default. */
  let roomy: RunningServer
  let ordinary: RunningServer

  beforeAll(async () => {
    process.on('unhandledRejection', note)
    const open = (maxBodyBytes?: number) => {
      const onError = (_: unknown, { message }: { message: string }) => told.push(message)
      return serve(createIntegration({ store, apiKeys: [key], maxBodyBytes, onError }), {
        port: 0,
        closeTimeoutMs: 100,
      })
    }
    roomy = await open(4 * 1024 * 1024)
    ordinary = await open()
  })
  afterAll(async () => {
    agent.destroy()
    await Promise.all([roomy.close(), ordinary.close()])
    process.off('unhandledRejection', note)
  })

  /** Sends a call over a connection that stays open, and returns the status. */
  async function send({ method = 'POST', path, headers = {}, body }: hostile.Sent, { port } = roomy): Promise<number> {
    const framing = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }
    const sent = request({
      port,
      agent,
      method,
      path,
      headers: { 'x-integration-api-key': key, 'content-type': 'application/json', ...framing, ...headers },
    }).end(body)
    const [response] = await once(sent, 'response')
    const text = (await buffer(response)).toString()
    check({ status: response.statusCode, headers: response.headers, text }, method === 'HEAD')
    return response.statusCode
  }

  /** Never a failure of the shop, always a row of the table, and nothing of what was sent. */
  function check({ status, headers, text }: RawAnswer, isHead = false): void {
    statuses.push(status)
    expect(status).toBeLessThan(500)
    expect(headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-request-id': expect.stringMatching(/^[A-Za-z0-9._-]{1,128}$/),
    })
    if (isHead) return expect(text).toBe('')
    const body: { success: unknown; error?: { code: unknown; message: unknown } } = JSON.parse(text)
    expect(body.success).toBe(status === 200)
    if (status === 200) return
    expect(body).toEqual({ success: false, error: { code: expect.any(String), message: expect.any(String) } })
    const { code, message } = body.error ?? {}
    // `Expect` has a status of its own, and the code of a request that is not valid.
    expect(isErrorCode(code) && errors[code].status).toBe(status === 417 ? 400 : status)
    expect(message).not.toMatch(/\n|\.[cm]?[jt]s:\d|[^\s@]@[^\s@]|.{600}/)
  }

  const kinds: readonly (readonly [where: string, call: fc.Arbitrary<hostile.Sent>, runs: number])[] = [
    ['fields', hostile.anyChange, 1800],
    ['queries', hostile.anyRead, 1000],
    ['the bytes of a body', hostile.anyBody, 800],
    ['methods, paths and headers', hostile.anyHead, 1000],
  ]
  it.each(kinds)('in %s', async (_where, call, runs) => {
    await fc.assert(
      fc.asyncProperty(call, async (one) => void (await send(one))),
      numRuns(runs),
    )
  })

  it('in the bytes of a connection', async () => {
    const head = `HTTP/1.1\r\nHost: a\r\nX-Integration-API-Key: ${key}\r\n`
    const post = `POST /integration/upsells/add-product ${head}Content-Type: application/json\r\n`
    const body = '{"email":"test@example.com","product_id":"test_12345"}'
    const calls = [
      `GET /integration/upsells/products ${head}\r\n`,
      `${post}Content-Length: ${body.length}\r\n\r\n${body}`,
      `${post}Transfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
    ]
    const sent = async (bytes: Buffer) => {
      const answers = await exchange(roomy.port, bytes)
      expect(answers.length).toBeGreaterThan(0)
      for (const answer of answers) check(answer)
    }
    await fc.assert(fc.asyncProperty(hostile.changed(calls), sent), numRuns(500))
  })

  const large = [
    ...hostile.nested.map(([what, json]): [string, string] => [`50,000 deep: ${what}`, json]),
    ...hostile.long.map(([what, json]): [string, string] => [`1 MB: ${what}`, json]),
  ]
  it.each(large)('%s', async (_what, json) => {
    const path = '/integration/customer-portal/send-now'
    for (const body of [`{"email":${json}}`, `{"email":"nobody@example.com","unknown":${json}}`, json]) {
      expect([400, 404]).toContain(await send({ path, body }))
      // By default it is not even read to its end.
      expect(await send({ path, body }, ordinary)).toBe(body.length > 65_536 ? 413 : 400)
    }
  })

  it('brings nothing down, reaches nobody else, and is not all the same', () => {
    expect(statuses.length).toBeGreaterThanOrEqual(isNightly ? 100_000 : 5000)
    expect([...new Set(statuses)]).toEqual(expect.arrayContaining([200, 400, 401, 404, 405, 413, 415, 417]))
    expect([told, stray]).toEqual([[], []])
    expect(Object.keys(Object.prototype)).toEqual([])
    expect(JSON.stringify(store.account(neighbour))).toBe(neighbourBefore)
  })
})
