import { Stripe } from 'stripe'
import { createResource, findResource, idOf, type StripeAccount } from '../stripe-account.ts'
import { keepDiscounts, sumDiscounts } from './apply-discounts.ts'

/** Contents of a subscription invoice. */
export interface InvoiceDraft {
  readonly lines: readonly Stripe.InvoiceLineItem[]
  /** Pending invoice items that the invoice includes. */
  readonly pending: readonly Stripe.InvoiceItem[]
  /** Time of the automatic finalization in seconds since 1970; omitted for an invoice that is finalized immediately. */
  readonly finalizesAt?: number
}

/** Creates a draft as the subscription's latest invoice, and removes the `once` discounts that the draft used. */
export function createInvoice(
  account: StripeAccount,
  subscription: Stripe.Subscription,
  draft: InvoiceDraft,
): Stripe.Invoice {
  const invoice = composeInvoice(account, subscription, draft, account.createId('in'))
  account.invoices.set(invoice.id, invoice)
  for (const item of draft.pending) account.invoice_items.set(item.id, { ...item, invoice: invoice.id })
  const used = (invoice.total_discount_amounts ?? []).map(({ discount }) => idOf(discount))
  const now = findResource(account.subscriptions, 'subscription', subscription.id)
  const discounts = keepDiscounts(account, now.discounts.map(idOf), used)
  const data = now.items.data.map((item) => ({
    ...item,
    discounts: keepDiscounts(account, item.discounts.map(idOf), used),
  }))
  const items = { ...now.items, data }
  account.subscriptions.set(now.id, { ...now, discounts, items, latest_invoice: invoice.id })
  return invoice
}

/** Creates an invoice without storing it. */
export function composeInvoice(
  account: StripeAccount,
  subscription: Stripe.Subscription,
  { lines: own, pending, finalizesAt }: InvoiceDraft,
  id: string,
): Stripe.Invoice {
  // Applies item discounts before invoice discounts.
  // See docs.stripe.com/api/invoiceitems/update#update_invoiceitem-discounts.
  const lines = [...pending.map((item) => createInvoiceItemLine(account, item)), ...own].map((line) => ({
    ...line,
    discount_amounts: sumDiscounts(account, line.discounts.map(idOf), line.amount),
    invoice: id,
  }))
  const subtotal = lines.reduce((sum, { amount }) => sum + amount, 0)
  const lineDiscounts = lines.flatMap((line) => line.discount_amounts)
  const left = subtotal - lineDiscounts.reduce((sum, { amount }) => sum + amount, 0)
  const discounts = [...lineDiscounts, ...sumDiscounts(account, subscription.discounts.map(idOf), left)]
  const total = subtotal - discounts.reduce((sum, { amount }) => sum + amount, 0)
  return createResource<Stripe.Invoice>({
    object: 'invoice',
    id,
    ...{ amount_due: total, amount_paid: 0, subtotal, total },
    attempted: false,
    automatically_finalizes_at: finalizesAt ?? null,
    created: account.now(),
    currency: subscription.currency,
    customer: subscription.customer,
    discounts: subscription.discounts,
    lines: { object: 'list', data: lines, has_more: false, url: `/v1/invoices/${id}/lines` },
    metadata: {},
    parent: {
      quote_details: null,
      subscription_details: { metadata: subscription.metadata, subscription: subscription.id },
      type: 'subscription_details',
    },
    status: 'draft',
    total_discount_amounts: discounts,
  })
}

/**
 * Returns the invoice items for a subscription's next invoice: items of the subscription, and the customer's items
 * without a subscription (docs.stripe.com/api/invoiceitems/create#create_invoiceitem-subscription).
 */
export function findPendingItems(account: StripeAccount, subscription: Stripe.Subscription): Stripe.InvoiceItem[] {
  return [...account.invoice_items.values()].filter((item) => {
    const only = item.parent?.subscription_details?.subscription
    return (
      item.invoice === null &&
      item.customer === subscription.customer &&
      item.currency === subscription.currency &&
      (only === undefined || only === subscription.id)
    )
  })
}

/** Creates the invoice line for a subscription item. Set `isFree` during a trial (docs.stripe.com/billing/subscriptions/trials/free-trials). */
export function createItemLine(
  account: StripeAccount,
  { discounts, metadata, price, quantity = 1, subscription }: Stripe.SubscriptionItem,
  isFree = false,
): Stripe.InvoiceLineItem {
  const unit = isFree ? 0 : Number(price.unit_amount_decimal)
  return createResource<Stripe.InvoiceLineItem>({
    object: 'line_item',
    id: account.createId('il'),
    amount: Math.round(unit * quantity),
    ...{ currency: price.currency, discounts, metadata, quantity, subscription, taxes: null },
    parent: { invoice_item_details: null, subscription_item_details: null, type: 'subscription_item_details' },
    pricing: {
      price_details: { price: price.id, product: idOf(price.product) },
      type: 'price_details',
      unit_amount_decimal: Stripe.Decimal.from(String(unit)),
    },
  })
}

/** Creates the invoice line for an invoice item. */
function createInvoiceItemLine(account: StripeAccount, item: Stripe.InvoiceItem): Stripe.InvoiceLineItem {
  const { amount, currency, quantity, description, pricing, id: invoice_item, proration } = item
  const subscription = item.parent?.subscription_details?.subscription ?? null
  return createResource<Stripe.InvoiceLineItem>({
    object: 'line_item',
    id: account.createId('il'),
    ...{ amount, currency, quantity, description, pricing, subscription, taxes: null },
    discounts: item.discounts ?? [],
    metadata: item.metadata ?? {},
    parent: {
      invoice_item_details: { invoice_item, proration, proration_details: null, subscription },
      subscription_item_details: null,
      type: 'invoice_item_details',
    },
  })
}
