import { Stripe } from 'stripe'
import { createResource, idOf, type StripeAccount } from '../stripe-account.ts'

/** Creates the invoice line for a subscription item. Set `isFree` during a trial (docs.stripe.com/billing/subscriptions/trials/free-trials). */
export function createItemLine(
  account: StripeAccount,
  item: Stripe.SubscriptionItem,
  isFree = false,
): Stripe.InvoiceLineItem {
  const { price, quantity = 1, subscription } = item
  const unit = isFree ? 0 : Number(price.unit_amount_decimal ?? 0)
  return createLine(account, {
    amount: Math.round(unit * quantity),
    currency: price.currency,
    quantity,
    discounts: item.discounts,
    metadata: item.metadata,
    parent: { invoice_item_details: null, subscription_item_details: null, type: 'subscription_item_details' },
    pricing: {
      price_details: { price: price.id, product: idOf(price.product) },
      type: 'price_details',
      unit_amount_decimal: Stripe.Decimal.from(String(unit)),
    },
    subscription,
  })
}

/** Creates the invoice line for an invoice item. */
export function createInvoiceItemLine(account: StripeAccount, item: Stripe.InvoiceItem): Stripe.InvoiceLineItem {
  const { amount, currency, quantity, description, pricing } = item
  const subscription = item.parent?.subscription_details?.subscription ?? null
  return createLine(account, {
    ...{ amount, currency, quantity, description, pricing, subscription },
    discounts: item.discounts ?? [],
    metadata: item.metadata ?? {},
    parent: {
      invoice_item_details: { invoice_item: item.id, proration: item.proration, proration_details: null, subscription },
      subscription_item_details: null,
      type: 'invoice_item_details',
    },
  })
}

function createLine(account: StripeAccount, fields: Partial<Stripe.InvoiceLineItem>): Stripe.InvoiceLineItem {
  return createResource<Stripe.InvoiceLineItem>({
    object: 'line_item',
    id: account.createId('il'),
    taxes: null,
    ...fields,
  })
}
