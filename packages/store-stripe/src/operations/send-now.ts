import { type CustomerInput, StoreError } from '@storeport/core'
import { sendNow } from '@storeport/rules'
import type { Stripe } from 'stripe'
import { dueAt, idOf, isFreeTrial } from '../account/to-account.ts'
import { placeholderProduct } from '../shop/read-products.ts'
import type { Plan } from './change-once.ts'
import {
  isOrder,
  oncePerSubscription,
  readInvoices,
  requireCurrent,
  requirePayment,
  updateSubscription,
} from './context.ts'
import { isUnbilled } from './discounts.ts'

/** Bills the next order now by starting a new billing period or ending the trial. */
export function planSend(input: CustomerInput): Plan {
  return async (loaded, session) => {
    const { account, customers, marks } = loaded
    const lists = await Promise.all(customers.map(({ id: customer }) => readInvoices(session, { customer })))
    const invoices = lists.flat().filter(({ parent }) => parent?.subscription_details)
    const current = requireCurrent(loaded)
    const isUnpaid = ({ status, attempted, parent }: Stripe.Invoice) =>
      status === 'open' && attempted && idOf(parent?.subscription_details?.subscription ?? '') === current.id
    // Stripe retries the payment of such an invoice, also after a delay.
    if (current.status === 'past_due' || invoices.some(isUnpaid))
      throw new StoreError('payment_failed', 'An earlier invoice is not paid.')
    // The status cannot show the last order, because a delayed subscription is `trialing`.
    const sent = invoices.filter((invoice) => invoice.status !== 'void' && isOrder(invoice))
    const last = sent.length === 0 ? undefined : Math.max(...sent.map(({ created }) => created))
    const dates = { last_sent_on: last ? session.dayOf(last) : null, last_sent_at: last ? last * 1000 : null }
    sendNow({ ...account, ...dates }, input, session.createShop({ product: placeholderProduct }))
    if (session.freeTrials === 'keep' && isFreeTrial(current))
      throw new StoreError('order_not_processable', 'The subscription is in a free trial.')
    requirePayment(current, customers)
    const isTrialing = current.status === 'trialing'
    const closed = marks.filter((mark) => mark.holder === current.id && isUnbilled(mark, current))
    return {
      ...updateSubscription(session, current, {
        ...(isTrialing ? { trial_end: 'now' } : { billing_cycle_anchor: { type: 'now' } }),
        // Without this parameter, Stripe would start the period even if the payment fails.
        payment_behavior: 'error_if_incomplete',
        off_session: true,
      }),
      closes: closed.map((mark) => ({ ...mark, promotion: undefined })),
      charges: true,
      ...oncePerSubscription(session, 'send', current, dueAt(current)),
    }
  }
}
