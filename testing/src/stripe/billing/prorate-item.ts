import { Stripe } from 'stripe'
import { idOf, type StripeAccount } from '../stripe-account.ts'
import { findPeriod } from './find-period.ts'

/**
 * Credits what is left of the period of an item that goes, or charges what is left for one that comes, as a pending invoice
 * item: to the second (docs.stripe.com/billing/subscriptions/prorations). Nothing while the subscription is tried.
 */
export function prorateItem(
  account: StripeAccount,
  subscription: Stripe.Subscription,
  item: Stripe.SubscriptionItem,
  kind: 'charge' | 'credit',
): Stripe.InvoiceItem | undefined {
  const { price, current_period_end: end } = item
  const now = account.now()
  if (subscription.status === 'trialing' || price.recurring === null || end <= now) return undefined
  const { start } =
    kind === 'credit'
      ? { start: item.current_period_start }
      : findPeriod(subscription.billing_cycle_anchor, price.recurring, now)
  const quantity = item.quantity ?? 1
  const part = Math.round(((price.unit_amount ?? 0) * quantity * (end - now)) / (end - start))
  const amount = kind === 'credit' ? -part : part
  if (amount === 0) return undefined
  const proration: Stripe.InvoiceItem = {
    id: account.createId('ii'),
    object: 'invoiceitem',
    amount,
    currency: price.currency,
    customer: idOf(subscription.customer),
    customer_account: null,
    date: now,
    description: kind === 'credit' ? 'Unused time' : 'Remaining time',
    discountable: false,
    discounts: [],
    invoice: null,
    livemode: false,
    metadata: {},
    parent: {
      subscription_details: { subscription: subscription.id, subscription_item: item.id },
      type: 'subscription_details',
    },
    period: { start: now, end },
    pricing: {
      price_details: { price: price.id, product: idOf(price.product) },
      type: 'price_details',
      unit_amount_decimal: price.unit_amount_decimal,
    },
    proration: true,
    quantity,
    quantity_decimal: Stripe.Decimal.from(quantity),
    tax_rates: [],
    test_clock: null,
  }
  account.invoice_items.set(proration.id, proration)
  return proration
}
