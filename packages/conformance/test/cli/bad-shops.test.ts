import type { RequestListener } from 'node:http'
import { findFreePort } from '@storeport/testing/find-free-port'
import { describe, expect, it } from 'vitest'
import { command, shopListener, startServer, startShop } from './command.ts'

/** Creates a listener that sends the same response to every request. */
function answering(status: number, body: string, headers: Record<string, string> = {}): RequestListener {
  return (_req, res) => void res.writeHead(status, headers).end(body)
}

const page = answering(200, '<!doctype html><h1>Shop</h1>')

/** Creates a listener that serves a correct shop. Starting with the n-th request, it calls `then` instead. */
function from(nth: number, then: RequestListener): RequestListener {
  const shop = shopListener()
  let requests = 0
  return (req, res) => (++requests < nth ? shop : then)(req, res)
}

describe('a run against a shop that cannot be checked', () => {
  it.each<[what: string, listener: RequestListener, message: RegExp]>([
    [
      'an HTML page',
      page,
      /returns an HTML page instead of the API's JSON \(200 for GET \/integration\/upsells\/products\)/,
    ],
    ['a body that is not JSON', answering(200, 'OK'), /returns a body that is not JSON instead of the API's JSON/],
    [
      'a redirect',
      answering(308, '', { Location: 'https://www.shop.example/' }),
      /redirects every request\. The first target is https:\/\/www\.shop\.example\/\. Use that URL/,
    ],
    [
      'a proxy whose server is down',
      answering(502, 'Bad Gateway'),
      /returns 502 for every request\. Check that the shop's server is running/,
    ],
    ['another API', answering(404, '{"error":"Not Found"}'), /the shop offers no endpoints below \/integration/],
    [
      'an invalid key',
      shopListener(undefined, { apiKeys: ['another-key-0123456789'] }),
      /the shop rejects the API key \(401 for every request\)\. Check the key and the header name X-Integration-API-Key/,
    ],
    ['a server that closes connections', (req) => void req.destroy(), /closed the connection without a response/],
    ['a server that never responds', () => {}, /did not respond within 200 ms/],
    ['a body that stalls', (_req, res) => void res.write('{'), /did not respond within 200 ms/],
    ['a body that drips', dripping, /did not respond within 200 ms/],
    ['a body that never ends', endless, /the response is larger than 8388608 bytes/],
    ['a body that breaks off', breakingOff, /closed the connection without a response/],
    [
      'a server that resets connections',
      (req) => void req.socket.resetAndDestroy(),
      /closed the connection without a response/,
    ],
  ])('prints an error message and exits with 2: %s', async (_what, listener, message) => {
    // Sets a short timeout only if the case expects a timeout. In other cases, a slow machine could exceed 200 ms.
    const timeout = message.source.includes('within 200 ms') ? ['--timeout', '0.2'] : []
    const { code, out, err } = await command([await startServer(listener), ...timeout])
    expect(err).toMatch(message)
    expect(err).toMatch(/^storeport-conformance: .*\n$/)
    expect(out).toBe('')
    expect(code).toBe(2)
  })

  it.each<[what: string, url: () => Promise<string>, message: RegExp]>([
    [
      'no server',
      async () => `http://127.0.0.1:${await findFreePort()}`,
      /no server listens at 127\.0\.0\.1:\d+\. Check the port, and check that the server is running\n$/,
    ],
    [
      'no TLS at the port',
      async () => (await startServer(page)).replace('http:', 'https:'),
      /does not use TLS on this port\. Try http:\/\/ instead of https:\/\//,
    ],
  ])('prints an error message and exits with 2: %s', async (_what, url, message) => {
    const { code, err } = await command([await url()])
    expect(err).toMatch(message)
    expect(err).toMatch(/^storeport-conformance: .*\n$/)
    expect(code).toBe(2)
  })

  it('writes the error as JSON if --json is set', async () => {
    const { code, out } = await command([`http://127.0.0.1:${await findFreePort()}`, '--json'])
    expect(JSON.parse(out)).toMatchObject({
      verdict: 'NOT CHECKED',
      groups: [],
      problem: expect.stringContaining('no server listens'),
    })
    expect(code).toBe(2)
  })
})

describe('an incomplete run', () => {
  it.each<[what: string, end: RequestListener, message: RegExp, timeout: string]>([
    ['crashes', (req) => void req.destroy(), /closed the connection/, '30'],
    ['stops responding', () => {}, /did not respond within 1000 ms/, '1'],
  ])('reports the completed checks and exits with 2 if the server %s', async (_what, end, message, timeout) => {
    const url = await startServer(from(200, end))
    const { code, out } = await command([url, '--read-only', '--timeout', timeout])
    expect(out).toMatch(/\n {2}NOT CHECKED {2}http.*\n {2}after \d+ checks the shop stopped responding: /)
    expect(out).toMatch(/The last request was GET \/integration\/\S+\. \d+ checks did not run\n/)
    expect(out).toMatch(message)
    expect(code).toBe(2)
  })

  it('is NOT CONFORMING if a response failed a requirement before the server crashed', async () => {
    const crash = from(200, (req) => void req.destroy())
    const url = await startServer((req, res) => (req.url?.includes('no-such') === true ? page : crash)(req, res))
    const { code, out } = await command([url, '--read-only'])
    expect(out).toMatch(/\n {2}NOT CONFORMING {2}http.*\n {2}after \d+ checks the shop stopped responding: /)
    expect(code).toBe(1)
  })

  it('reports the completed checks and exits with 2 after --total-timeout', async () => {
    const shop = shopListener()
    const url = await startServer((req, res) => void setTimeout(() => shop(req, res), 20))
    const { code, out } = await command([url, '--read-only', '--total-timeout', '3'])
    expect(out).toMatch(/after \d+ checks the run reached the --total-timeout of 3 s/)
    expect(code).toBe(2)
  })

  it('exits with 2 if none of the selected checks can run', async () => {
    const { code, out } = await command([await startShop(), '--only', 'AUTH-12'])
    expect(out).toMatch(/NOT CHECKED .*\n {2}no check could run\n/)
    expect(code).toBe(2)
  })
})

describe('a run', () => {
  it('continues if the server closes one connection without a response', async () => {
    const shop = shopListener()
    const url = await startServer((req, res) => {
      if (req.url?.includes('discount_code=TEST1&') || req.url?.endsWith('discount_code=TEST1')) req.destroy()
      else shop(req, res)
    })
    const { code, out } = await command([url, '--only', 'getDiscount'])
    expect(out).toMatch(/response +none \(ECONNRESET\)/)
    expect(out).toContain('The server crashed')
    expect(out).toMatch(/\n {2}\d+ passed, 2 warnings/)
    expect(code).toBe(0)
  })

  it('continues after a response whose body never ends', async () => {
    const shop = shopListener()
    const url = await startServer((req, res) => (req.url?.includes('FIVEOFF') === true ? endless : shop)(req, res))
    const { code, out } = await command([url, '--only', 'getDiscount'])
    expect(out).toContain('none (the response is larger than 8388608 bytes)')
    expect(code).toBe(1)
  })
})

describe('a shop whose changes fail', () => {
  it.each<[what: string, listener: RequestListener, cause: RegExp]>([
    ['hang', () => {}, /server hangs/],
    ['are redirected', answering(302, '', { Location: '/login' }), /redirects the request/],
    ['are HTML pages', page, /an HTML page with status 200/],
    ['drip', dripping, /server hangs/],
    ['never end', endless, /The response never ends/],
    ['reset the connection', (req) => void req.socket.resetAndDestroy(), /proxy closed the connection/],
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

function endless(...[, res]: Parameters<RequestListener>): void {
  const chunk = Buffer.alloc(65_536, ' ')
  const more = () => {
    while (!res.destroyed && res.write(chunk));
    if (!res.destroyed) res.once('drain', more)
  }
  more()
}
