import { Stripe } from 'stripe'
import { applyDiscounts } from '../billing/apply-discounts.ts'
import { changeMetadata } from '../change-metadata.ts'
import { isInRange, listPage, newestFirst } from '../list-page.ts'
import { findResource, idOf, type StripeAccount } from '../stripe-account.ts'
import { createInvalidRequest } from '../stripe-failure.ts'
import type { Handlers } from '../stripe-handlers.ts'
import { createPrice } from './handle-prices.ts'

/** Invoice items (docs.stripe.com/api/invoiceitems): what the next invoice bills once. */
export const invoiceItemHandlers = {
  'GET /v1/invoiceitems': (account, params) =>
    listPage(
      '/v1/invoiceitems',
      newestFirst(account.invoice_items).filter(
        (item) =>
          (params.customer === undefined || item.customer === params.customer) &&
          (params.invoice === undefined || item.invoice === params.invoice) &&
          (params.pending === undefined || (item.invoice === null) === params.pending) &&
          isInRange(item.date, params.created),
      ),
      params,
    ),
  'GET /v1/invoiceitems/{id}': (account, _, id) => findResource(account.invoice_items, 'invoiceitem', id),
  'POST /v1/invoiceitems': createInvoiceItem,
  'POST /v1/invoiceitems/{id}': (account, params, id) => {
    const before = findEditable(account, id)
    const quantity = params.quantity ?? before.quantity
    const pricing = toPricing(choosePrice(account, params)) ?? before.pricing
    const unit = Number(pricing?.unit_amount_decimal ?? 0)
    const isCounted = params.quantity !== undefined || params.price_data !== undefined
    const after: Stripe.InvoiceItem = {
      ...before,
      amount: params.amount ?? (isCounted ? unit * quantity : before.amount),
      discounts: applyDiscounts(account, { ...ownerOf(before), discounts: before.discounts ?? [] }, params.discounts),
      description: params.description ?? before.description,
      metadata: changeMetadata(before.metadata ?? {}, params.metadata),
      pricing,
      quantity,
      quantity_decimal: Stripe.Decimal.from(quantity),
    }
    account.invoice_items.set(id, after)
    return after
  },
  'DELETE /v1/invoiceitems/{id}': (account, _, id) => {
    findEditable(account, id)
    account.invoice_items.delete(id)
    return { id, object: 'invoiceitem', deleted: true }
  },
} satisfies Partial<Handlers>

/** "Deleting invoice items is only possible when they're not attached to invoices, or if it's attached to a draft invoice" (docs.stripe.com/api/invoiceitems/delete); those of a draft are left alone here. */
function findEditable(account: StripeAccount, id: string): Stripe.InvoiceItem {
  const item = findResource(account.invoice_items, 'invoiceitem', id)
  if (item.invoice !== null)
    throw createInvalidRequest(
      'This invoice item is attached to an invoice that is no longer editable.',
      undefined,
      'invoice_not_editable',
    )
  return item
}

function createInvoiceItem(account: StripeAccount, params: Stripe.InvoiceItemCreateParams): Stripe.InvoiceItem {
  if (params.customer === undefined)
    throw createInvalidRequest('Missing required param: customer.', 'customer', 'parameter_missing')
  const customer = findResource(account.customers, 'customer', params.customer, 'customer').id
  const subscription = findOwner(account, params.subscription, customer)
  const price = choosePrice(account, params)
  const currency = price?.currency ?? params.currency
  if (currency === undefined)
    throw createInvalidRequest('Missing required param: currency.', 'currency', 'parameter_missing')
  if (price === undefined && params.amount === undefined)
    throw createInvalidRequest('You must pass one of amount, pricing or price_data.', 'amount', 'parameter_missing')
  // The invoice that takes it up is in the subscription's currency (docs.stripe.com/api/invoiceitems/create#create_invoiceitem-currency).
  if (subscription !== undefined && subscription.currency !== currency)
    throw createInvalidRequest(`You must pass ${subscription.currency}, the currency of the subscription.`, 'currency')
  const now = account.now()
  const quantity = params.quantity ?? 1
  const unit = price?.unit_amount ?? params.amount ?? 0
  const item: Stripe.InvoiceItem = {
    id: account.createId('ii'),
    object: 'invoiceitem',
    amount: unit * quantity,
    currency,
    customer,
    customer_account: null,
    date: now,
    description: params.description ?? null,
    discountable: params.discountable ?? true,
    discounts: applyDiscounts(account, { customer, id: subscription?.id ?? '', discounts: [] }, params.discounts),
    invoice: null,
    livemode: false,
    metadata: changeMetadata({}, params.metadata),
    parent:
      subscription === undefined
        ? null
        : { subscription_details: { subscription: subscription.id }, type: 'subscription_details' },
    period: params.period ?? { start: now, end: now },
    pricing: toPricing(price) ?? null,
    proration: false,
    quantity,
    quantity_decimal: Stripe.Decimal.from(quantity),
    tax_rates: [],
    test_clock: null,
  }
  account.invoice_items.set(item.id, item)
  return item
}

/** Whom an invoice item, and what it is discounted by, belongs to. */
function ownerOf({ customer, parent }: Stripe.InvoiceItem) {
  return { customer: idOf(customer), id: parent?.subscription_details?.subscription ?? '' }
}

function toPricing(price: Stripe.Price | undefined): Stripe.InvoiceItem.Pricing | undefined {
  return (
    price && {
      price_details: { price: price.id, product: idOf(price.product) },
      type: 'price_details',
      unit_amount_decimal: price.unit_amount_decimal,
    }
  )
}

function choosePrice(
  account: StripeAccount,
  params: Pick<Stripe.InvoiceItemCreateParams, 'price_data' | 'pricing'>,
): Stripe.Price | undefined {
  if (params.price_data !== undefined) {
    const price = createPrice(account, params.price_data, 'price_data')
    // "Data used to generate a new Price object inline": such a price is not active, and no list of active ones has it
    // (docs.stripe.com/products-prices/manage-prices).
    account.prices.set(price.id, { ...price, active: false })
    return price
  }
  const id = params.pricing?.price
  if (id === undefined) return undefined
  const price = findResource(account.prices, 'price', id, 'pricing[price]')
  if (price.type === 'recurring')
    throw createInvalidRequest(
      'The price specified is set to `type=recurring` but this field only accepts prices with `type=one_time`.',
      'pricing[price]',
    )
  return price
}

function findOwner(account: StripeAccount, id: string | undefined, customer: string): Stripe.Subscription | undefined {
  if (id === undefined) return undefined
  const found = findResource(account.subscriptions, 'subscription', id, 'subscription')
  if (found.customer !== customer)
    throw createInvalidRequest('The subscription is of another customer.', 'subscription')
  if (['canceled', 'incomplete_expired'].includes(found.status))
    throw createInvalidRequest('You cannot add an invoice item to a subscription that is canceled.', 'subscription')
  return found
}
