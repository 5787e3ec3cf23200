import { type CustomerInput, StoreError } from '@storeport/core'
import { type CustomerAccount, sendNow } from '@storeport/rules'
import type { Stripe } from 'stripe'
import { dueAt, idOf, isFreeTrial } from '../account/to-account.ts'
import type { Plan } from './change-once.ts'
import {
  customerOf,
  isOrder,
  oncePerSubscription,
  readInvoices,
  requireCurrent,
  requirePayment,
  type StoreContext,
} from './context.ts'
import { isUnbilled } from './discounts.ts'
import { placeholderProduct } from '../shop/read-products.ts'

/**
 * Bills the next order now by starting a new billing period or ending the trial.
 *
 * All clicks for the same order share one Stripe idempotency key, so two processes cannot send the order twice.
 */
export function planSend(store: StoreContext, input: CustomerInput): Plan {
  return async (loaded, requests) => {
    const { stripe, dayOf, freeTrials } = store.settings
    const { account, customers } = loaded
    const lists = await Promise.all(customers.map(({ id: customer }) => readInvoices(store, requests, { customer })))
    const invoices = lists.flat()
    const dated = { ...account, ...findLastOrder(invoices, dayOf) }
    sendNow(dated, input, store.createShop({ product: placeholderProduct }))
    const current = requireCurrent(loaded)
    const isUnpaid = ({ status, attempted, parent }: Stripe.Invoice) =>
      status === 'open' && attempted && idOf(parent?.subscription_details?.subscription ?? '') === current.id
    // Stripe retries the payment of such an invoice, also after a delay.
    if (current.status === 'past_due' || invoices.some(isUnpaid))
      throw new StoreError('payment_failed', 'An earlier invoice is not paid.')
    if (freeTrials === 'keep' && isFreeTrial(current))
      throw new StoreError('order_not_processable', 'The subscription is in a free trial.')
    requirePayment(customerOf(current, customers), current)
    return {
      holder: current,
      closes: loaded.marks
        .filter((mark) => mark.holder === current.id && isUnbilled(mark, current))
        .map((mark) => ({ ...mark, promotion: undefined })),
      charges: true,
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

/** Returns the time of the last invoice with products. The status cannot show this, because a delayed subscription is `trialing`. */
function findLastOrder(
  invoices: readonly Stripe.Invoice[],
  dayOf: (seconds: number) => string,
): Pick<CustomerAccount, 'last_sent_on' | 'last_sent_at'> {
  const orders = invoices
    .filter(({ status, parent }) => status !== 'void' && parent?.subscription_details)
    .filter(isOrder)
  if (orders.length === 0) return { last_sent_on: null, last_sent_at: null }
  const last = Math.max(...orders.map(({ created }) => created))
  return { last_sent_on: dayOf(last), last_sent_at: last * 1000 }
}
