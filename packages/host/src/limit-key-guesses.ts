import { isIPv6 } from 'node:net'
import type { Call, KeyGuessLimit } from '@storeport/core'
import { clientAddressOf } from '@storeport/node'
import { RateLimiterMemory } from 'rate-limiter-flexible'

/** Number of invalid keys of a client in a minute at which the host starts to delay 401 responses. */
const most = 200

/** Delay of each 401 response after a client has sent `most` invalid keys, in milliseconds. */
const delayMs = 1000

/** Maximum number of concurrently delayed responses. Further responses are not delayed. */
const maxDelayed = 100

/**
 * Delays 401 responses per client address. The counts are in memory. Every request still gets a response. `trustedProxies`
 * is the number of proxies in front of the host whose `X-Forwarded-For` is trusted.
 */
export function limitKeyGuesses(trustedProxies: number): KeyGuessLimit {
  let delayed = 0
  const limiter = new RateLimiterMemory({ points: most, duration: 60 })
  return {
    failed: async (call) => {
      const { consumedPoints } = await limiter.penalty(clientOf(call, trustedProxies))
      if (consumedPoints < most || delayed >= maxDelayed) return
      delayed += 1
      await new Promise((resume) => setTimeout(resume, delayMs))
      delayed -= 1
    },
  }
}

/** Returns the address by which invalid keys are counted: an IPv4 address or an IPv6 network. */
export function clientOf(call: Pick<Call, 'clientAddress' | 'header'>, trustedProxies: number): string {
  const address = clientAddressOf(call, trustedProxies)
  return isIPv6(address) ? networkOf(address) : address
}

/** Returns the mapped IPv4 address or the /64 network, because one client can use all addresses of the network. */
function networkOf(address: string): string {
  const mapped = /^::ffff:([\d.]+)$/i.exec(address)?.[1]
  if (mapped !== undefined) return mapped
  const groupsOf = (text: string) => text.split(':').filter(Boolean)
  const zeros = '0:'.repeat(8 - groupsOf(address).length)
  const groups = groupsOf(address.toLowerCase().replace('::', `:${zeros}`))
  return `${groups.slice(0, 4).join(':')}::/64`
}
