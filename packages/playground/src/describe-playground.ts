import { setTimeout } from 'node:timers/promises'
import { dateIn, type EndpointName, minorUnitDigits } from '@storeport/core'
import type { PlaygroundOptions } from './playground-options.ts'
import { hideKey, type ShopConnection } from './shop-connection.ts'

/** Configuration of the page: response to `GET /playground/config`. */
export type PlaygroundConfig = Awaited<ReturnType<ReturnType<typeof createDescription>>>

interface Discovery {
  /** Endpoints that the shop implements; empty if discovery failed. */
  readonly offered: readonly EndpointName[]
  /** Reason why discovery of the endpoints failed; `null` after success. */
  readonly problem: string | null
}

/** Creates a function that returns the configuration of the page; throws TypeError for an invalid currency. */
export function createDescription(options: PlaygroundOptions, shop: ShopConnection, timeoutMs = 10_000) {
  const { currency = 'USD', today = () => dateIn('UTC')(new Date()) } = options
  const { customers = [], discountCodes = [], actions = [], referencePath = null, data = 'shop', paused = [] } = options
  const { basePath, apiKeyHeader } = shop.names
  minorUnitDigits(currency)
  let discovery: Promise<Discovery> | undefined

  /** Discovers the endpoints. After a failure, the next request discovers them again. */
  async function discover(): Promise<Discovery> {
    try {
      const offered = typeof options.offered === 'function' ? await options.offered() : options.offered
      return { offered, problem: null }
    } catch (error) {
      discovery = undefined
      const problem = error instanceof Error ? error.message : 'endpoint discovery failed'
      return { offered: [], problem: hideKey(problem, shop.apiKey) }
    }
  }

  return async () => {
    const baseUrl = shop.baseUrl()
    const { host } = new URL(baseUrl)
    const late: Discovery = { offered: [], problem: `${host} has not responded yet: reload the page in a moment` }
    // Shares one discovery between concurrent requests, and returns even if the shop does not respond.
    const discovered = await Promise.race([(discovery ??= discover()), setTimeout(timeoutMs, late, { ref: false })])
    return {
      ...discovered,
      ...{ baseUrl, currency, customers, discountCodes, actions, data, referencePath, paused },
      ...{ basePath, apiKeyHeader, shopName: options.shopName ?? host, today: today() },
      ...{ history: options.history !== undefined, demo: options.demo !== undefined },
    }
  }
}
