import { Agent } from 'node:http'
import { sendByHttp } from '@storeport/conformance'
import { createIntegration, errors, isErrorCode } from '@storeport/core'
import { type RunningServer, serve } from '@storeport/node'
import { createMemoryStore } from '@storeport/store-memory'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import * as hostile from './hostile-values.ts'
import { isNightly } from './is-nightly.ts'
import { key, sendRequest } from './send-request.ts'

const otherCustomer = 'another@example.com'
/**
 * Returns options with the number of runs. Nightly tests have more runs, and send at least 100,000 requests in total.
 */
const numRuns = (ordinary: number) => ({ numRuns: isNightly ? ordinary * 21 : ordinary })
vi.setConfig({ testTimeout: isNightly ? 3_600_000 : 60_000 })

describe('hostile input', () => {
  const store = createMemoryStore({ today: '2026-03-10' })
  const otherCustomerBefore = JSON.stringify(store.account(otherCustomer))
  const messages: string[] = []
  const unhandled: unknown[] = []
  const recordRejection = (error: unknown) => unhandled.push(error)
  const statuses: number[] = []
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  /** Server with a body limit of 4 MiB. */
  let largeBodyServer: RunningServer
  /** Server with the default body limit. */
  let defaultServer: RunningServer

  beforeAll(async () => {
    process.on('unhandledRejection', recordRejection)
    const open = (maxBodyBytes?: number) => {
      const onError = (_: unknown, { message }: { message: string }) => messages.push(message)
      return serve(createIntegration({ store, apiKeys: [key], maxBodyBytes, onError }), {
        port: 0,
        closeTimeoutMs: 100,
      })
    }
    largeBodyServer = await open(4 * 1024 * 1024)
    defaultServer = await open()
  })
  afterAll(async () => {
    agent.destroy()
    await Promise.all([largeBodyServer.close(), defaultServer.close()])
    process.off('unhandledRejection', recordRejection)
  })

  /** Sends a request over a persistent connection. Checks the response and returns the status. */
  async function send(hostileRequest: hostile.HostileRequest, server = largeBodyServer): Promise<number> {
    const response = await sendRequest(agent, server, hostileRequest)
    check(response, hostileRequest.method === 'HEAD')
    return response.status
  }

  /** Asserts a status below 500, a documented error code, and a message without request data. */
  function check({ status, headers, text }: Awaited<ReturnType<typeof sendRequest>>, isHead = false): void {
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
    // The response to an unsupported `Expect` header has status 417 and the error code of an invalid request.
    expect(isErrorCode(code) && errors[code].status).toBe(status === 417 ? 400 : status)
    expect(message).not.toMatch(/\n|\.[cm]?[jt]s:\d|[^\s@]@[^\s@]|.{600}/)
  }

  const kinds: readonly (readonly [where: string, anyRequest: fc.Arbitrary<hostile.HostileRequest>, runs: number])[] = [
    ['fields', hostile.anyChange, 1800],
    ['queries', hostile.anyRead, 1000],
    ['the bytes of a body', hostile.anyBody, 800],
    ['methods, paths and headers', hostile.anyHead, 1000],
  ]
  it.each(kinds)('returns valid responses to hostile input in %s', async (_where, anyRequest, runs) => {
    await fc.assert(
      fc.asyncProperty(anyRequest, async (hostileRequest) => void (await send(hostileRequest))),
      numRuns(runs),
    )
  })

  it('returns valid responses to malformed bytes on a connection', async () => {
    const head = `HTTP/1.1\r\nHost: a\r\nX-Integration-API-Key: ${key}\r\n`
    const post = `POST /integration/upsells/add-product ${head}Content-Type: application/json\r\n`
    const body = '{"email":"test@example.com","product_id":"test_12345"}'
    const requests = [
      `GET /integration/upsells/products ${head}\r\n`,
      `${post}Content-Length: ${body.length}\r\n\r\n${body}`,
      `${post}Transfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
    ]
    const { connect = expect.unreachable } = sendByHttp(largeBodyServer.url)
    const sendBytes = async (bytes: Buffer) => {
      const connection = await connect()
      connection.write(bytes)
      connection.end()
      let responses = 0
      for (let next = await connection.read('GET'); next !== undefined; next = await connection.read('GET')) {
        if (next.status === 100) continue
        responses += 1
        const lines = next.headers.map(([name, value]) => [name.toLowerCase(), value])
        check({ status: next.status, headers: Object.fromEntries(lines), text: next.body })
      }
      expect(responses).toBeGreaterThan(0)
    }
    await fc.assert(fc.asyncProperty(hostile.anyCorrupted(requests), sendBytes), numRuns(500))
  })

  const large = [
    ...hostile.nested.map(([what, json]): [string, string] => [`50,000 nested ${what}`, json]),
    ...hostile.long.map(([what, json]): [string, string] => [`${what} of 1 MB`, json]),
  ]
  it.each(large)('rejects %s', async (_what, json) => {
    const path = '/integration/customer-portal/send-now'
    for (const body of [`{"email":${json}}`, `{"email":"nobody@example.com","unknown":${json}}`, json]) {
      expect([400, 404]).toContain(await send({ path, body }))
      // This server rejects a body above the default limit of 64 KiB.
      expect(await send({ path, body }, defaultServer)).toBe(body.length > 65_536 ? 413 : 400)
    }
  })

  it("never calls onError or changes another customer's data", () => {
    expect(statuses.length).toBeGreaterThanOrEqual(isNightly ? 100_000 : 5000)
    expect([...new Set(statuses)]).toEqual(expect.arrayContaining([200, 400, 401, 404, 405, 413, 415, 417]))
    expect([messages, unhandled]).toEqual([[], []])
    expect(Object.keys(Object.prototype)).toEqual([])
    expect(JSON.stringify(store.account(otherCustomer))).toBe(otherCustomerBefore)
  })
})
