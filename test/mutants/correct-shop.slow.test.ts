import type { RunOptions, Send } from '@storeport/conformance'
import { checks, collectReport, createSeedProfile, runChecks } from '@storeport/conformance'
import type { CompleteShopData, ShopData, SubscriptionData } from '@storeport/rules'
import { expect, it } from 'vitest'
import { keys, type Mutant, start } from './mutant.ts'
import { yenShop } from './yen-shop.ts'

/** What a shop without a defect may skip when it was used before: everything else must pass, however often it is tried. */
const runsOnOneShop = 4

async function run(send: Send, profile?: RunOptions['profile'], only?: readonly string[]) {
  const { results } = await collectReport(
    runChecks({ send, apiKey: keys.first, secondApiKey: keys.second, mode: 'stress', profile, only, disposable: true }),
  )
  return {
    failed: results.flatMap(({ failure }) => failure?.message ?? []),
    skipped: results.filter(({ outcome, cause }) => outcome === 'skipped' && cause?.kind !== 'excused').length,
  }
}

it('the checks pass on a correct shop 20 times in a row, new and used', { timeout: 240_000 }, async () => {
  let send: Send = start()
  for (let count = 0; count < 20; count++) {
    if (count % runsOnOneShop === 0) send = start()
    const { failed, skipped } = await run(send)
    expect(failed, `run ${count + 1}`).toEqual([])
    // On a new shop only what was used up by the checks before is skipped.
    expect(skipped, `run ${count + 1}`).toBeLessThanOrEqual(count % runsOnOneShop === 0 ? 12 : 30)
  }
})

const topics = [...new Set(checks.map(({ id }) => id.slice(0, id.indexOf('.'))))]

it.each(topics)('the checks of %s alone pass on a correct shop', { timeout: 60_000 }, async (topic) => {
  expect((await run(start(), undefined, [topic])).failed).toEqual([])
})

const otherShops: Readonly<Record<string, Partial<Mutant>>> = {
  'prices in yen, without decimals': yenShop,
  'prices in dinars, with three decimals': { currency: 'KWD', profile: createSeedProfile('KWD') },
  'items of one id in every active subscription': { data: withOneProduct },
  'two subscriptions that hold the same': { data: withTwins },
  'two subscriptions that hold the same and are billed on one day': { data: withTwinsOfOneDay },
}

it.each(Object.entries(otherShops))(
  'the checks pass on a correct shop with %s',
  { timeout: 60_000 },
  async (_, shop) => {
    const { failed, skipped } = await run(start(shop), shop.profile)
    expect(failed).toEqual([])
    expect(skipped).toBeLessThanOrEqual(14)
  },
)

/** The seed, in which the second subscription and those of others have an item of the same product as the first. */
function withOneProduct(data: CompleteShopData): ShopData {
  return withSubscriptions(data, ({ items = [], ...one }) => {
    return {
      ...one,
      items: one.id === 'sub_1001' ? items : items.map((item) => ({ ...item, product_id: 'test_12345' })),
    }
  })
}

/** The seed, in which the second subscription holds just what the first one holds. */
function withTwins(data: CompleteShopData): ShopData {
  const { items = [] } = subscriptionsOf(data).find(({ id }) => id === 'sub_1001') ?? {}
  const twins = items.map((item) => ({ ...item, id: `${item.id}_twin` }))
  return withSubscriptions(data, (one) => (one.id === 'sub_1002' ? { ...one, items: twins } : one))
}

function withTwinsOfOneDay(data: CompleteShopData): ShopData {
  const first = subscriptionsOf(data).find(({ id }) => id === 'sub_1001')
  const day = first?.next_billing_date ?? ''
  return withSubscriptions(withTwins(data), (one) =>
    one.id === 'sub_1002' ? { ...one, next_billing_date: day, cancelled_on: undefined } : one,
  )
}

function subscriptionsOf({ customers }: CompleteShopData): readonly SubscriptionData[] {
  return customers.flatMap(({ subscriptions = [] }) => subscriptions)
}

function withSubscriptions(
  { customers = [], ...data }: ShopData,
  change: (subscription: SubscriptionData) => SubscriptionData,
): ShopData {
  const changed = customers.map(({ subscriptions = [], ...customer }) => ({
    ...customer,
    subscriptions: subscriptions.map(change),
  }))
  return { ...data, customers: changed }
}
