import { CancelledSubscriptionList, Discount, ProductList } from '@storeport/core'
import * as z from 'zod/mini'
import type { CheckContext } from '../engine/check.ts'
import { CheckSkip } from '../engine/check-end.ts'
import type { CheckOptions } from '../engine/options.ts'
import { probe } from '../engine/prepare-check.ts'
import { createKeyHider } from '../http/hide-keys.ts'
import { dataOf, describeReply, removeKeys, type Reply } from '../http/reply.ts'
import type { Interval, Profile } from '../profile/profile.ts'
import { seedProfile } from '../profile/seed-profile.ts'
import { ShopError } from '../run/discover.ts'

/** Test data from the command-line options. The API does not list customers, codes or actions. */
export interface TestDataOptions {
  readonly customer?: string | undefined
  readonly cancelled?: string | undefined
  readonly otherCustomer?: string | undefined
  readonly codes: readonly string[]
  readonly action?: string | undefined
  readonly timeZone?: string | undefined
  readonly interval?: Interval | undefined
}

/**
 * Completes a profile with data from the shop. Sends only GET requests.
 *
 * Rejects with ShopError if the shop rejects a customer or a code. The message contains the option and the response.
 */
export async function learnProfile(testData: TestDataOptions, base: Profile, options: CheckOptions): Promise<Profile> {
  return probe({ ...options, profile: base }, (t) => learn(t, testData, base))
}

async function learn(t: CheckContext, testData: TestDataOptions, base: Profile): Promise<Profile> {
  const { customer, cancelled, otherCustomer, action, codes, timeZone, interval } = testData
  await expectCustomer(t, '--customer', customer)
  await expectCustomer(t, '--other-customer', otherCustomer)
  const ids = await readCancelledIds(t, cancelled)
  const listed = base.products.listed.length > 0 ? base.products.listed : await readListed(t)
  let { discounts } = base
  for (const code of codes) discounts = { ...discounts, ...(await readWorth(t, code)) }
  return {
    ...base,
    ...(timeZone !== undefined && { timeZone }),
    ...(interval !== undefined && { interval }),
    customers: {
      ...base.customers,
      ...(customer !== undefined && { subscribed: customer }),
      ...(cancelled !== undefined && { cancelled }),
      ...(otherCustomer !== undefined && { otherCustomer }),
    },
    products: { ...base.products, listed },
    subscriptions: { ...base.subscriptions, ...(ids !== undefined && { cancelled: ids }) },
    discounts,
    actions: { ...base.actions, ...(action !== undefined && { known: action }) },
  }
}

/** Rejects with ShopError if a customer is not found. Without getSubscription, listProducts may accept any address. */
async function expectCustomer(t: CheckContext, option: string, email: string | undefined): Promise<void> {
  if (email === undefined) return
  const name = t.offered.includes('getSubscription') ? 'getSubscription' : 'listProducts'
  if (t.offered.includes(name)) rejectNotFound(t, await t.call(name, { email }), `${option} ${email}`)
}

async function readCancelledIds(t: CheckContext, email: string | undefined): Promise<readonly string[] | undefined> {
  if (email === undefined || !t.offered.includes('listCancelledSubscriptions')) return undefined
  const reply = await t.call('listCancelledSubscriptions', { email })
  rejectNotFound(t, reply, `--cancelled ${email}`)
  // An earlier run may have reactivated the active subscription, so the original list of cancelled subscriptions is
  // unknown.
  if (t.offered.includes('getSubscription') && (await t.call('getSubscription', { email })).status === 200)
    return undefined
  return parsedData(reply, CancelledSubscriptionList)?.subscriptions.map(({ subscription_id }) => subscription_id)
}

async function readListed(t: CheckContext): Promise<Profile['products']['listed']> {
  if (!t.offered.includes('listProducts')) return []
  const { products = [] } = parsedData(await t.call('listProducts'), ProductList) ?? {}
  return products.map(({ id, price, compare_at_price }) => {
    return { id, price, ...(compare_at_price !== undefined && { compare_at_price }) }
  })
}

async function readWorth(t: CheckContext, code: string): Promise<Partial<Profile['discounts']>> {
  if (!t.offered.includes('getDiscount')) return {}
  const reply = await t.call('getDiscount', { discount_code: code })
  rejectNotFound(t, reply, `--code ${code}`)
  const discount = parsedData(reply, Discount)
  // Uses a default discount if the response is invalid, so that a check reports the invalid response.
  if (discount?.discount_type === 'fixed_amount') return { fixed: { code, discount } }
  return { percentage: { code, discount: discount ?? { discount_type: 'percentage', discount_percentage: 10 } } }
}

function rejectNotFound({ apiKey, secondApiKey, names }: CheckContext, reply: Reply, given: string): void {
  if (reply.status < 400 || reply.status >= 500 || reply.status === 429) return
  // Removed before the body is truncated, since the length of the body would reveal the length of the key.
  const shown = removeKeys(reply, createKeyHider({ apiKey, secondApiKey, names }))
  throw new ShopError(`${given}: not found. The shop returned ${describeReply(shown)}`)
}

/** Requests that detect the reference host's seed data. */
const seedReads = [
  ['listProducts', {}],
  ['getSubscription', { email: seedProfile.customers.subscribed }],
  ['listCancelledSubscriptions', { email: seedProfile.customers.cancelled }],
  ['getDiscount', { discount_code: seedProfile.discounts.percentage?.code }],
] as const

const seedIds = seedProfile.products.listed.map(({ id }) => id)

/**
 * Returns whether the shop has the reference host's seed data.
 *
 * Only a 404 response, or a product list without seed products, proves that the seed data is missing. Any other
 * response may be a defect of a shop with the seed data.
 */
export async function hasSeedData(options: CheckOptions): Promise<boolean> {
  const offeredReads = seedReads.filter(([name]) => options.offered.includes(name))
  if (offeredReads.length === 0) return true
  const isOther = async (t: CheckContext) => {
    for (const [name, input] of offeredReads) {
      const reply = await t.call(name, input)
      const { products } = parsedData(reply, ProductList) ?? {}
      const hasOthers = products?.some(({ id }) => seedIds.includes(id)) === false
      if (reply.status !== 404 && !hasOthers) return false
    }
    return true
  }
  return !(await probe(options, isOther).catch((error: unknown) => error instanceof CheckSkip))
}

function parsedData<Data>(reply: Reply, schema: z.ZodMiniType<Data>): Data | undefined {
  return z.safeParse(schema, dataOf(reply)).data
}
