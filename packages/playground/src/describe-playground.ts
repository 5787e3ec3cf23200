import { setTimeout } from 'node:timers/promises'
import { offeredBy, parseProfile, type Profile } from '@storeport/conformance'
import { dateIn, minorUnitDigits } from '@storeport/core'
import { hideKey } from './hide-key.ts'
import type { PlaygroundOptions } from './playground-options.ts'
import { customerRoles, type PlaygroundConfig, type TestCustomer } from './protocol.ts'
import type { ShopConnection } from './shop-connection.ts'

/** Creates a function that returns the configuration of the page; throws TypeError for an invalid currency. */
export function createDescription(
  options: PlaygroundOptions,
  shop: ShopConnection,
  timeoutMs = 10_000,
): () => Promise<PlaygroundConfig> {
  const { profile = parseProfile({}), testMode = false, now = () => new Date(), currency = 'USD' } = options
  minorUnitDigits(currency)
  const hasProfile = options.profile !== undefined
  let { offered } = options

  let discovery: Promise<string | null> | undefined

  /**
   * Sends a request without fields to each endpoint, which changes nothing. Returns the reason for a failure, or
   * `null`.
   */
  async function discover(): Promise<string | null> {
    try {
      offered = await offeredBy({ send: shop.sender(testMode), apiKey: shop.apiKey, names: shop.names, profile })
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
    return Promise.race([(discovery ??= discover()), setTimeout(timeoutMs, problem, { ref: false })])
  }

  const { demo = {}, customerLabels = {}, referencePath = null, data = 'shop' } = options
  return async () => {
    const problem = await readOffered()
    return {
      shopName: options.shopName ?? new URL(shop.baseUrl()).host,
      baseUrl: shop.baseUrl(),
      basePath: shop.names.basePath,
      apiKeyHeader: shop.names.apiKeyHeader,
      testMode,
      today: (await options.today?.()) ?? profile.today ?? dateIn(profile.timeZone)(now()),
      currency,
      offered: offered ?? [],
      problem,
      customers: hasProfile ? listCustomers(profile, customerLabels) : [],
      discountCodes: options.discountCodes ?? (hasProfile ? listCodes(profile) : []),
      actions: options.actions ?? [profile.actions.known].flatMap((id) => (id === undefined ? [] : [{ id }])),
      data,
      referencePath,
      paused: options.paused?.() ?? [],
      pausedReason: options.pausedReason?.() ?? null,
      history: options.history !== undefined,
      demo: {
        state: demo.readState !== undefined,
        time: demo.moveDate !== undefined,
        reset: demo.reset !== undefined,
      },
    }
  }
}

function listCustomers({ customers }: Profile, labels: Readonly<Record<string, string>>): TestCustomer[] {
  return customerRoles.flatMap((role) => {
    const email = customers[role]
    if (email === undefined) return []
    const label = labels[email]
    return [{ email, role, ...(label !== undefined && { label }) }]
  })
}

function listCodes({ discounts: { percentage, fixed, expired } }: Profile): string[] {
  return [percentage?.code, fixed?.code, expired].filter((code) => code !== undefined)
}
