import { CancelledSubscriptionList, CurrentSubscription, Discount, ProductList } from '@storeport/core'
import * as z from 'zod/mini'
import type { CheckContext } from '../engine/check.ts'
import { CheckSkip } from '../engine/check-end.ts'
import type { CheckOptions } from '../engine/options.ts'
import { probe } from '../engine/prepare-check.ts'
import { dataOf, describeReply, type Reply } from '../http/reply.ts'
import type { Profile } from '../profile/profile.ts'
import { seedProfile } from '../profile/seed-profile.ts'
import { ShopError } from '../run/discover.ts'

/** Customers and test data that the kit cannot read from a shop, from the options of the same names. */
export interface Told {
  readonly customer?: string | undefined
  readonly cancelled?: string | undefined
  readonly otherCustomer?: string | undefined
  readonly codes: readonly string[]
  readonly action?: string | undefined
}

/**
 * Completes a profile by what a shop tells, with reads alone.
 *
 * Throws ShopError for a customer or a code that the shop refuses: it says which one, and what the shop answered.
 */
export async function learnProfile(told: Told, base: Profile, options: CheckOptions): Promise<Profile> {
  return probe({ ...options, profile: base }, (t) => learn(t, told, base))
}

async function learn(t: CheckContext, told: Told, base: Profile): Promise<Profile> {
  const { customer, cancelled, otherCustomer, action, codes } = told
  await expectCustomer(t, '--customer', customer)
  await expectCustomer(t, '--other-customer', otherCustomer)
  const ids = await readCancelledIds(t, cancelled)
  const listed = base.products.listed.length > 0 ? base.products.listed : await readListed(t)
  let { discounts } = base
  for (const code of codes) discounts = { ...discounts, ...(await readWorth(t, code)) }
  return {
    ...base,
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

/** A shop without subscriptions may know every address: then its customers show when something is ordered. */
async function expectCustomer(t: CheckContext, option: string, email: string | undefined): Promise<void> {
  if (email === undefined) return
  const name = t.offered.includes('getSubscription') ? 'getSubscription' : 'listProducts'
  if (t.offered.includes(name)) refuseUnknown(await t.call(name, { email }), `${option} ${email}`)
}

async function readCancelledIds(t: CheckContext, email: string | undefined): Promise<readonly string[] | undefined> {
  if (email === undefined || !t.offered.includes('listCancelledSubscriptions')) return undefined
  const reply = await t.call('listCancelledSubscriptions', { email })
  refuseUnknown(reply, `--cancelled ${email}`)
  // Some were reactivated, by an earlier run perhaps: then nobody knows which there were.
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
  refuseUnknown(reply, `--code ${code}`)
  const discount = parsedData(reply, Discount)
  // A code that is known, but answered wrongly, is what a check must see.
  if (discount?.discount_type === 'fixed_amount') return { fixed: { code, discount } }
  return { percentage: { code, discount: discount ?? { discount_type: 'percentage', discount_percentage: 10 } } }
}

function refuseUnknown(reply: Reply, given: string): void {
  if (reply.status < 400 || reply.status >= 500 || reply.status === 429) return
  throw new ShopError(`${given}: the shop does not know it, and answered ${describeReply(reply)}`)
}

/** Reads that tell whether a shop has the test data of the reference host, by the form of what they answer then. */
const signs = [
  ['listProducts', {}, ProductList],
  ['getSubscription', { email: seedProfile.customers.subscribed }, CurrentSubscription],
  ['listCancelledSubscriptions', { email: seedProfile.customers.cancelled }, CancelledSubscriptionList],
  ['getDiscount', { discount_code: seedProfile.discounts.percentage?.code }, Discount],
] as const

/**
 * Returns whether reads show the test data of the reference host.
 *
 * A shop that answers nothing sensible may well have it: then it has a fault, which the checks find.
 */
export async function hasSeed(options: CheckOptions): Promise<boolean> {
  const asked = signs.filter(([name]) => options.offered.includes(name))
  let isThere = false
  let isClear = asked.length > 0
  const look = async (t: CheckContext) => {
    for (const [name, input, schema] of asked) {
      const reply = await t.call(name, input)
      const { data } = z.safeParse(schema, dataOf(reply))
      const isOther = data !== undefined && 'products' in data && !data.products.some(({ id }) => isOfSeed(id))
      if (data !== undefined && !isOther) isThere = true
      // The shop returned other products, or does not know the customer or the code.
      else if (reply.status !== 404 && !(reply.status === 200 && isOther)) isClear = false
    }
  }
  const failed = await probe(options, look).then(
    () => false,
    (error) => !(error instanceof CheckSkip),
  )
  return isThere || !isClear || failed
}

function isOfSeed(id: string): boolean {
  return seedProfile.products.listed.some((product) => product.id === id)
}

function parsedData<Data>(reply: Reply, schema: z.ZodMiniType<Data>): Data | undefined {
  return z.safeParse(schema, dataOf(reply)).data
}
