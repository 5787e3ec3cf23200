import { setTimeout } from 'node:timers/promises'
import { dateIn, type EndpointName, minorUnitDigits } from '@storeport/core'
import type { PlaygroundConfig, PlaygroundOptions } from './playground-options.ts'
import { hideKey, type ShopConnection } from './shop-connection.ts'

/** Creates a function that returns the configuration of the page; throws TypeError for an invalid currency. */
export function createDescription(
  options: PlaygroundOptions,
  shop: ShopConnection,
  timeoutMs = 10_000,
): () => Promise<PlaygroundConfig> {
  const { currency = 'USD', today = () => dateIn('UTC')(new Date()) } = options
  minorUnitDigits(currency)
  const discover = typeof options.offered === 'function' ? options.offered : undefined
  let offered: readonly EndpointName[] | undefined = typeof options.offered === 'function' ? undefined : options.offered

  let discovery: Promise<string | null> | undefined

  /** Discovers the endpoints. Returns the reason for a failure, or `null`. */
  async function runDiscovery(): Promise<string | null> {
    try {
      offered = await discover?.()
      return null
    } catch (error) {
      return hideKey(error instanceof Error ? error.message : 'endpoint discovery failed', shop.apiKey)
    } finally {
      discovery = undefined
    }
  }

  /** Shares one discovery between concurrent requests; returns after `timeoutMs` even if the shop does not respond. */
  async function readOffered(): Promise<string | null> {
    if (offered !== undefined) return null
    const { host } = new URL(shop.baseUrl())
    const problem = `${host} has not responded yet: reload the page in a moment`
    return Promise.race([(discovery ??= runDiscovery()), setTimeout(timeoutMs, problem, { ref: false })])
  }

  const { customers = [], discountCodes = [], actions = [], referencePath = null, data = 'shop', paused = [] } = options
  return async () => {
    const problem = await readOffered()
    return {
      shopName: options.shopName ?? new URL(shop.baseUrl()).host,
      baseUrl: shop.baseUrl(),
      basePath: shop.names.basePath,
      apiKeyHeader: shop.names.apiKeyHeader,
      today: today(),
      currency,
      offered: offered ?? [],
      problem,
      customers,
      discountCodes,
      actions,
      data,
      referencePath,
      paused,
      history: options.history !== undefined,
      demo: options.demo !== undefined,
    }
  }
}
