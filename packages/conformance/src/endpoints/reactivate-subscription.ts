import { addDays, type CancelledSubscription } from '@storeport/core'
import { type Check, type CheckContext, define, onceInAShop } from '../engine/check.ts'
import { about, type Requirements } from '../engine/requirement.ts'
import {
  type CustomerName,
  customerOf,
  expectDay,
  expectDone,
  expectReduced,
  findSubscription,
  knowsToday,
  linesOf,
  reductionOf,
  perform,
  readCancelled,
  readSubscription,
  shareOf,
  snapshot,
  toMinor,
} from '../shop/customers.ts'
import { delayTo, laterDate, makeOtherChange } from '../shop/changes.ts'
import { burstClick } from '../shop/repeats.ts'
import { invalidCodes, rejects } from './examples.ts'

const { must, should } = about('reactivating')
const discounts = about('discounts')

export const requirements: Requirements = {
  'REACTIVATE-1': must(
    'The cancelled subscription becomes active and is removed from the list.',
    'The subscription is copied instead of activated, or the list is cached.',
  ),
  'REACTIVATE-2': should(
    'A reactivated subscription is billed tomorrow, with its previous items and quantities.',
    'The old date remains, or the items are recreated with one unit each.',
  ),
  'REACTIVATE-3': should(
    "Reactivating an unknown subscription, or another customer's subscription, returns 404 `subscription_not_found`.",
    'The subscription is looked up only by its id, and its owner is not checked.',
  ),
  'REACTIVATE-4': should(
    'Reactivating an active subscription returns 400 `subscription_not_cancelled`.',
    'The request returns success, or the subscription is activated twice.',
  ),
  'REACTIVATE-5': should(
    'Reactivating a subscription that was cancelled too long ago returns 400 `subscription_not_eligible`, and the subscription is not listed.',
    'The age is checked only in the list, or not at all.',
  ),
  'REACTIVATE-6': discounts.should(
    "Reactivation with a percentage code reduces the next order by that percentage of its items' total price.",
    'Reactivation ignores the code.',
  ),
  'REACTIVATE-7': discounts.should(
    'Reactivation with an unknown or expired code returns 400 `invalid_discount_code` and changes nothing.',
    'An invalid code is ignored, and the subscription is activated without a discount.',
  ),
  'REACTIVATE-8': discounts.should(
    'Reactivation with a fixed-amount code reduces the next order by that amount once, regardless of the number of items.',
    'The amount is deducted for each item, or only addProduct supports fixed-amount codes.',
  ),
}

const needs = ['listCancelledSubscriptions', 'reactivateSubscription', 'getSubscription', 'delaySubscription'] as const

export const checks: readonly Check[] = define({ ...onceInAShop, needs }, requirements, {
  'reactivateSubscription.rejects-invalid-requests': rejects('reactivateSubscription', [
    ['REACTIVATE-3', 'subscription_not_found', 'subscribed', (t) => foreignIds(t, ['__proto__'])],
    ['CUSTOMER-2', 'subscription_not_found', 'subscribed', (t) => foreignIds(t, cancelledIds(t, 'cancelled'))],
    ['CUSTOMER-2', 'subscription_not_found', 'cancelled', (t) => foreignIds(t, cancelledIds(t, 'otherCustomer'))],
    ['CUSTOMER-2', 'subscription_not_found', 'cancelled', (t) => foreignIds(t, [known(t, 'active')])],
    ['CUSTOMER-2', 'subscription_not_found', 'subscribed', (t) => foreignIds(t, [known(t, 'tooOld')])],
    ['REACTIVATE-4', 'subscription_not_cancelled', 'subscribed', (t) => idsOf(known(t, 'active'))],
    ['REACTIVATE-5', 'subscription_not_eligible', 'cancelled', (t) => idsOf(known(t, 'tooOld'))],
    ['REACTIVATE-7', 'invalid_discount_code', 'cancelled', withInvalidCodes],
    ['CUSTOMER-1', 'customer_not_found', 'unknown', (t) => foreignIds(t, t.profile.subscriptions.cancelled ?? [])],
  ]),
  'reactivateSubscription.activates-the-subscription': {
    title:
      'A reactivated subscription is removed from the list, becomes current, and is billed tomorrow with its previous items. A fixed-amount code reduces the next order by that amount once. A second reactivation is rejected.',
    requirements: ['REACTIVATE-1', 'REACTIVATE-2', 'REACTIVATE-4', 'REACTIVATE-8', 'FIELD-11', 'JSON-2'],
    layer: 'wire',
    async run(t) {
      const email = customerOf(t, 'cancelled')
      const list = await listToReactivate(t, email)
      // Leaves a subscription with a quantity above 1 for the percentage of all units.
      const first = list.find((one) => !hasSeveralUnits(one)) ?? list[0]
      const others = list.filter((other) => other !== first)
      const { subscription_id } = first
      const { fixed } = t.profile.discounts
      const amount = fixed?.discount.discount_type === 'fixed_amount' ? fixed.discount.discount_amount : Infinity
      const discount_code = worthOf(first) < amount ? undefined : fixed?.code
      const coded = await t.call('reactivateSubscription', { email, subscription_id, discount_code })
      // A rejection of the code does not show whether the shop reactivates subscriptions.
      const isCodeRejected = discount_code !== undefined && coded.status >= 400
      expectDone(t, isCodeRejected ? await t.call('reactivateSubscription', { email, subscription_id }) : coded)
      t.equal(await readCancelled(t, email), others, 'the list')
      const current = await readSubscription(t, email)
      expectDay(t, current.next_billing_date, (today) => addDays(today, 1), 'REACTIVATE-2')
      t.equal(linesOf(current.items), linesOf(first.products), 'the items', 'REACTIVATE-2')
      if (isCodeRejected) t.accepted(coded, 'REACTIVATE-8')
      const reduction = discount_code === undefined ? 0 : Math.round(toMinor(t, amount))
      if (reduction > 0) t.equal(reductionOf(t, current), reduction, 'the discount in minor units', 'REACTIVATE-8')
      await makeOtherChange(t, email)
      const again = await t.call('reactivateSubscription', { email, subscription_id })
      t.rejected(again, 'subscription_not_cancelled', 'REACTIVATE-4')
    },
  },
  'reactivateSubscription.runs-a-repeat-once': {
    title:
      "A reactivation that is sent three times within 2 ms, and again after a change by another customer, takes effect once. Each response has status 200. A percentage code reduces the next order by that percentage of its items' total price. No other subscription of the customer changes.",
    requirements: ['REACTIVATE-6', 'REACTIVATE-1', 'REACTIVATE-2', 'FRAME-1', 'RETRY-1', 'RETRY-4', 'RETRY-12'],
    requires: ['retries'],
    async run(t) {
      const email = customerOf(t, 'cancelled')
      await activateAnother(t, email)
      const list = await listToReactivate(t, email)
      const first = list.find(hasSeveralUnits) ?? list[0]
      const other = await findSubscription(t, email)
      const { percentage } = t.profile.discounts
      const discount_code = percentage?.code.toLowerCase()
      const input = { email, subscription_id: first.subscription_id, discount_code }
      await burstClick(t, 'reactivateSubscription', input, discount_code === undefined ? 'RETRY-1' : 'REACTIVATE-6')
      const current = await readSubscription(t, email)
      if (percentage !== undefined) expectReduced(t, current, shareOf(percentage.discount, worthOf(first)))
      t.equal(linesOf(current.items), linesOf(first.products), 'the items', 'REACTIVATE-2')
      const after = await snapshot(t, email)
      for (const requirement of ['RETRY-1', 'RETRY-12'] as const) {
        const again = await t.call('reactivateSubscription', input)
        t.accepted(again, requirement)
        t.equal(await snapshot(t, email), after, "the customer's data", again, requirement)
        const { otherCustomer } = t.profile.customers
        if (otherCustomer !== undefined) await makeOtherChange(t, otherCustomer)
      }
      // Makes the customer's other subscription current.
      const afterOther = t.farDates && other !== undefined ? addDays(other.next_billing_date, 1) : t.today
      const new_date = laterDate(afterOther, addDays(t.today, 12))
      await delayTo(t, email, new_date)
      if (other !== undefined && other.next_billing_date < new_date)
        t.equal(await readSubscription(t, email), other, "the customer's other subscription", 'FRAME-1')
    },
  },
})

