import type { Stripe } from 'stripe'
import { applyDiscounts } from '../billing/apply-discounts.ts'
import { findTaxRates } from '../billing/change-items.ts'
import { changeMetadata } from '../change-metadata.ts'
import { listPage, matches } from '../list-page.ts'
import { createResource, findResource, idOf, save, type StripeAccount } from '../stripe-account.ts'
import { createInvalidRequest, requireParam } from '../stripe-failure.ts'
import type { Handlers } from '../stripe-requests.ts'
import { createPrice } from './handle-prices.ts'

/** Invoice items (docs.stripe.com/api/invoiceitems). */
export const invoiceItemHandlers = {
  'GET /v1/invoiceitems': (account, params) =>
    listPage('/v1/invoiceitems', account.invoice_items, params, ({ customer, invoice }) =>
      matches(params, { customer, pending: invoice === null }),
    ),
  'POST /v1/invoiceitems': createInvoiceItem,
  'POST /v1/invoiceitems/{id}': (account, params, id) => {
    const before = findEditable(account, id)
    const quantity = params.quantity ?? before.quantity
    const pricing = params.price_data === undefined ? before.pricing : createPricing(account, params.price_data)
    const subscription = before.parent?.subscription_details?.subscription ?? ''
    const owner = { customer: before.customer, id: subscription, discounts: before.discounts ?? [] }
    const after: Stripe.InvoiceItem = {
      ...before,
      amount: Math.round(Number(pricing?.unit_amount_decimal ?? 0) * quantity),
      discounts: applyDiscounts(account, owner, params.discounts),
      description: params.description ?? before.description,
      metadata: changeMetadata(before.metadata ?? {}, params.metadata),
      pricing,
      quantity,
    }
    return save(account.invoice_items, after)
  },
  'DELETE /v1/invoiceitems/{id}': (account, _, id) => {
    findEditable(account, id)
    account.invoice_items.delete(id)
    return { id, object: 'invoiceitem', deleted: true }
  },
} satisfies Partial<Handlers>

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
  const subscription = findOwner(account, params.subscription, customer)
  if (params.price_data === undefined)
    throw createInvalidRequest('You must pass one of amount, pricing or price_data.', 'amount', 'parameter_missing')
  const { currency } = params.price_data
  // Requires the subscription's currency (docs.stripe.com/api/invoiceitems/create#create_invoiceitem-currency).
  if (subscription !== undefined && subscription.currency !== currency)
    throw createInvalidRequest(`You must pass ${subscription.currency}, the currency of the subscription.`, 'currency')
  const now = account.now()
  const quantity = params.quantity ?? 1
  const pricing = createPricing(account, params.price_data)
  const item = createResource<Stripe.InvoiceItem>({
    object: 'invoiceitem',
    id: account.createId('ii'),
    amount: Math.round(Number(pricing.unit_amount_decimal) * quantity),
    currency,
    customer,
    date: now,
    description: params.description ?? null,
    invoice: null,
    proration: false,
    discounts: applyDiscounts(account, { customer, id: subscription?.id ?? '', discounts: [] }, params.discounts),
    metadata: changeMetadata({}, params.metadata),
    parent:
      subscription === undefined
        ? null
        : { subscription_details: { subscription: subscription.id }, type: 'subscription_details' },
    pricing,
    tax_rates: findTaxRates(account, params.tax_rates ?? []),
    quantity,
  })
  return save(account.invoice_items, item)
}

/**
 * Creates the price of an invoice item from `price_data`. The price is inactive, so lists of active prices omit it
 * (docs.stripe.com/products-prices/manage-prices).
 */
function createPricing(
  account: StripeAccount,
  data: Stripe.InvoiceItemCreateParams.PriceData,
): Stripe.InvoiceItem.Pricing {
  const price = createPrice(account, { ...data, active: false }, 'price_data[product]')
  return {
    price_details: { price: price.id, product: idOf(price.product) },
    type: 'price_details',
    unit_amount_decimal: price.unit_amount_decimal,
  }
}

function findOwner(account: StripeAccount, id: string | undefined, customer: string): Stripe.Subscription | undefined {
  if (id === undefined) return undefined
  const found = findResource(account.subscriptions, 'subscription', id, 'subscription')
  if (found.customer !== customer)
    throw createInvalidRequest('The subscription belongs to another customer.', 'subscription')
  if (found.status === 'canceled')
    throw createInvalidRequest('You cannot add an invoice item to a subscription that is canceled.', 'subscription')
  return found
}
