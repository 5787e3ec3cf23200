import type { Stripe } from 'stripe'
import { findResource, idOf, type StripeAccount } from '../stripe-account.ts'
import { keepDiscounts, sumDiscounts } from './apply-discounts.ts'
import { createInvoiceItemLine } from './create-line.ts'

/** What an invoice of a subscription is made from. */
export interface InvoiceDraft {
  readonly reason: Stripe.Invoice.BillingReason
  readonly lines: readonly Stripe.InvoiceLineItem[]
  /** Which of the customer's pending invoice items it takes up. */
  readonly pending: readonly Stripe.InvoiceItem[]
  /** When Stripe finalizes it by itself; null when it is finalized at once. */
  readonly finalizesAt?: number
}

/** Makes a draft, keeps it as the subscription's latest, and uses up the discounts that are for one invoice. */
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

/** An invoice as it would be, kept nowhere. */
export function composeInvoice(
  account: StripeAccount,
  subscription: Stripe.Subscription,
  { reason, lines: own, pending, finalizesAt }: InvoiceDraft,
  id: string,
): Stripe.Invoice {
  const customer = findResource(account.customers, 'customer', idOf(subscription.customer))
  // "Item discounts are applied before invoice discounts" (docs.stripe.com/api/invoiceitems/update#update_invoiceitem-discounts).
  const lines = [...pending.map((item) => createInvoiceItemLine(account, item)), ...own].map((line) => ({
    ...line,
    discount_amounts: sumDiscounts(account, line.discounts.map(idOf), line.amount),
    invoice: id,
  }))
  const subtotal = lines.reduce((sum, { amount }) => sum + amount, 0)
  const ofLines = lines.flatMap((line) => line.discount_amounts)
  const discountable = lines.filter((line) => line.discountable).reduce((sum, { amount }) => sum + amount, 0)
  const left = discountable - ofLines.reduce((sum, { amount }) => sum + amount, 0)
  const discounts = [...ofLines, ...sumDiscounts(account, subscription.discounts.map(idOf), left)]
  const total = subtotal - discounts.reduce((sum, { amount }) => sum + amount, 0)
  // What is below zero, and what the customer has already, is settled by the balance (docs.stripe.com/billing/customer/balance).
  const amount_due = Math.max(0, total + customer.balance)
  const periods = own.map(({ period }) => period)
  return {
    id,
    object: 'invoice',
    account_country: 'US',
    account_name: null,
    account_tax_ids: null,
    amount_due,
    amount_overpaid: 0,
    amount_paid: 0,
    amount_remaining: amount_due,
    amount_shipping: 0,
    application: null,
    attempt_count: 0,
    attempted: false,
    auto_advance: finalizesAt !== undefined,
    automatic_tax: { disabled_reason: null, enabled: false, liability: null, provider: null, status: null },
    automatically_finalizes_at: finalizesAt ?? null,
    billing_reason: reason,
    collection_method: 'charge_automatically',
    created: account.now(),
    currency: subscription.currency,
    custom_fields: null,
    customer: customer.id,
    customer_account: null,
    customer_address: null,
    customer_email: customer.email,
    customer_name: customer.name ?? null,
    customer_phone: customer.phone ?? null,
    customer_shipping: null,
    customer_tax_exempt: 'none',
    default_payment_method: null,
    default_source: null,
    default_tax_rates: [],
    description: null,
    discounts: subscription.discounts,
    due_date: null,
    effective_at: null,
    ending_balance: null,
    footer: null,
    from_invoice: null,
    issuer: { type: 'self' },
    last_finalization_error: null,
    latest_revision: null,
    lines: { object: 'list', data: lines, has_more: false, url: `/v1/invoices/${id}/lines` },
    livemode: false,
    metadata: {},
    next_payment_attempt: finalizesAt ?? null,
    number: null,
    on_behalf_of: null,
    parent: {
      quote_details: null,
      subscription_details: { metadata: subscription.metadata, subscription: subscription.id },
      type: 'subscription_details',
    },
    payment_settings: { default_mandate: null, payment_method_options: null, payment_method_types: null },
    period_end: Math.max(account.now(), ...periods.map(({ start }) => start)),
    period_start: Math.min(account.now(), ...periods.map(({ start }) => start)),
    post_payment_credit_notes_amount: 0,
    pre_payment_credit_notes_amount: 0,
    receipt_number: null,
    rendering: null,
    shipping_cost: null,
    shipping_details: null,
    starting_balance: customer.balance,
    statement_descriptor: null,
    status: 'draft',
    status_transitions: { finalized_at: null, marked_uncollectible_at: null, paid_at: null, voided_at: null },
    subtotal,
    subtotal_excluding_tax: subtotal,
    test_clock: null,
    total,
    total_discount_amounts: discounts,
    total_excluding_tax: total,
    total_pretax_credit_amounts: null,
    total_taxes: null,
    webhooks_delivered_at: null,
  }
}

/**
 * The invoice items that the next invoice of a subscription takes up: those for it, and those that name no subscription
 * (docs.stripe.com/api/invoiceitems/create#create_invoiceitem-subscription).
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