function known({ profile, need }: CheckContext, name: 'active' | 'tooOld'): string {
  return need(profile.subscriptions[name], `subscriptions.${name}`)
}

async function cancelledIds(t: CheckContext, name: CustomerName): Promise<readonly string[]> {
  return (await readCancelled(t, customerOf(t, name))).map(({ subscription_id }) => subscription_id)
}

async function withInvalidCodes(t: CheckContext) {
  const [{ subscription_id }] = await listToReactivate(t, customerOf(t, 'cancelled'))
  return invalidCodes(t, { subscription_id })
}

/** Returns the id of no subscription, then ids of no subscription of the customer. */
async function foreignIds(t: CheckContext, ids: readonly string[] | Promise<readonly string[]>) {
  return idsOf(t.profile.subscriptions.unknown, ...(await ids))
}

function idsOf(...ids: readonly string[]) {
  return ids.map((subscription_id) => ({ subscription_id }))
}

/**
 * Returns the subscriptions that can be reactivated. Delays active subscriptions that are billed by tomorrow, so that a
 * reactivated subscription is billed first.
 */
async function listToReactivate(
  t: CheckContext,
  email: string,
): Promise<readonly [CancelledSubscription, ...CancelledSubscription[]]> {
  const [first = t.skipUsed('no cancelled subscription is left', 'reactivateSubscription'), ...others] =
    await readCancelled(t, email)
  const latest = addDays(t.today, knowsToday(t) ? 1 : 2)
  for (let delays = 0; delays < maxActive; delays++) {
    const active = await findSubscription(t, email)
    if (active === undefined || active.next_billing_date > latest) return [first, ...others]
    await delayTo(t, email, addDays(t.today, 10))
  }
  return t.skipUsed('the customer has too many active subscriptions')
}

/** Returns whether an item of a subscription has a quantity above 1. */
function hasSeveralUnits({ products }: CancelledSubscription): boolean {
  return products.some(({ quantity }) => quantity > 1)
}

/** Reactivates one of at least two subscriptions if the customer has no active subscription. */
export async function activateAnother(t: CheckContext, email: string): Promise<void> {
  const list = await readCancelled(t, email)
  const { subscription_id } = list.find((one) => !hasSeveralUnits(one)) ?? list[1] ?? {}
  if (list.length < 2 || subscription_id === undefined || (await findSubscription(t, email)) !== undefined) return
  await perform(t, 'reactivateSubscription', { email, subscription_id }, 'REACTIVATE-1')
}

/** Returns the total price of a subscription's items, in major units. */
function worthOf({ products }: CancelledSubscription): number {
  return products.reduce((sum, { price, quantity }) => sum + price * quantity, 0)
}

/** Maximum number of active subscriptions that `listToReactivate` delays. */
const maxActive = 5
