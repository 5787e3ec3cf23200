import { addDays, type DelaySubscriptionInput, StoreError } from '@storeport/core'
import { delaySubscription } from '@storeport/rules'
import { delayedKey, dueAt, isFreeTrial, isOnNextInvoice } from '../account/to-account.ts'
import type { Plan } from './change-once.ts'
import { instantOn, requireCurrent } from './context.ts'

/** Delays the next billing by setting a trial end, because Stripe has no other way to move a billing date. */
export function planDelay(input: DelaySubscriptionInput): Plan {
  return async (loaded, session) => {
    const { stripe, freeTrials, maxDelayDays } = session
    const after = delaySubscription(loaded.account, input, session.createShop({}))
    if (after === loaded.account) return undefined
    const latest = addDays(session.today(), maxDelayDays)
    if (input.new_date > latest) throw new StoreError('invalid_date', `new_date: must be ${latest} or earlier.`)
    const current = requireCurrent(loaded)
    // The status of a trial would hide that the order is not paid.
    if (current.status === 'past_due') throw new StoreError('payment_failed', 'An earlier invoice is not paid.')
    const trial_end = instantOn(input.new_date, dueAt(current), session.dayOf)
    if (freeTrials === 'keep' && isFreeTrial(current))
      throw new StoreError('invalid_date', 'new_date: a subscription in a free trial cannot be delayed.')
    if (current.cancel_at !== null && trial_end > current.cancel_at)
      throw new StoreError('invalid_date', 'new_date: must not be after the end of the subscription.')
    if (loaded.invoiceItems.some((item) => isOnNextInvoice(item, current)))
      throw new StoreError('invalid_date', 'new_date: the next order contains one-time items, so it cannot be delayed.')
    return {
      holder: current,
      send: (mark, options) => {
        const metadata = { ...mark, [delayedKey]: String(trial_end) }
        return stripe.subscriptions.update(current.id, { trial_end, proration_behavior: 'none', metadata }, options)
      },
    }
  }
}
