import type { KeyGuessLimit } from '@storeport/core'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { clientOf, limitKeyGuesses } from '../src/limit-key-guesses.ts'
import { key } from '@storeport/testing/send'
import { openHost } from './open-host.ts'

const requestFrom = (clientAddress: string, forwarded?: string) => ({
  clientAddress,
  header: (name: string) => (name === 'x-forwarded-for' ? forwarded : undefined),
})

describe('the client address that is used for the limit', () => {
  it.each([
    ['the connection address without trusted proxies', '192.0.2.1', '203.0.113.9', 0, '192.0.2.1'],
    ['the last header entry with one trusted proxy', '10.0.0.1', '6.6.6.6, 203.0.113.9', 1, '203.0.113.9'],
    ['the entry before the last with two proxies', '10.0.0.1', '6.6.6.6, 203.0.113.9, 10.0.0.2', 2, '203.0.113.9'],
    ['the connection address if the header has too few entries', '10.0.0.1', '203.0.113.9', 2, '10.0.0.1'],
    ['the connection address without the header', '10.0.0.1', undefined, 1, '10.0.0.1'],
    ['the connection address if the entry is "unknown"', '10.0.0.1', 'unknown', 1, '10.0.0.1'],
    ['an IPv4 address without its port', '10.0.0.1', '203.0.113.9:51234', 1, '203.0.113.9'],
    ['the network of IPv6 without its port', '10.0.0.1', '[2001:db8:1:2:3::9]:51234', 1, '2001:db8:1:2::/64'],
    ['the network of an IPv6 address in brackets', '10.0.0.1', '[2001:db8:1:2::9]', 1, '2001:db8:1:2::/64'],
    ['the /64 network of an IPv6 address', '2001:DB8:1:2:aaaa:bbbb:cccc:dddd', undefined, 0, '2001:db8:1:2::/64'],
    ['the /64 network of a short IPv6 address', '2001:db8::9', undefined, 0, '2001:db8:0:0::/64'],
    ['the /64 network of the IPv6 loopback address', '::1', undefined, 0, '0:0:0:0::/64'],
    ['the IPv4 address in an IPv4-mapped address', '::ffff:192.0.2.1', undefined, 0, '192.0.2.1'],
    ['the connection address if the entry is very long', '10.0.0.1', 'x'.repeat(10_000), 1, '10.0.0.1'],
  ])('is %s', (_what, address, forwarded, proxies, client) => {
    expect(clientOf(requestFrom(address, forwarded), proxies)).toBe(client)
  })
})

describe('the limit on invalid keys', () => {
  const callFrom = (from: string) => ({
    ...requestFrom(from),
    method: 'GET',
    path: '/',
    query: '',
    text: async () => '',
  })

  /** Sends invalid keys concurrently; returns the numbers of responses received immediately and after 1 s. */
  async function countResponses(limit: KeyGuessLimit, from: string, count: number) {
    let responses = 0
    for (let sent = 0; sent < count; sent += 1) void limit.failed(callFrom(from))?.then(() => (responses += 1))
    await vi.advanceTimersByTimeAsync(0)
    const immediate = responses
    await vi.advanceTimersByTimeAsync(1000)
    return [immediate, responses]
  }

  it('delays responses beyond the limit by 1 s, for the same client only', async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const limit = limitKeyGuesses(0)
    expect(await countResponses(limit, '192.0.2.1', 202)).toEqual([199, 202])
    expect(await countResponses(limit, '192.0.2.2', 2)).toEqual([2, 2])
    expect(await countResponses(limit, '192.0.2.1', 1)).toEqual([0, 1])
    await vi.advanceTimersByTimeAsync(60_000)
    expect(await countResponses(limit, '192.0.2.1', 2)).toEqual([2, 2])
  })

  it('delays at most 100 responses concurrently', async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const limit = limitKeyGuesses(0)
    expect(await countResponses(limit, '192.0.2.1', 1000)).toEqual([900, 1000])
    expect(await countResponses(limit, '192.0.2.1', 100)).toEqual([0, 100])
  })
})

describe('the host', () => {
  const valid = { 'x-integration-api-key': key }
  const invalid = { 'x-integration-api-key': 'an-invalid-key-of-the-tests' }

  it('delays only the 401 responses of one client behind a trusted proxy', async () => {
    const { url } = await openHost({ STOREPORT_TRUST_PROXY: '1' })
    const via = (address: string, headers: Record<string, string>) =>
      fetch(`${url}/integration/upsells/products`, {
        headers: { ...headers, 'x-forwarded-for': `198.51.100.7, ${address}` },
      })
    for (let sent = 0; sent < 199; sent += 1) await via('203.0.113.9', invalid)
    const started = performance.now()
    const many = Array.from({ length: 5 }, () => via('203.0.113.9', invalid).then(() => performance.now() - started))
    for (const [address, headers, status] of [
      ['203.0.113.10', invalid, 401],
      ['203.0.113.9', valid, 200],
    ] as const) {
      // Measures again after a pause of the machine.
      const measure = async () => {
        const sent = performance.now()
        expect((await via(address, headers)).status).toBe(status)
        return performance.now() - sent
      }
      await expect.poll(measure).toBeLessThan(900)
    }
    // The timer of the host starts later, and can end up to 1 ms early.
    expect(Math.min(...(await Promise.all(many)))).toBeGreaterThan(998)
  })
})
