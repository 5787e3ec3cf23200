import { isIP, isIPv6 } from 'node:net'
import type { Call, KeyGuessLimit } from '@storeport/core'
import { RateLimiterMemory } from 'rate-limiter-flexible'

/** How many wrong keys one client may send before their answers come late. */
export interface KeyGuessOptions {
  /** Wrong keys within the time that are answered at once. */
  readonly most: number
  /** The time, in seconds. */
  readonly seconds: number
  /** Proxies in front of the host whose `X-Forwarded-For` is trusted; 0 trusts none. */
  readonly trustedProxies: number
  /** Called once when a wrong key comes through a proxy that is not trusted: all of its callers then count as one. */
  readonly onUnknownProxy?: (() => void) | undefined
}

/** How late the answer to a wrong key is that comes after too many, in milliseconds. */
const delayMs = 1000

/** Answers that are late at one time: beyond it, wrong keys are answered at once again. */
const mostLate = 100

/** Slows down wrong API keys by client address, in memory; it keeps nobody from being answered. */
export function limitKeyGuesses({ most, seconds, trustedProxies, onUnknownProxy }: KeyGuessOptions): KeyGuessLimit {
  let hasWarned = trustedProxies > 0
  let late = 0
  const limiter = new RateLimiterMemory({ points: most, duration: seconds })
  return {
    failed: async (call) => {
      if (!hasWarned && call.header('x-forwarded-for')) {
        hasWarned = true
        onUnknownProxy?.()
      }
      const { consumedPoints } = await limiter.penalty(clientOf(call, trustedProxies))
      if (consumedPoints < most || late >= mostLate) return
      late += 1
      await new Promise((resume) => setTimeout(resume, delayMs))
      late -= 1
    },
  }
}

/** The address that a call comes from: each trusted proxy has added the one it was called from at the end. */
export function addressOf(call: Pick<Call, 'clientAddress' | 'header'>, trustedProxies: number): string {
  const forwarded = trustedProxies === 0 ? [] : (call.header('x-forwarded-for') ?? '').split(',')
  return addressIn(forwarded.at(-trustedProxies) ?? '') ?? call.clientAddress ?? 'unknown'
}

/** The client that a call counts for. */
export function clientOf(call: Pick<Call, 'clientAddress' | 'header'>, trustedProxies: number): string {
  const address = addressOf(call, trustedProxies)
  return isIPv6(address) ? networkOf(address) : address
}

/** Some proxies write the port behind the address; it would make every connection another client. */
function addressIn(entry: string): string | undefined {
  const text = entry.trim()
  const address = /^\[(.+)\](?::\d+)?$/.exec(text)?.[1] ?? /^([^:]+):\d+$/.exec(text)?.[1] ?? text
  return isIP(address) === 0 ? undefined : address
}

/** One client has a whole /64 network of IPv6 addresses to choose from; an IPv4 address can be written as one of IPv6. */
function networkOf(address: string): string {
  const mapped = /^::ffff:([\d.]+)$/i.exec(address)?.[1]
  if (mapped !== undefined) return mapped
  const [head = '', tail] = address.toLowerCase().split('::')
  const groups = head === '' ? [] : head.split(':')
  const rest = tail === undefined || tail === '' ? [] : tail.split(':')
  const filled =
    tail === undefined ? groups : [...groups, ...Array<string>(8 - groups.length - rest.length).fill('0'), ...rest]
  return `${filled.slice(0, 4).join(':')}::/64`
}
