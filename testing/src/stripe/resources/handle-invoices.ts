import type { Stripe } from 'stripe'
import { findNextLines, isRunning } from '../billing/bill-due.ts'
import { finalizeInvoice, payInvoice } from '../billing/collect-invoice.ts'
import { composeInvoice, findPendingItems } from '../billing/create-invoice.ts'
import { isInRange, listPage, newestFirst } from '../list-page.ts'
import { findResource, type StripeAccount } from '../stripe-account.ts'
import { createInvalidRequest, StripeFailure } from '../stripe-failure.ts'
import type { Handlers } from '../stripe-handlers.ts'

/** Invoices (docs.stripe.com/api/invoices): subscriptions make them. */
export const invoiceHandlers = {
  'GET /v1/invoices': (account, params) =>
    listPage(
      '/v1/invoices',
      newestFirst(account.invoices).filter(
        (invoice) =>
          (params.customer === undefined || invoice.customer === params.customer) &&
          (params.status === undefined || invoice.status === params.status) &&
          (params.subscription === undefined ||
            invoice.parent?.subscription_details?.subscription === params.subscription) &&
          isInRange(invoice.created, params.created),
      ),
      params,
    ),
  'GET /v1/invoices/{id}': (account, _, id) => findResource(account.invoices, 'invoice', id),
  'POST /v1/invoices/create_preview': previewInvoice,
  'POST /v1/invoices/{id}/finalize': (account, _, id) => {
    const invoice = findResource(account.invoices, 'invoice', id)
    if (invoice.status !== 'draft')
      throw createInvalidRequest('This invoice is already finalized.', undefined, 'invoice_not_editable')
    return finalizeInvoice(account, invoice)
  },
  'POST /v1/invoices/{id}/pay': (account, params, id) => {
    const invoice = findResource(account.invoices, 'invoice', id)
    // "Stripe finalizes it when you pay it" (docs.stripe.com/api/invoices/pay).
    const open = invoice.status === 'draft' ? finalizeInvoice(account, invoice) : invoice
    if (open.status === 'paid' && invoice.status !== 'draft') throw createInvalidRequest('Invoice is already paid')
    const failure = payInvoice(account, open, params.payment_method)
    if (failure !== undefined) throw failure
    return findResource(account.invoices, 'invoice', id)
  },
} satisfies Partial<Handlers>

/** What the next renewal would bill (docs.stripe.com/api/invoices/create_preview). */
function previewInvoice(account: StripeAccount, params: Stripe.InvoiceCreatePreviewParams): Stripe.Invoice {
  if (params.subscription === undefined)
    throw createInvalidRequest('Missing required param: subscription.', 'subscription', 'parameter_missing')
  const subscription = findResource(account.subscriptions, 'subscription', params.subscription, 'subscription')
  const pending = findPendingItems(account, subscription)
  const isEnding = subscription.cancel_at !== null
  // docs.stripe.com/error-codes#invoice-upcoming-none
  if (!isRunning(subscription) || (isEnding && pending.length === 0))
    throw new StripeFailure(404, {
      type: 'invalid_request_error',
      code: 'invoice_upcoming_none',
      message: `No upcoming invoices for customer: ${String(subscription.customer)}`,
    })
  const time = Math.min(...subscription.items.data.map((item) => item.current_period_end))
  const lines = isEnding ? [] : findNextLines(account, subscription, time).lines
  const preview = composeInvoice(
    account,
    subscription,
    { reason: 'upcoming', lines, pending },
    account.createId('upcoming_in'),
  )
  return { ...preview, created: time, next_payment_attempt: time + 3600 }
}
