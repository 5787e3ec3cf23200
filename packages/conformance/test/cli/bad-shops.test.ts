import type { RequestListener } from 'node:http'
import { findFreePort } from '@storeport/testing/find-free-port'
import { describe, expect, it } from 'vitest'
import { command, shopListener, startServer, startShop } from './command.ts'

/** A server that gives every call the same answer. */
function answering(status: number, body: string, headers: Record<string, string> = {}): RequestListener {
  return (_req, res) => void res.writeHead(status, headers).end(body)
}

const page = answering(200, '<!doctype html><h1>Shop</h1>')

/** A shop that behaves otherwise from its n-th request on. */
function from(nth: number, then: RequestListener): RequestListener {
  const shop = shopListener()
  let requests = 0
  return (req, res) => (++requests < nth ? shop : then)(req, res)
}

describe('what cannot be checked is explained in a sentence, exit code 2:', () => {
  it.each<[what: string, listener: RequestListener, message: RegExp]>([
    [
      'a web page',
      page,
      /answers with a web page rather than the JSON of the API \(200 for GET \/integration\/upsells\/products\)/,
    ],
    ['no JSON', answering(200, 'OK'), /answers with no JSON rather than the JSON of the API/],
    [
      'a redirect',
      answering(308, '', { Location: 'https://www.shop.example/' }),
      /redirects every call, the first one to https:\/\/www\.shop\.example\/: give the address/,
    ],
    [
      'a proxy without a server',
      answering(502, 'Bad Gateway'),
      /answers every call with 502: is the server behind it running\?/,
    ],
    ['another API', answering(404, '{"error":"Not Found"}'), /the shop offers no endpoint below \/integration/],
    [
      'a wrong key',
      shopListener(undefined, { apiKeys: ['another-key-0123456789'] }),
      /the shop refuses the API key \(401 for every call\): is it the right key, and is X-Integration-API-Key the right header\?/,
    ],
    ['a server that closes connections', (req) => void req.destroy(), /closed the connection without an answer/],
    ['a server that never answers', () => {}, /gives no answer within 200 ms/],
    ['a body that drips for ever', (_req, res) => void res.write('{'), /gives no answer within 200 ms/],
    ['a body that never ends', endless, /the answer does not end within 8388608 bytes/],
  ])('%s', async (_what, listener, message) => {
    // A machine under load may take longer than that to give an answer that comes.
    const timeout = message.source.includes('within 200 ms') ? ['--timeout', '0.2'] : []
    const { code, out, err } = await command([await startServer(listener), ...timeout])
    expect(err).toMatch(message)
    expect(err).toMatch(/^storeport-conformance: .*\n$/)
    expect(out).toBe('')
    expect(code).toBe(2)
  })

  it.each<[what: string, url: () => Promise<string>, message: RegExp]>([
    [
      'nobody there',
      async () => `http://127.0.0.1:${await findFreePort()}`,
      /nothing listens at 127\.0\.0\.1:\d+: is the server running, and the port right\?\n$/,
    ],
    [
      'no TLS at the port',
      async () => (await startServer(page)).replace('http:', 'https:'),
      /does not speak TLS at this port: is it http:\/\/ rather than https:\/\/\?/,
    ],
  ])('%s', async (_what, url, message) => {
    const { code, err } = await command([await url()])
    expect(err).toMatch(message)
    expect(err).toMatch(/^storeport-conformance: .*\n$/)
    expect(code).toBe(2)
  })

  it('with a report for machines all the same', async () => {
    const { code, out } = await command([`http://127.0.0.1:${await findFreePort()}`, '--json'])
    expect(JSON.parse(out)).toMatchObject({
      verdict: 'NOT CHECKED',
      groups: [],
      problem: expect.stringContaining('nothing listens'),
    })
    expect(code).toBe(2)
  })
})

describe('a run that cannot go on tells what it knows, exit code 2:', () => {
  it.each<[what: string, end: RequestListener, message: RegExp]>([
    ['dies', (req) => void req.destroy(), /closed the connection/],
    ['hangs', () => {}, /gives no answer within 200 ms/],
  ])('a server that %s', async (_what, end, message) => {
    const url = await startServer(from(200, end))
    const { code, out } = await command([url, '--read-only', '--timeout', '0.2'])
    expect(out).toMatch(/NOT CHECKED {2}\d+ passed/)
    expect(out).toMatch(/Not all could be checked: after \d+ checks the shop gave no answer any more: /)
    expect(out).toMatch(message)
    expect(code).toBe(2)
  })

  it('a run that takes too long', async () => {
    const shop = shopListener()
    const url = await startServer((req, res) => void setTimeout(() => shop(req, res), 20))
    const { code, out } = await command([url, '--read-only', '--total-timeout', '3'])
    expect(out).toMatch(/after \d+ checks the time for the whole run, 3 s, was up/)
    expect(code).toBe(2)
  })

  it('chosen checks none of which can be made', async () => {
    const { code, out } = await command([await startShop(), '--only', 'AUTH-12'])
    expect(out).toContain('Not all could be checked: none of the checks could be made.')
    expect(code).toBe(2)
  })
})

describe('a run goes on', () => {
  it('when the server crashes on one call and is back', async () => {
    const shop = shopListener()
    const url = await startServer((req, res) => {
      if (req.url?.includes('discount_code=TEST1&') || req.url?.endsWith('discount_code=TEST1')) req.destroy()
      else shop(req, res)
    })
    const { code, out } = await command([url, '--only', 'getDiscount'])
    expect(out).toContain('came back  none (ECONNRESET)')
    expect(out).toContain('The server broke off')
    expect(out).toMatch(/\n {2}\d+ passed, 1 warning/)
    expect(code).toBe(0)
  })

  it('when one endpoint answers without end', async () => {
    const shop = shopListener()
    const url = await startServer((req, res) => (req.url?.includes('FIVEOFF') === true ? endless : shop)(req, res))
    const { code, out } = await command([url, '--only', 'getDiscount'])
    expect(out).toContain('none (the answer does not end within 8388608 bytes)')
    expect(code).toBe(1)
  })
})

function endless(...[, res]: Parameters<RequestListener>): void {
  const chunk = Buffer.alloc(65_536, ' ')
  const more = () => {
    while (!res.destroyed && res.write(chunk));
    if (!res.destroyed) res.once('drain', more)
  }
  more()
}
