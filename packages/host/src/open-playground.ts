import { createSeedProfile } from '@storeport/conformance'
import { type Integration, namesFor } from '@storeport/core'
import { createPlayground, type Playground } from '@storeport/playground'
import { createClock, seed } from '@storeport/rules'
import { createBeside } from './create-beside.ts'
import type { OpenStore } from './open-store.ts'
import { type HostKeys, openSignIn } from './settings/secrets.ts'
import type { Settings } from './settings/settings.ts'

/** What the buttons of the seed's actions say. */
const labels: Readonly<Record<string, string>> = {
  claim_discount_10off: 'Claim 10% off',
  join_waitlist_product_123: 'Join the waitlist',
  change_to_quarterly: 'Send it every quarter',
  register_webinar_march: 'Save my seat for the March webinar',
}

/** What the customers of the seed are. */
const customerLabels: Readonly<Record<string, string>> = {
  'subscription@example.com': 'Subscriber, two boxes',
  'cancelled@example.com': 'Left two days ago',
  'another@example.com': 'Another subscriber, who also left once',
  'test@example.com': 'New customer',
  'nobody.at.all@example.com': 'Not a customer',
}

/** The playground of a host, and where to open it. */
export interface HostPlayground {
  /** Answers its requests. */
  readonly answer: Playground
  /** The address with the token. */
  address(url: string): string
}

/** The playground on the host's own API, if the settings want one and there is a key in clear to call it with; throws SettingsError when its token cannot be kept. */
export async function openPlayground(
  { playground, vendor, today, timeZone, data, shopName }: Settings,
  { accepted }: HostKeys,
  { fetch, offered, currency }: Integration,
  store: OpenStore,
  server: () => { readonly url: string; readonly port: number },
  pageFolder?: string,
): Promise<HostPlayground | undefined> {
  const apiKey = accepted.find((key) => !key.startsWith('sha256:'))
  const { discounts, actions } = seed('2026-01-01')
  if (!playground || apiKey === undefined) return undefined
  const { token, cookieName, address } = await openSignIn(data)
  const now = today === undefined ? () => new Date() : () => new Date(`${today}T12:00:00Z`)
  const unmoved = createClock({ today, timeZone })
  const readToday = store.today ?? (async () => unmoved())
  const { isHostSeed = false } = store
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
    // What a real shop has is not shown to whoever has the token.
    ...(isHostSeed && { data: 'test', customerLabels, beside: createBeside(store, readToday, currency, unmoved) }),
    today: readToday,
    now,
    // What the checks do to customers is done to the test store's.
    checks: { testMode: true },
  })
  return { answer, address }
}
