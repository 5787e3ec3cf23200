import type { CustomerInput } from '@storeport/core'
import { sendNow } from '@storeport/rules'
import type { Stripe } from 'stripe'
import { dueAt, sentKey } from '../account/to-account.ts'
import type { Plan } from './change-once.ts'
import { requireCurrent, customerOf, type StoreContext, marksOf, requirePayment } from './context.ts'
import { placeholderProduct } from '../shop/read-products.ts'

/** Metadata key of a subscription: number of declined payments for its next order. */
const declinedKey = 'storeport_declined'

/**
 * Bills the next order now: starts a new period, or ends the trial.
 *
 * Different clicks for the same order share one idempotency key, even in two processes.
 */
export function planSend(store: StoreContext, input: CustomerInput): Plan {
  return async (loaded) => {
    const { stripe } = store.settings
    const { account, customers } = loaded
    sendNow(account, input, store.createShop({ product: placeholderProduct }))
    const current = requireCurrent(loaded)
    requirePayment(customerOf(current, customers), current)
    const declined = Number(current.metadata[declinedKey] ?? 0)
    const open = account.adds.filter(({ subscription_id }) => subscription_id === current.id)
    return {
      holder: current,
      closes: marksOf(open, loaded).filter(({ holder }) => holder === current.id),
      key: `storeport-send-${current.id}-${dueAt(current)}-${declined}`,
      send: (metadata, options, at) =>
        stripe.subscriptions.update(
          current.id,
          {
            ...startNow(current),
            proration_behavior: 'none',
            // Prevents Stripe from creating an order whose payment failed.
            payment_behavior: 'error_if_incomplete',
            off_session: true,
            metadata: { ...metadata, [sentKey]: String(at) },
          },
          options,
        ),
      declined: (options) =>
        stripe.subscriptions.update(current.id, { metadata: { [declinedKey]: String(declined + 1) } }, options),
    }
  }
}

/** A delayed subscription is in a trial. During a trial, Stripe does not start a new period. */
function startNow({ status }: Stripe.Subscription): Stripe.SubscriptionUpdateParams {
  return status === 'trialing' ? { trial_end: 'now' } : { billing_cycle_anchor: { type: 'now' } }
}
