import type { RequestListener } from 'node:http'
import { findFreePort } from '@storeport/testing/find-free-port'
import { describe, expect, it } from 'vitest'
import { command, endless, shopListener, startServer } from './command.ts'

/** Creates a listener that sends the same response to every request. */
function answering(status: number, body: string, headers: Record<string, string> = {}): RequestListener {
  return (_req, res) => void res.writeHead(status, headers).end(body)
}

const page = answering(200, '<!doctype html><h1>Shop</h1>')
const closing: RequestListener = (req) => void req.destroy()
const resetting: RequestListener = (req) => void req.socket.resetAndDestroy()

/** Creates a listener that serves a correct shop. Starting with the n-th request, it calls `then` instead. */
function from(nth: number, then: RequestListener): RequestListener {
  const shop = shopListener()
  let requests = 0
  return (req, res) => (++requests < nth ? shop : then)(req, res)
}

const freeUrl = async () => `http://127.0.0.1:${await findFreePort()}`

describe('a run against a shop that cannot be checked', () => {
  it.each<[what: string, listener: RequestListener]>([
    ['an HTML page', page],
    ['a body that is not JSON', answering(200, 'OK')],
    ['a redirect', answering(308, '', { Location: 'https://www.shop.example/' })],
    ['a proxy whose server is down', answering(502, 'Bad Gateway')],
    ['another API', answering(404, '{"error":"Not Found"}')],
    ['an invalid key', shopListener(undefined, { apiKeys: ['another-key-0123456789'] })],
    ['a server that closes connections', closing],
    ['a server that never responds', () => {}],
    ['a body that stalls', (_req, res) => void res.write('{')],
    ['a body that drips', dripping],
    ['a body that never ends', endless],
    ['a body that breaks off', breakingOff],
    ['a server that resets connections', resetting],
  ])('prints one sentence and exits with 2: %s', async (what, listener) => {
    // Sets a short timeout only if the case expects a timeout. In other cases, a slow machine could exceed 200 ms.
    const timeout = /never responds|stalls|drips/.test(what) ? ['--timeout', '0.2'] : []
    expect(sentenceOf(await command([await startServer(listener), ...timeout]))).toMatchSnapshot()
  })

  it.each<[what: string, url: () => Promise<string>]>([
    ['no server', freeUrl],
    ['no TLS at the port', async () => (await startServer(page)).replace('http:', 'https:')],
  ])('prints one sentence and exits with 2: %s', async (_what, url) => {
    expect(sentenceOf(await command([await url()]))).toMatchSnapshot()
  })

  it('writes the error as JSON if --json is set', async () => {
    const { code, out } = await command([await freeUrl(), '--json'])
    const problem = expect.stringContaining('no server listens')
    expect(JSON.parse(out)).toMatchObject({ verdict: 'NOT CHECKED', groups: [], problem })
    expect(code).toBe(2)
  })
})

/** Returns the only output of a run that ends with 2, with another name of the test server. */
function sentenceOf({ code, out, err }: Awaited<ReturnType<typeof command>>): string {
  expect({ code, out }).toEqual({ code: 2, out: '' })
  return err.trim().replaceAll(/127\.0\.0\.1:\d+/g, 'shop.example')
}

describe('an incomplete run', () => {
  const slow = shopListener()
  const crash = from(200, closing)

  it.each<[what: string, listener: RequestListener, words: readonly string[], message: RegExp, verdict: string]>([
    ['the server crashes', from(200, closing), [], /responding: .*closed the connection/, 'NOT CHECKED'],
    ['it stops responding', from(200, () => {}), ['--timeout', '1'], /did not respond within 1000 ms/, 'NOT CHECKED'],
    [
      'a response failed a requirement first',
      (req, res) => (req.url?.includes('no-such') === true ? page : crash)(req, res),
      [],
      /responding: /,
      'NOT CONFORMING',
    ],
    [
      'it reaches --total-timeout',
      (req, res) => void setTimeout(() => slow(req, res), 20),
      ['--total-timeout', '3'],
      /after \d+ checks the run reached the --total-timeout of 3 s/,
      'NOT CHECKED',
    ],
  ])('reports the completed checks if %s', async (_what, listener, words, message, verdict) => {
    const { code, out } = await command([await startServer(listener), '--read-only', ...words])
    const [, found, problem] = /\n {2}(NOT \w+) {2}http.*\n {2}(after \d+ checks .*)/.exec(out) ?? []
    expect(found).toBe(verdict)
    expect(problem).toMatch(message)
    if (!out.includes('--total-timeout'))
      expect(problem).toMatch(/The last request was GET \/integration\/\S+\. \d+ checks did not run$/)
    expect(code).toBe(verdict === 'NOT CHECKED' ? 2 : 1)
  })
})

describe('a shop whose changes fail', () => {
  it.each<[what: string, listener: RequestListener, cause: RegExp]>([
    ['hang', () => {}, /server hangs/],
    ['are redirected', answering(302, '', { Location: '/login' }), /redirects the request/],
    ['are HTML pages', page, /an HTML page with status 200/],
    ['drip', dripping, /server hangs/],
    ['never end', endless, /The response never ends/],
    ['reset the connection', resetting, /proxy closed the connection/],
    ['break off', breakingOff, /proxy closed the connection/],
  ])(
    'prints at most 60 lines, and first the cause: responses %s',
    { timeout: 120_000 },
    async (_what, listener, cause) => {
      const shop = shopListener()
      const url = await startServer((req, res) => (req.method === 'POST' ? listener : shop)(req, res))
      const timeout = cause.source.includes('hangs') ? ['--timeout', '0.3'] : []
      const { out } = await command([url, ...timeout])
      const lines = out.trim().split('\n')
      expect(lines.length).toBeLessThanOrEqual(60)
      expect(lines.find((line) => /^ {2}[✗!] 1\. /.test(line))).toMatch(cause)
    },
  )
})

/** Sends a byte of the body from time to time, and never the last one. */
function dripping(...[, res]: Parameters<RequestListener>): void {
  const timer = setInterval(() => res.write(' '), 20)
  res.once('close', () => clearInterval(timer))
}

/** Closes the connection in the middle of the body. */
function breakingOff(...[, res]: Parameters<RequestListener>): void {
  res.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '99' })
  res.write('{"success":', () => res.destroy())
}
