import { type Integration, namesFor } from '@storeport/core'
import { createPlayground, readShopState } from '@storeport/playground'
import { createClock, seed } from '@storeport/rules'
import { readDescriber } from './history/describe-record.ts'
import type { OpenStore } from './open-store.ts'
import { type HostKeys, openSignIn } from './settings/secrets.ts'
import type { Settings } from './settings/settings.ts'

/** Button labels of the seed's actions. */
const labels: Readonly<Record<string, string>> = {
  claim_discount_10off: 'Claim 10% off',
  join_waitlist_product_123: 'Join the waitlist',
  change_to_quarterly: 'Send it every quarter',
  register_webinar_march: 'Save my seat for the March webinar',
}

/** The seed. A shop with demo controls has no other customers and products. */
const seedData = seed('2026-01-01')

/** The seed's customers, and an unknown email. */
const customers = [
  { email: 'subscription@example.com', label: 'Subscriber, two boxes' },
  { email: 'cancelled@example.com', label: 'Left two days ago' },
  { email: 'another@example.com', label: 'Another subscriber, with one cancelled box' },
  { email: 'test@example.com', label: 'New customer' },
  { email: 'nobody.at.all@example.com', label: 'Not a customer' },
]

/**
 * Opens the playground if it is enabled and an unhashed API key exists; throws SettingsError for an unusable token.
 * `urlAt` returns the sign-in URL for a host that listens on a URL.
 */
export async function openPlayground(
  { playground, vendor, today, timeZone, data, shopName, paused }: Settings,
  { accepted }: HostKeys,
  { fetch, offered, currency }: Integration,
  { store, isHostSeed, reset }: OpenStore,
  server: () => { readonly url: string },
) {
  const apiKey = accepted.find((key) => !key.startsWith('sha256:'))
  if (!playground || apiKey === undefined) return undefined
  const { token, signInUrl } = await openSignIn(data)
  const answer = createPlayground({
    target: { baseUrl: () => server().url, fetch, apiKey, names: namesFor({ vendor }) },
    token,
    offered,
    currency,
    shopName: shopName ?? (isHostSeed ? 'Corner Coffee' : undefined),
    referencePath: '/docs',
    // Requires seed data, because the demo controls show all orders to each client with the token.
    ...(isHostSeed && {
      data: 'test',
      customers,
      discountCodes: seedData.discounts.map(({ code }) => code),
      actions: seedData.actions.map((id) => ({ id, label: labels[id] })),
      demo: { reset, readState: () => readShopState(store, seedData) },
    }),
    history: async (email) => (await store.clickRecords({ email, limit: 200 })).map(await readDescriber(store)),
    paused,
    today: createClock({ today, timeZone }),
  })
  return { answer, urlAt: signInUrl }
}
