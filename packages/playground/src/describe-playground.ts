import { setTimeout } from 'node:timers/promises'
import { offeredBy, parseProfile, type Profile } from '@storeport/conformance'
import { dateIn, minorUnitDigits } from '@storeport/core'
import { hideKey } from './hide-key.ts'
import type { PlaygroundOptions } from './playground-options.ts'
import { customerRoles, type PlaygroundConfig, type TestCustomer } from './protocol.ts'
import type { ShopConnection } from './shop-connection.ts'

/** Makes the function that returns what the page must know; what the shop offers is asked until there is an answer. Throws TypeError for an unknown currency. */
export function createDescription(
  options: PlaygroundOptions,
  shop: ShopConnection,
  patienceMs = 10_000,
): () => Promise<PlaygroundConfig> {
  const { profile = parseProfile({}), testMode = false, now = () => new Date(), currency = 'USD' } = options
  minorUnitDigits(currency)
  const hasProfile = options.profile !== undefined
  let { offered } = options

  let asking: Promise<string | null> | undefined

  /** Calls without any field, which change nothing; returns what is wrong. */
  async function askShop(): Promise<string | null> {
    try {
      offered = await offeredBy({ send: shop.sender(testMode), apiKey: shop.apiKey, names: shop.names, profile })
      return null
    } catch (error) {
      return hideKey(error instanceof Error ? error.message : 'the shop could not be asked', shop.apiKey)
    } finally {
      asking = undefined
    }
  }

  /** Asks once however many requests wait for it; returns after the patience even if the shop does not answer. */
  async function ask(): Promise<string | null> {
    if (offered !== undefined) return null
    const { host } = new URL(shop.baseUrl())
    const problem = `${host} has not said yet what it offers: load the page again in a moment`
    return Promise.race([(asking ??= askShop()), setTimeout(patienceMs, problem, { ref: false })])
  }

  const { beside = {}, customerLabels = {}, referencePath = null, data = 'shop' } = options
  return async () => {
    const problem = await ask()
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
      customers: hasProfile ? customersOf(profile, customerLabels) : [],
      discountCodes: options.discountCodes ?? (hasProfile ? codesOf(profile) : []),
      actions: options.actions ?? [profile.actions.known].flatMap((id) => (id === undefined ? [] : [{ id }])),
      data,
      referencePath,
      beside: {
        look: beside.look !== undefined,
        time: beside.moveDate !== undefined,
        reset: beside.reset !== undefined,
      },
    }
  }
}

function customersOf({ customers }: Profile, labels: Readonly<Record<string, string>>): TestCustomer[] {
  return customerRoles.flatMap((role) => {
    const email = customers[role]
    if (email === undefined) return []
    const label = labels[email]
    return [{ email, role, ...(label !== undefined && { label }) }]
  })
}

function codesOf({ discounts: { percentage, fixed, expired } }: Profile): string[] {
  return [percentage?.code, fixed?.code, expired].filter((code) => code !== undefined)
}
