import { seedProfile } from '@storeport/conformance'
import { type Integration, namesFor } from '@storeport/core'
import { createPlayground, type Playground } from '@storeport/playground'
import { seed } from '@storeport/rules'
import type { HostKeys } from './settings/open-keys.ts'
import type { Settings } from './settings/settings.ts'

/** What the buttons of the seed's actions say. */
const labels: Readonly<Record<string, string>> = {
  claim_discount_10off: 'Claim 10% off',
  join_waitlist_product_123: 'Join the waitlist',
  change_to_quarterly: 'Send it every quarter',
  register_webinar_march: 'Save my seat for the March webinar',
}

/** The playground on the host's own API, if the settings want one and there is a key in clear to call it with. */
export function openPlayground(
  { playground, vendor, publicUrl, today }: Settings,
  { accepted }: HostKeys,
  { offered }: Integration,
  baseUrl: () => string,
): Playground | undefined {
  const apiKey = accepted.find((key) => !key.startsWith('sha256:'))
  const { discounts, actions } = seed('2026-01-01')
  if (!playground || apiKey === undefined) return undefined
  return createPlayground({
    target: { baseUrl, apiKey, names: namesFor({ vendor }) },
    profile: seedProfile,
    discountCodes: discounts.map(({ code }) => code),
    actions: actions.map((id) => ({ id, label: labels[id] })),
    offered,
    publicUrl,
    ...(today !== undefined && { now: () => new Date(`${today}T12:00:00Z`) }),
    // What the checks do to customers is done to the test store's.
    checks: { testMode: true },
  })
}
