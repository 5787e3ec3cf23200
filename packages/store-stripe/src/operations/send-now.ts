import type { CustomerInput } from '@storeport/core'
import { sendNow } from '@storeport/rules'
import type { Stripe } from 'stripe'
import { dueAt, sentKey } from '../account/to-account.ts'
import type { Plan } from './change-once.ts'
import { currentOf, customerOf, type Desk, marksOf, requirePayment } from './desk.ts'
import { nameless } from '../shop/read-products.ts'

/** Metadata of a subscription: how many payments of its next order were declined. */
const declinedKey = 'storeport_declined'

/**
 * Bills the next order now: the period of a subscription starts anew, or its trial ends.
 *
 * Two clicks that know nothing of each other, in two processes, have one idempotency key while they want the same order sent.
 */
export function planSend(desk: Desk, input: CustomerInput): Plan {
  return async (loaded) => {
    const { stripe } = desk.settings
    const { account, customers } = loaded
    sendNow(account, input, desk.createShop({ product: nameless }))
    const held = currentOf(loaded)
    requirePayment(customerOf(held, customers), held)
    const declined = Number(held.metadata[declinedKey] ?? 0)
    const open = account.adds.filter(({ subscription_id }) => subscription_id === held.id)
    return {
      holder: held,
      closes: marksOf(open, loaded).filter(({ holder }) => holder === held.id),
      key: `storeport-send-${held.id}-${dueAt(held)}-${declined}`,
      send: (metadata, options, at) =>
        stripe.subscriptions.update(
          held.id,
          {
            ...startNow(held),
            proration_behavior: 'none',
            // Otherwise the order would be made although nobody has paid it.
            payment_behavior: 'error_if_incomplete',
            off_session: true,
            metadata: { ...metadata, [sentKey]: String(at) },
          },
          options,
        ),
      declined: (options) =>
        stripe.subscriptions.update(held.id, { metadata: { [declinedKey]: String(declined + 1) } }, options),
    }
  }
}

/** A subscription that is delayed has a trial, which Stripe does not let a new period begin before. */
function startNow({ status }: Stripe.Subscription): Stripe.SubscriptionUpdateParams {
  return status === 'trialing' ? { trial_end: 'now' } : { billing_cycle_anchor: { type: 'now' } }
}
