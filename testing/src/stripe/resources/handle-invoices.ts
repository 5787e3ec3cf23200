import type { Stripe } from 'stripe'
import { applyDiscounts } from '../billing/apply-discounts.ts'
import { findNextLines, isRunning, renewalOf } from '../billing/bill-due.ts'
import { findTaxRates } from '../billing/change-items.ts'
import { composeInvoice, findPendingItems } from '../billing/create-invoice.ts'
import { type Handlers, list } from '../handler.ts'
import { changeMetadata, findResource, idOf, save, type StripeAccount } from '../stripe-account.ts'
import { createInvalidRequest, requireParam, StripeFailure } from '../stripe-failure.ts'
import { createPrice } from './handle-products.ts'

const discounts = 'discounts discounts.coupon discounts.discount discounts.promotion_code'
const priceData =
  'price_data.currency price_data.product price_data.tax_behavior price_data.unit_amount price_data.unit_amount_decimal'

/** Invoices (docs.stripe.com/api/invoices) and invoice items (docs.stripe.com/api/invoiceitems). */
export const invoiceHandlers: Handlers = {
  'GET /v1/invoices': list(
    '/v1/invoices',
    ({ invoices }) => invoices,
    'customer',
    'subscription',
    ({ parent }, { subscription }: Stripe.InvoiceListParams) =>
      subscription === undefined || parent?.subscription_details?.subscription === subscription,
  ),
  'POST /v1/invoices/create_preview': { supported: 'customer subscription', run: previewInvoice },
  'GET /v1/invoiceitems': list(
    '/v1/invoiceitems',
    ({ invoice_items }) => invoice_items,
    'customer',
    'pending',
    ({ invoice }, { pending }: Stripe.InvoiceItemListParams) => pending === undefined || pending === (invoice === null),
  ),
  'POST /v1/invoiceitems': {
    supported: `customer description ${discounts} metadata ${priceData} quantity subscription tax_rates`,
    run: createInvoiceItem,
  },
  'POST /v1/invoiceitems/{id}': {
    supported: `description ${discounts} metadata ${priceData} quantity`,
    run: (account, params: Stripe.InvoiceItemUpdateParams, id) => {
      const before = findEditable(account, id)
      const { description = before.description, quantity = before.quantity } = params
      const pricing = params.price_data === undefined ? before.pricing : createPricing(account, params.price_data)
      const subscription = before.parent?.subscription_details?.subscription ?? ''
      const owner = { customer: before.customer, id: subscription, discounts: before.discounts ?? [] }
      return save(account.invoice_items, {
        ...before,
        ...{ description, pricing, quantity },
        amount: Math.round(Number(pricing?.unit_amount_decimal) * quantity),
        discounts: applyDiscounts(account, owner, params.discounts),
        metadata: changeMetadata(before.metadata ?? {}, params.metadata),
      })
    },
  },
  'DELETE /v1/invoiceitems/{id}': {
    supported: '',
    run: (account, _, id) => {
      findEditable(account, id)
      account.invoice_items.delete(id)
      return { id, object: 'invoiceitem', deleted: true }
    },
  },
}

/** Returns a preview of the invoice for the next renewal (docs.stripe.com/api/invoices/create_preview). */
function previewInvoice(account: StripeAccount, params: Stripe.InvoiceCreatePreviewParams): Stripe.Invoice {
  const id = requireParam(params.subscription, 'subscription')
  const subscription = findResource(account.subscriptions, 'subscription', id, 'subscription')
  const time = renewalOf(subscription)
  const isEnding = subscription.cancel_at !== null && subscription.cancel_at <= time
  // See docs.stripe.com/error-codes#invoice-upcoming-none.
  if (!isRunning(subscription) || isEnding)
    throw new StripeFailure(404, { type: 'invalid_request_error', code: 'invoice_upcoming_none', message: 'None.' })
  const draft = {
    lines: findNextLines(account, subscription, time).lines,
    pending: findPendingItems(account, subscription),
  }
  const preview = composeInvoice(account, subscription, draft, account.createId('upcoming_in'))
  const { data } = preview.lines
  // Invoices contain the first ten lines (docs.stripe.com/api/invoices/object#invoice_object-lines).
  const firstLines = { ...preview.lines, data: data.slice(0, 10), has_more: data.length > 10 }
  return { ...preview, lines: firstLines, created: time }
}

/**
 * Returns an invoice item that can be changed or deleted. Unlike Stripe, also throws for an item on a draft invoice
 * (docs.stripe.com/api/invoiceitems/delete).
 */
function findEditable(account: StripeAccount, id: string): Stripe.InvoiceItem {
  const item = findResource(account.invoice_items, 'invoiceitem', id)
  if (item.invoice !== null)
    throw createInvalidRequest('The invoice is no longer editable.', undefined, 'invoice_not_editable')
  return item
}

function createInvoiceItem(account: StripeAccount, params: Stripe.InvoiceItemCreateParams): Stripe.InvoiceItem {
  const customer = findResource(account.customers, 'customer', requireParam(params.customer, 'customer'), 'customer').id
  const subscription = findOwner(account, params.subscription)
  const price_data = requireParam(params.price_data, 'price_data')
  const { currency } = price_data
  const { description = null, quantity = 1 } = params
  const pricing = createPricing(account, price_data)
  return save(account.invoice_items, {
    object: 'invoiceitem',
    id: account.createId('ii'),
    amount: Math.round(Number(pricing.unit_amount_decimal) * quantity),
    ...{ currency, customer, description, quantity, pricing },
    date: account.now(),
    invoice: null,
    proration: false,
    discounts: applyDiscounts(account, { customer, id: subscription?.id ?? '', discounts: [] }, params.discounts),
    metadata: changeMetadata({}, params.metadata),
    parent: subscription
      ? { subscription_details: { subscription: subscription.id }, type: 'subscription_details' }
      : null,
    tax_rates: findTaxRates(account, params.tax_rates ?? []),
  })
}

/**
 * Creates the price of an invoice item from `price_data`. The price is inactive, so lists of active prices omit it
 * (docs.stripe.com/products-prices/manage-prices).
 */
function createPricing(
  account: StripeAccount,
  data: Stripe.InvoiceItemCreateParams.PriceData,
): Stripe.InvoiceItem.Pricing {
  const { id, product, unit_amount_decimal } = createPrice(account, { ...data, active: false }, 'price_data[product]')
  return { price_details: { price: id, product: idOf(product) }, type: 'price_details', unit_amount_decimal }
}

function findOwner(account: StripeAccount, id: string | undefined): Stripe.Subscription | undefined {
  if (id === undefined) return undefined
  const found = findResource(account.subscriptions, 'subscription', id, 'subscription')
  if (found.status === 'canceled')
    throw createInvalidRequest('You cannot add an invoice item to a subscription that is canceled.', 'subscription')
  return found
}
