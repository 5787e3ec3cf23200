import { createSeedProfile } from '@storeport/conformance'
import { type Integration, namesFor } from '@storeport/core'
import { createPlayground } from '@storeport/playground'
import { createClock, seed } from '@storeport/rules'
import { createDemoControls } from './create-demo-controls.ts'
import { describeRecord } from './history/describe-record.ts'
import type { OpenStore } from './open-store.ts'
import { type HostKeys, openSignIn } from './settings/secrets.ts'
import type { Settings } from './settings/settings.ts'
import type { Pauses } from './watch-pauses.ts'

/** Button labels of the seed's actions. */
const labels: Readonly<Record<string, string>> = {
  claim_discount_10off: 'Claim 10% off',
  join_waitlist_product_123: 'Join the waitlist',
  change_to_quarterly: 'Send it every quarter',
  register_webinar_march: 'Save my seat for the March webinar',
}

/** Labels of the seed's customers. */
const customerLabels: Readonly<Record<string, string>> = {
  'subscription@example.com': 'Subscriber, two boxes',
  'cancelled@example.com': 'Left two days ago',
  'another@example.com': 'Another subscriber, with one canceled box',
  'test@example.com': 'New customer',
  'nobody.at.all@example.com': 'Not a customer',
}

/**
 * Opens the playground if it is enabled and an unhashed API key exists; throws SettingsError for an unusable token.
 * `urlAt` returns the sign-in URL for a host that listens on a URL.
 */
export async function openPlayground(
  { playground, vendor, today, timeZone, data, shopName }: Settings,
  { accepted }: HostKeys,
  { fetch, offered, currency }: Integration,
  store: OpenStore,
  pauses: Pauses,
  server: () => { readonly url: string; readonly port: number },
  pageFolder?: string,
) {
  const apiKey = accepted.find((key) => !key.startsWith('sha256:'))
  const { discounts, actions } = seed('2026-01-01')
  if (!playground || apiKey === undefined) return undefined
  const { token, cookieName, signInUrl } = await openSignIn(data)
  const now = today === undefined ? () => new Date() : () => new Date(`${today}T12:00:00Z`)
  const baseDate = createClock({ today, timeZone })
  const readToday = store.today ?? (async () => baseDate())
  const { isHostSeed = false, clicks } = store
  const answer = createPlayground({
    target: { baseUrl: () => server().url, fetch, apiKey, names: namesFor({ vendor }) },
    token,
    pageFolder,
    cookieName: () => cookieName(server().port),
    profile: createSeedProfile(currency),
    discountCodes: discounts.map(({ code }) => code),
    actions: actions.map((id) => ({ id, label: labels[id] })),
    offered,
    currency,
    shopName: shopName ?? (isHostSeed ? 'Corner Coffee' : undefined),
    referencePath: '/docs',
    // Requires seed data, because the demo controls show all orders to each client with the token.
    ...(isHostSeed && {
      data: 'test',
      customerLabels,
      demo: createDemoControls(store, readToday, baseDate),
    }),
    history: clicks && (async (email) => (await clicks.clickRecords({ email, limit: 200 })).map(describeRecord)),
    paused: pauses.list,
    pausedReason: pauses.reason,
    today: readToday,
    now,
    // Checks run in test mode, so they change only the test store.
    checks: { testMode: true, reset: async () => store.testStore.reset() },
  })
  return { answer, urlAt: signInUrl }
}
