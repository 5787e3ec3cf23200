import type { Stripe } from 'stripe'
import { findNextLines, isRunning, renewalOf } from '../billing/bill-due.ts'
import { composeInvoice, findPendingItems } from '../billing/create-invoice.ts'
import { listPage, matches } from '../list-page.ts'
import { findResource, type StripeAccount } from '../stripe-account.ts'
import { requireParam, StripeFailure } from '../stripe-failure.ts'
import type { Handlers } from '../stripe-requests.ts'

/** Invoices (docs.stripe.com/api/invoices). */
export const invoiceHandlers = {
  'GET /v1/invoices': (account, params) =>
    listPage('/v1/invoices', account.invoices, params, ({ customer, parent }) =>
      matches(params, { customer, subscription: parent?.subscription_details?.subscription }),
    ),
  'POST /v1/invoices/create_preview': previewInvoice,
} satisfies Partial<Handlers>

/** Returns a preview of the invoice for the next renewal (docs.stripe.com/api/invoices/create_preview). */
function previewInvoice(account: StripeAccount, params: Stripe.InvoiceCreatePreviewParams): Stripe.Invoice {
  const id = requireParam(params.subscription, 'subscription')
  const subscription = findResource(account.subscriptions, 'subscription', id, 'subscription')
  const pending = findPendingItems(account, subscription)
  const isEnding = subscription.cancel_at !== null && subscription.cancel_at <= renewalOf(subscription)
  // See docs.stripe.com/error-codes#invoice-upcoming-none.
  if (!isRunning(subscription) || (isEnding && pending.length === 0))
    throw new StripeFailure(404, { type: 'invalid_request_error', code: 'invoice_upcoming_none', message: 'None.' })
  const time = renewalOf(subscription)
  const lines = isEnding ? [] : findNextLines(account, subscription, time).lines
  const preview = composeInvoice(account, subscription, { lines, pending }, account.createId('upcoming_in'))
  const { data } = preview.lines
  // Invoices contain the first ten lines (docs.stripe.com/api/invoices/object#invoice_object-lines).
  const firstLines = { ...preview.lines, data: data.slice(0, 10), has_more: data.length > 10 }
  return { ...preview, lines: firstLines, created: time }
}
