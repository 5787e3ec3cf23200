import { request } from 'node:http'
import { once } from 'node:events'
import { json } from 'node:stream/consumers'
import type { KeyGuessLimit } from '@storeport/core'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
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

  /** Sends wrong keys at once; counts those that were answered before any time passed, and then 1 s later. */
  async function answersTo(limit: KeyGuessLimit, from: string, count: number) {
    let answered = 0
    for (let sent = 0; sent < count; sent += 1) void limit.failed(call(from))?.then(() => (answered += 1))
    await vi.advanceTimersByTimeAsync(0)
    const atOnce = answered
    await vi.advanceTimersByTimeAsync(1000)
    return [atOnce, answered]
  }

  it('answers the allowed number at once and the others a second late, for that client alone', async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const limit = limitKeyGuesses({ most: 3, seconds: 60, trustedProxies: 0 })
    expect(await answersTo(limit, '192.0.2.1', 5)).toEqual([2, 5])
    expect(await answersTo(limit, '192.0.2.2', 2)).toEqual([2, 2])
    expect(await answersTo(limit, '192.0.2.1', 1)).toEqual([0, 1])
    await vi.advanceTimersByTimeAsync(60_000)
    expect(await answersTo(limit, '192.0.2.1', 2)).toEqual([2, 2])
  })

  it('lets a hundred wait at one time, and the others not', async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const limit = limitKeyGuesses({ most: 1, seconds: 60, trustedProxies: 0 })
    expect(await answersTo(limit, '192.0.2.1', 1000)).toEqual([900, 1000])
    expect(await answersTo(limit, '192.0.2.1', 100)).toEqual([0, 100])
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

  it('answers 401 to every wrong key, later when they are many, and a right one of the same address at once', async () => {
    const { url } = await openHost()
    const statuses = new Set<number | undefined>()
    for (let sent = 0; sent < 199; sent += 1) statuses.add((await send(url, wrong)).status)
    const late: number[] = []
    const many = Array.from({ length: 50 }, async () => late.push((await send(url, wrong)).status ?? 0))
    // Unlike the address of the connection, a header is whatever its sender likes.
    for (let sent = 0; sent < 20; sent += 1)
      expect((await send(url, { ...right, 'x-forwarded-for': '203.0.113.9' })).status).toBe(200)
    expect(late).toEqual([])
    await Promise.all(many)
    expect([...statuses, ...new Set(late)]).toEqual([401, 401])
  })

  it('behind a proxy that it believes counts the clients of the proxy', async () => {
    const { url } = await openHost({ STOREPORT_TRUST_PROXY: '1' })
    const via = (address: string, headers: Record<string, string>) =>
      send(url, { ...headers, 'x-forwarded-for': `198.51.100.7, ${address}` })
    for (let sent = 0; sent < 199; sent += 1) await via('203.0.113.9', wrong)
    let late = 0
    const many = Array.from({ length: 5 }, () => via('203.0.113.9', wrong).then(() => (late += 1)))
    expect((await via('203.0.113.10', wrong)).status).toBe(401)
    expect((await via('203.0.113.9', right)).status).toBe(200)
    expect(late).toBe(0)
    await Promise.all(many)
  })
})
