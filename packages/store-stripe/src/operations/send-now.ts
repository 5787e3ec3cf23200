import { type CustomerInput, StoreError } from '@storeport/core'
import { type CustomerAccount, sendNow } from '@storeport/rules'
import type { Stripe } from 'stripe'
import { dueAt } from '../account/to-account.ts'
import type { LoadedCustomer } from '../account/load-customer.ts'
import type { StripeRequests } from '../stripe/stripe-requests.ts'
import type { Plan } from './change-once.ts'
import { requireCurrent, customerOf, type StoreContext, oncePerSubscription, requirePayment } from './context.ts'
import { isUnbilled } from './discounts.ts'
import { placeholderProduct } from '../shop/read-products.ts'

/**
 * Bills the next order now by starting a new billing period or ending the trial.
 *
 * All clicks for the same order share one Stripe idempotency key, so two processes cannot send the order twice.
 */
export function planSend(store: StoreContext, input: CustomerInput): Plan {
  return async (loaded, requests) => {
    const { stripe } = store.settings
    const { account, customers } = loaded
    sendNow(
      { ...account, ...(await readLastOrder(store, requests, customers)) },
      input,
      store.createShop({ product: placeholderProduct }),
    )
    const current = requireCurrent(loaded)
    if (current.status === 'past_due') throw new StoreError('payment_failed', 'An earlier invoice is not paid.')
    requirePayment(customerOf(current, customers), current)
    return {
      holder: current,
      closes: loaded.marks.filter((mark) => mark.closed !== true && isUnbilled(mark, current)),
      ...oncePerSubscription(store, 'send', current, dueAt(current)),
      send: (metadata, options) =>
        stripe.subscriptions.update(
          current.id,
          {
            ...startNow(current),
            proration_behavior: 'none',
            // Without this parameter, Stripe would start the period even if the payment fails.
            payment_behavior: 'error_if_incomplete',
            off_session: true,
            metadata,
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

/**
 * Returns the time of the last invoice with products. The subscription status cannot show this, because a delayed subscription is
 * `trialing`.
 */
async function readLastOrder(
  { settings: { stripe, dayOf } }: StoreContext,
  requests: StripeRequests,
  customers: LoadedCustomer['customers'],
): Promise<Pick<CustomerAccount, 'last_sent_on' | 'last_sent_at'>> {
  const lists = await Promise.all(
    customers.map(({ id: customer }) =>
      requests.read((options) => stripe.invoices.list({ customer, limit: 100 }, options)),
    ),
  )
  const orders = lists
    .flatMap(({ data }) => data)
    .filter(({ status, subtotal, parent }) => status !== 'void' && subtotal > 0 && parent?.subscription_details)
  if (orders.length === 0) return { last_sent_on: null, last_sent_at: null }
  const last = Math.max(...orders.map(({ created }) => created))
  return { last_sent_on: dayOf(last), last_sent_at: last * 1000 }
}
