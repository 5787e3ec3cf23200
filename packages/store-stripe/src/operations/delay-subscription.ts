import { type DelaySubscriptionInput, StoreError } from '@storeport/core'
import { delaySubscription } from '@storeport/rules'
import { dueAt } from '../account/to-account.ts'
import type { Plan } from '../clicks/change-once.ts'
import { instantOn } from '../instant-on.ts'
import { currentOf, type Desk } from './desk.ts'

/** Delays the next billing: Stripe calls the time until then a trial. */
export function planDelay(desk: Desk, input: DelaySubscriptionInput): Plan {
  return async (loaded) => {
    const { stripe, dayOf, latestDay } = desk.settings
    const after = delaySubscription(loaded.account, input, desk.createShop({}))
    if (after === loaded.account) return undefined
    if (input.new_date > latestDay())
      throw new StoreError('invalid_date', `new_date: must be ${latestDay()} or earlier.`)
    const held = currentOf(loaded)
    const trial_end = instantOn(input.new_date, dueAt(held), dayOf)
    return {
      holder: held,
      send: (metadata, options) =>
        stripe.subscriptions.update(held.id, { trial_end, proration_behavior: 'none', metadata }, options),
    }
  }
}
