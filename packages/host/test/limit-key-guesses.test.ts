import { request } from 'node:http'
import { once } from 'node:events'
import { json } from 'node:stream/consumers'
import { describe, expect, it, vi } from 'vitest'
import { clientOf, limitKeyGuesses } from '../src/limit-key-guesses.ts'
import { key, openHost } from './open-host.ts'

const callFrom = (clientAddress: string, forwarded?: string) => ({
  clientAddress,
  header: (name: string) => (name === 'x-forwarded-for' ? forwarded : undefined),
})

describe('the client that a call comes from', () => {
  it.each([
    ['nobody is believed', '192.0.2.1', '203.0.113.9', 0, '192.0.2.1'],
    ['one proxy is believed: what it added', '10.0.0.1', '6.6.6.6, 203.0.113.9', 1, '203.0.113.9'],
    ['two proxies are believed', '10.0.0.1', '6.6.6.6, 203.0.113.9, 10.0.0.2', 2, '203.0.113.9'],
    ['fewer proxies than are believed', '10.0.0.1', '203.0.113.9', 2, '10.0.0.1'],
    ['a proxy that added nothing', '10.0.0.1', undefined, 1, '10.0.0.1'],
    ['a proxy that hides it', '10.0.0.1', 'unknown', 1, '10.0.0.1'],
    ['a proxy that adds the port', '10.0.0.1', '203.0.113.9:51234', 1, '203.0.113.9'],
    ['a proxy that adds the port to IPv6', '10.0.0.1', '[2001:db8:1:2:3::9]:51234', 1, '2001:db8:1:2::/64'],
    ['IPv6 in brackets', '10.0.0.1', '[2001:db8:1:2::9]', 1, '2001:db8:1:2::/64'],
    ['the whole network of an IPv6 address', '2001:DB8:1:2:aaaa:bbbb:cccc:dddd', undefined, 0, '2001:db8:1:2::/64'],
    ['a short IPv6 address', '2001:db8::9', undefined, 0, '2001:db8:0:0::/64'],
    ['this machine', '::1', undefined, 0, '0:0:0:0::/64'],
    ['IPv4 inside IPv6', '::ffff:192.0.2.1', undefined, 0, '192.0.2.1'],
    ['text without end', '10.0.0.1', 'x'.repeat(10_000), 1, '10.0.0.1'],
  ])('%s', (_what, address, forwarded, proxies, client) => {
    expect(clientOf(callFrom(address, forwarded), proxies)).toBe(client)
  })
})

describe('a limit on wrong keys', () => {
  const call = (from: string, forwarded?: string) => ({
    ...callFrom(from, forwarded),
    method: 'GET',
    path: '/',
    query: '',
    text: async () => '',
  })

  it('lets the allowed number through and then none, for that client alone', async () => {
    const limit = limitKeyGuesses({ most: 2, seconds: 60, trustedProxies: 0 })
    await limit.failed(call('192.0.2.1'))
    expect(await limit.blockedFor(call('192.0.2.1'))).toBe(0)
    await limit.failed(call('192.0.2.1'))
    const seconds = await limit.blockedFor(call('192.0.2.1'))
    expect(seconds).toBeGreaterThan(0)
    expect(seconds).toBeLessThanOrEqual(60)
    expect(await limit.blockedFor(call('192.0.2.2'))).toBe(0)
  })

  it('ends after its time', async () => {
    vi.useFakeTimers()
    const limit = limitKeyGuesses({ most: 1, seconds: 60, trustedProxies: 0 })
    await limit.failed(call('192.0.2.1'))
    vi.advanceTimersByTime(59_999)
    expect(await limit.blockedFor(call('192.0.2.1'))).toBeGreaterThan(0)
    vi.advanceTimersByTime(1)
    expect(await limit.blockedFor(call('192.0.2.1'))).toBe(0)
    vi.useRealTimers()
  })

  it('says once that a proxy is not believed', async () => {
    const told = vi.fn()
    const limit = limitKeyGuesses({ most: 9, seconds: 60, trustedProxies: 0, onUnknownProxy: told })
    await limit.failed(call('10.0.0.1'))
    expect(told).not.toHaveBeenCalled()
    await limit.failed(call('10.0.0.1', '203.0.113.9'))
    await limit.failed(call('10.0.0.1', '203.0.113.9'))
    expect(told).toHaveBeenCalledTimes(1)
    const believing = limitKeyGuesses({ most: 9, seconds: 60, trustedProxies: 1, onUnknownProxy: told })
    await believing.failed(call('10.0.0.1', '203.0.113.9'))
    expect(told).toHaveBeenCalledTimes(1)
  })
})

describe('a host', () => {
  /** Sends one call from an address of this machine. */
  async function send(url: string, headers: Record<string, string>, localAddress = '127.0.0.1') {
    const sent = request(`${url}/integration/upsells/products`, { headers, localAddress }).end()
    const [response] = await once(sent, 'response')
    return { status: response.statusCode, retryAfter: response.headers['retry-after'], body: await json(response) }
  }
  const right = { 'x-integration-api-key': key }
  const wrong = { 'x-integration-api-key': 'a-wrong-key-of-the-tests' }

  it('answers 429 to a client that has sent 200 wrong keys within a minute, also for a right one, and to nobody else', async () => {
    const { url } = await openHost()
    for (let sent = 0; sent < 200; sent += 1) expect((await send(url, wrong)).status).toBe(401)
    // Unlike the address of the connection, a header is whatever its sender likes.
    const blocked = await send(url, { ...right, 'x-forwarded-for': '203.0.113.9' })
    expect(blocked).toMatchObject({ status: 429, body: { success: false, error: { code: 'rate_limited' } } })
    expect(Number(blocked.retryAfter)).toBeGreaterThan(0)
    expect(Number(blocked.retryAfter)).toBeLessThanOrEqual(60)
    expect((await send(url, right, '127.0.0.2')).status).toBe(200)
  })

  it('behind a proxy that it believes counts the clients of the proxy', async () => {
    const { url } = await openHost({ STOREPORT_TRUST_PROXY: '1' })
    const via = (address: string, headers: Record<string, string>) =>
      send(url, { ...headers, 'x-forwarded-for': `198.51.100.7, ${address}` })
    for (let sent = 0; sent < 200; sent += 1) await via('203.0.113.9', wrong)
    expect((await via('203.0.113.9', right)).status).toBe(429)
    expect((await via('203.0.113.10', right)).status).toBe(200)
  })
})
