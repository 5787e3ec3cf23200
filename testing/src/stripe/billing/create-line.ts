import { Stripe } from 'stripe'
import { createResource } from '../create-resource.ts'
import { idOf, type StripeAccount } from '../stripe-account.ts'
import type { Period } from './find-period.ts'

/**
 * Creates the invoice line for one period of a subscription item. Set `isFree` during a trial
 * (docs.stripe.com/billing/subscriptions/trials/free-trials).
 */
export function createItemLine(
  account: StripeAccount,
  item: Stripe.SubscriptionItem,
  { start, end }: Period,
  isFree = false,
): Stripe.InvoiceLineItem {
  const quantity = item.quantity ?? 1
  const unit = isFree ? 0 : (item.price.unit_amount ?? 0)
  return {
    ...createLine(account, {
      amount: unit * quantity,
      currency: item.price.currency,
      quantity,
      period: { start, end },
    }),
    discountable: true,
    discounts: item.discounts,
    metadata: item.metadata,
    parent: {
      invoice_item_details: null,
      subscription_item_details: {
        invoice_item: null,
        proration: false,
        proration_details: null,
        subscription: item.subscription,
        subscription_item: item.id,
      },
      type: 'subscription_item_details',
    },
    pricing: {
      price_details: { price: item.price.id, product: idOf(item.price.product) },
      type: 'price_details',
      unit_amount_decimal: Stripe.Decimal.from(unit),
    },
    subscription: item.subscription,
  }
}

/** Creates the invoice line for an invoice item. */
export function createInvoiceItemLine(account: StripeAccount, item: Stripe.InvoiceItem): Stripe.InvoiceLineItem {
  const subscription = item.parent?.subscription_details?.subscription ?? null
  return {
    ...createLine(account, item),
    description: item.description,
    discountable: item.discountable,
    discounts: item.discounts ?? [],
    metadata: item.metadata ?? {},
    parent: {
      invoice_item_details: { invoice_item: item.id, proration: item.proration, proration_details: null, subscription },
      subscription_item_details: null,
      type: 'invoice_item_details',
    },
    pricing: item.pricing,
    subscription,
  }
}

function createLine(
  account: StripeAccount,
  { amount, currency, quantity, period }: Pick<Stripe.InvoiceItem, 'amount' | 'currency' | 'period' | 'quantity'>,
): Stripe.InvoiceLineItem {
  return createResource('InvoiceLineItem', {
    id: account.createId('il'),
    amount,
    currency,
    metadata: {},
    period,
    quantity,
    quantity_decimal: Stripe.Decimal.from(quantity),
    subtotal: amount,
  })
}
