import { execFile } from 'node:child_process'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createNetServer, type Server } from 'node:net'
import { promisify } from 'node:util'
import { createIntegration } from '@storeport/core'
import { toNodeListener } from '@storeport/node'
import { createMemoryStore } from '@storeport/store-memory'
import { listenOn } from '@storeport/testing/listen'
import { expect, it, onTestFinished } from 'vitest'
import { type RunOptions, sendByHttp } from '../../src/index.ts'
import { findingOf } from '../../src/report/finding.ts'
import { apiKey, resultOf } from '../shop.ts'

function urlOf(server: Server): Promise<string> {
  onTestFinished(() => void server.close())
  return listenOn(server)
}

/** Starts a correct shop that announces `Connection: close` in each response. */
async function startClosingShop(): Promise<Partial<RunOptions>> {
  const shop = toNodeListener(createIntegration({ store: createMemoryStore(), apiKeys: [apiKey] }))
  const listener: RequestListener = (req, res) => {
    res.shouldKeepAlive = false
    shop(req, res)
  }
  return { send: sendByHttp(await urlOf(createServer(listener))) }
}

it.each(['http.reads-chunks', 'http.ignores-a-body-on-get', 'http.handles-expect-continue', 'stress.loses-no-change'])(
  'passes %s if the server closes the connection after each response, as it announces',
  async (id) => {
    expect(await resultOf(id, await startClosingShop())).toMatchObject({ outcome: 'passed' })
  },
)

it('skips the check of pipelined requests if the server announces that it closes the connection', async () => {
  expect(await resultOf('http.handles-pipelined-requests-in-order', await startClosingShop())).toMatchObject({
    outcome: 'skipped',
    reason: 'the server closes the connection after each response, as it announces',
  })
})

const answerOf = (status: number, code: string) => {
  const body = `{"success":false,"error":{"code":"${code}","message":"No."}}`
  return `HTTP/1.1 ${status} No\r\nContent-Length: ${body.length}\r\nContent-Type: application/json\r\n\r\n${body}`
}

/** Starts a server that records the bytes of each connection, and closes the connection after one response. */
async function startRecorder() {
  const received: Buffer[] = []
  const server = createNetServer((socket) => {
    const place = received.push(Buffer.of()) - 1
    socket.on('error', () => {})
    socket.on('data', (data) => {
      received[place] = Buffer.concat([received[place] ?? Buffer.of(), data])
      const text = received[place].toString('latin1')
      if (!text.endsWith('\r\n\r\n') && !text.endsWith('}')) return
      const isFound = text.startsWith('POST ') || text.includes(' HTTP/9.9')
      socket.end(isFound ? answerOf(404, 'customer_not_found') : answerOf(400, 'invalid_request'))
    })
  })
  return { url: await urlOf(server), received }
}

it.each([
  ['http.rejects-malformed-headers', 'HTTP-10', '404 ', ' HTTP/9.9'],
  ['http.reads-chunks', 'HTTP-3', 'none', '\r\n0\r\n\r\nPOST '],
  ['http.handles-pipelined-requests-in-order', 'HTTP-11', 'none', '\r\n\r\nGET /'],
])('prints a command that sends exactly the bytes of %s', async (id, requirement, result, part) => {
  const { url, received } = await startRecorder()
  const { failure } = await resultOf(id, { send: sendByHttp(url), offered: ['listProducts', 'addProduct'] })
  expect(failure).toMatchObject({ requirement, received: expect.stringContaining(result) })
  const { curl } = findingOf(failure ?? expect.fail('no failure'), url)
  expect(curl).toMatch(/^printf .* \| nc 127\.0\.0\.1 \d+$/)
  const env = { ...process.env, STOREPORT_API_KEY: apiKey }
  const script = `nc() { exec 3<>"/dev/tcp/$1/$2"; cat >&3; cat <&3; }\n${curl}\n`
  await promisify(execFile)('/bin/bash', ['--norc', '-c', script], { env })
  const last = received.pop()?.toString('latin1')
  expect(last).toContain(part)
  expect(received.map(String)).toContain(last)
})
