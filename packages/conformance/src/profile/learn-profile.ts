import { CancelledSubscriptionList, Discount, ProductList } from '@storeport/core'
import * as z from 'zod/mini'
import type { CheckContext } from '../engine/check-context.ts'
import { createLimit } from '../engine/check-limit.ts'
import type { Check } from '../engine/check.ts'
import { isObject } from '../engine/is-object.ts'
import { prepareCheck } from '../engine/prepare-check.ts'
import type { CheckOptions } from '../engine/run-options.ts'
import { ShopError } from '../engine/shop-error.ts'
import { describeReply, type Reply } from '../http/reply.ts'
import type { Profile } from './profile.ts'

/** What cannot be read from a shop: whom and what it may be tried with. */
export interface Told {
  /** Address of a customer with active subscriptions, where the shop has any. */
  readonly customer?: string | undefined
  /** Address of a customer with cancelled subscriptions. */
  readonly cancelled?: string | undefined
  /** Address of another customer with an active subscription. */
  readonly neighbour?: string | undefined
  /** Discount codes that are valid. */
  readonly codes: readonly string[]
  /** A custom action that may be run as often as one likes. */
  readonly action?: string | undefined
}

/** What learning fails as: no check, but it needs the expectations of one. */
const learning: Check = {
  id: 'profile.is-learned',
  title: 'The shop tells about its test data.',
  requirements: ['ROUTE-1'],
  mode: 'read-only',
  layer: 'shop',
  needs: [],
  async run() {},
}

/**
 * Completes a profile by what a shop tells, with reads alone.
 *
 * Throws ShopError for a customer or a code that the shop refuses: it says which one, and what the shop answered.
 */
export async function learnProfile(told: Told, base: Profile, options: CheckOptions): Promise<Profile> {
  const limit = createLimit(options)
  try {
    const { context: t } = prepareCheck(learning, { ...options, profile: base }, limit)
    return await learn(t, told, base)
  } finally {
    limit.end()
  }
}

async function learn(t: CheckContext, told: Told, base: Profile): Promise<Profile> {
  const { customer, cancelled, neighbour, action, codes } = told
  await expectCustomer(t, '--customer', customer)
  await expectCustomer(t, '--neighbour', neighbour)
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
      ...(neighbour !== undefined && { neighbour }),
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
  return dataOf(reply, CancelledSubscriptionList)?.subscriptions.map(({ subscription_id }) => subscription_id)
}

async function readListed(t: CheckContext): Promise<Profile['products']['listed']> {
  if (!t.offered.includes('listProducts')) return []
  const { products = [] } = dataOf(await t.call('listProducts'), ProductList) ?? {}
  return products.map(({ id, price, compare_at_price }) => {
    return { id, price, ...(compare_at_price !== undefined && { compare_at_price }) }
  })
}

async function readWorth(t: CheckContext, code: string): Promise<Partial<Profile['discounts']>> {
  if (!t.offered.includes('getDiscount')) return {}
  const reply = await t.call('getDiscount', { discount_code: code })
  refuseUnknown(reply, `--code ${code}`)
  const discount = dataOf(reply, Discount)
  // A code that is known, but answered wrongly, is what a check must see.
  if (discount?.discount_type === 'fixed_amount') return { fixed: { code, discount } }
  return { percentage: { code, discount: discount ?? { discount_type: 'percentage', discount_percentage: 10 } } }
}

function refuseUnknown(reply: Reply, given: string): void {
  if (reply.status < 400 || reply.status >= 500 || reply.status === 429) return
  throw new ShopError(`${given}: the shop does not know it, and answered ${describeReply(reply)}`)
}

function dataOf<Data>(reply: Reply, schema: z.ZodMiniType<Data>): Data | undefined {
  const parsed = z.safeParse(schema, isObject(reply.json) ? reply.json['data'] : undefined)
  return parsed.success ? parsed.data : undefined
}
