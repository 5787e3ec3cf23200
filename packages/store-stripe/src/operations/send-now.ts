import type { CustomerInput } from '@storeport/core'
import { sendNow } from '@storeport/rules'
import type { Stripe } from 'stripe'
import { dueAt, sentKey } from '../account/to-account.ts'
import type { Plan } from './change-once.ts'
import {
  requireCurrent,
  customerOf,
  type StoreContext,
  marksOf,
  oncePerSubscription,
  requirePayment,
} from './context.ts'
import { placeholderProduct } from '../shop/read-products.ts'

/**
 * Bills the next order now by starting a new billing period or ending the trial.
 *
 * All clicks for the same order share one Stripe idempotency key, so two processes cannot send the order twice.
 */
export function planSend(store: StoreContext, input: CustomerInput): Plan {
  return async (loaded) => {
    const { stripe } = store.settings
    const { account, customers } = loaded
    sendNow(account, input, store.createShop({ product: placeholderProduct }))
    const current = requireCurrent(loaded)
    requirePayment(customerOf(current, customers), current)
    const open = account.adds.filter(({ subscription_id }) => subscription_id === current.id)
    return {
      holder: current,
      closes: marksOf(open, loaded).filter(({ holder }) => holder === current.id),
      ...oncePerSubscription(store, 'send', current, dueAt(current)),
      send: (metadata, options, at) =>
        stripe.subscriptions.update(
          current.id,
          {
            ...startNow(current),
            proration_behavior: 'none',
            // Without this parameter, Stripe would start the period even if the payment fails.
            payment_behavior: 'error_if_incomplete',
            off_session: true,
            metadata: { ...metadata, [sentKey]: String(at) },
          },
          options,
        ),
    }
  }
}

/** Returns the parameters that start a billing period now, or end the trial of a delayed subscription. */
function startNow({ status }: Stripe.Subscription): Stripe.SubscriptionUpdateParams {
  return status === 'trialing' ? { trial_end: 'now' } : { billing_cycle_anchor: { type: 'now' } }
}
