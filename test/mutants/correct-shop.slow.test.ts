import type { RunOptions, Send } from '@storeport/conformance'
import { checks, collectReport, createSeedProfile, requirements, runChecks } from '@storeport/conformance'
import type { CompleteShopData, ShopData, SubscriptionData } from '@storeport/rules'
import { expect, it } from 'vitest'
import { isNightly } from '../hardening/is-nightly.ts'
import { frozenCodes } from './frozen-codes.ts'
import { clock, keys, type Mutant, start, yenShop } from './mutant.ts'
import { isAlone, type NameItem, withOwnIds } from './own-ids.ts'
import { now } from './shop-of-rules.ts'

/** Number of runs. The last of three runs uses a shop that two runs have used. */
const runs = isNightly ? 20 : 3

/** Number of runs before the test starts a new shop. */
const runsOnOneShop = 4

async function run(send: Send, options: Partial<RunOptions> = {}) {
  const { results } = await collectReport(
    runChecks({
      ...{ send, apiKey: keys.first, secondApiKey: keys.second, mode: 'stress' },
      disposable: true,
      // The shops use the same clock, so no check waits.
      clock,
      now,
      ...options,
    }),
  )
  const failures = results.flatMap(({ check, failure }) => (failure === undefined ? [] : [{ check, ...failure }]))
  return {
    failed: failures.map(({ message }) => message),
    warnings: failures.flatMap(({ check, requirement }) =>
      requirements[requirement]?.level === 'should' ? [check.id] : [],
    ),
    skipped: results.filter(({ outcome, cause }) => outcome === 'skipped' && cause?.kind !== 'excused').length,
  }
}

it(`passes all checks ${runs} times in a row, on new and used shops`, { timeout: 240_000 }, async () => {
  let send: Send = start()
  for (let count = 0; count < runs; count++) {
    if (count % runsOnOneShop === 0) send = start()
    const { failed, skipped } = await run(send)
    expect(failed, `run ${count + 1}`).toEqual([])
    // On a new shop, a check is skipped only if an earlier check used up its test data.
    expect(skipped, `run ${count + 1}`).toBeLessThanOrEqual(count % runsOnOneShop === 0 ? 12 : 30)
  }
})

it('skips no check of the default run because earlier checks used up the test data', { timeout: 60_000 }, async () => {
  const { results } = await collectReport(runChecks({ send: start(), apiKey: keys.first, clock, now }))
  expect(
    results.filter(({ cause }) => cause?.kind === 'spent').map(({ check, reason }) => `${check.id}: ${reason}`),
  ).toEqual([])
})

const topics = [...new Set(checks.map(({ id }) => id.slice(0, id.indexOf('.'))))]

it.each(topics)('passes the %s checks if no other checks run', { timeout: 60_000 }, async (topic) => {
  expect((await run(start(), { only: [topic] })).failed).toEqual([])
})

const otherShops: Readonly<Record<string, Partial<Mutant>>> = {
  'prices in yen, which have no decimal places': yenShop,
  'prices in dinars, which have three decimal places': { currency: 'KWD', profile: createSeedProfile('KWD') },
  'items with the same id in all active subscriptions': { data: withOneProduct },
  'two subscriptions with the same items': { data: withTwins },
  'two subscriptions with the same items and billing date': { data: withTwinsOfOneDay },
}

it.each(Object.entries(otherShops))('passes all checks with %s', { timeout: 60_000 }, async (_, shop) => {
  const { failed, skipped } = await run(start(shop), { profile: shop.profile })
  expect(failed).toEqual([])
  expect(skipped).toBeLessThanOrEqual(14)
})

it.each([1, 2, 3])(
  'passes all checks with amounts of codes that never change: %d',
  { timeout: 60_000 },
  async (seed) => {
    const { failed, skipped } = await run(start(frozenCodes), { explore: { seed, timeMs: 1000 } })
    expect(failed).toEqual([])
    expect(skipped).toBeLessThanOrEqual(14)
  },
)

const ownIds = 'reports only warnings if item ids are not product ids, on disposable test data: %s'

it.each([false, true])(ownIds, { timeout: 240_000 }, async (disposable) => {
  // A row id changes when a second line of the product exists.
  const nameItem: NameItem = (item, items) => (isAlone(item, items) ? item.id : `${item.id}-${item.one_time}`)
  const options = { disposable, explore: { seed: 1, timeMs: 1000 } }
  const { failed, warnings, skipped } = await run(start(withOwnIds(nameItem)), options)
  expect(warnings).toEqual(['addProduct.uses-the-product-id-for-the-item', 'addProduct.keeps-the-id-of-an-item'])
  expect(failed).toHaveLength(warnings.length)
  expect(skipped).toBeLessThanOrEqual(14)
})

/** Changes the items of all subscriptions except the first to the product `test_12345`. */
function withOneProduct(data: CompleteShopData): ShopData {
  return withSubscriptions(data, ({ items = [], ...one }) => {
    return {
      ...one,
      items: one.id === 'sub_1001' ? items : items.map((item) => ({ ...item, product_id: 'test_12345' })),
    }
  })
}

/** Gives the second subscription the same items as the first subscription. */
function withTwins(data: CompleteShopData): ShopData {
  const { items = [] } = subscriptionsOf(data).find(({ id }) => id === 'sub_1001') ?? {}
  const twins = items.map((item) => ({ ...item, id: `${item.id}_twin` }))
  return withSubscriptions(data, (one) => (one.id === 'sub_1002' ? { ...one, items: twins } : one))
}

function withTwinsOfOneDay(data: CompleteShopData): ShopData {
  const first = subscriptionsOf(data).find(({ id }) => id === 'sub_1001')
  const day = first?.next_billing_date ?? ''
  return withSubscriptions(withTwins(data), (one) =>
    one.id === 'sub_1002' ? { ...one, next_billing_date: day, cancelled_on: undefined, paused: undefined } : one,
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
