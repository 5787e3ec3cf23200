import type { Stripe } from 'stripe'
import { changeMetadata } from '../change-metadata.ts'
import { isInRange, listPage, newestFirst } from '../list-page.ts'
import { findResource, type StripeAccount } from '../stripe-account.ts'
import { createInvalidRequest, createMissing } from '../stripe-failure.ts'
import type { Handlers } from '../stripe-handlers.ts'
import { attachPaymentMethod } from './attach-payment-method.ts'

/** Customers (docs.stripe.com/api/customers) and their payment methods (docs.stripe.com/api/payment_methods/attach). */
export const customerHandlers = {
  'GET /v1/customers': (account, params) =>
    listPage(
      '/v1/customers',
      newestFirst(account.customers).filter(
        // "A case-sensitive filter on the list based on the customer's email field" (docs.stripe.com/api/customers/list).
        ({ email, created }) =>
          (params.email === undefined || email === params.email) && isInRange(created, params.created),
      ),
      params,
    ),
  'GET /v1/customers/{id}': (account, _, id) => findResource(account.customers, 'customer', id),
  'POST /v1/customers': createCustomer,
  'POST /v1/customers/{id}': updateCustomer,
  'POST /v1/payment_methods/{id}/attach': (account, params, id) => {
    if (params.customer === undefined)
      throw createInvalidRequest('Missing required param: customer.', 'customer', 'parameter_missing')
    return attachPaymentMethod(account, id, params.customer)
  },
} satisfies Partial<Handlers>

function createCustomer(account: StripeAccount, params: Stripe.CustomerCreateParams): Stripe.Customer {
  const customer: Stripe.Customer = {
    id: account.createId('cus'),
    object: 'customer',
    address: null,
    balance: params.balance ?? 0,
    created: account.now(),
    // "If not set, the first time that the customer is billed" (docs.stripe.com/api/customers/object#customer_object-currency).
    currency: null,
    default_source: null,
    delinquent: false,
    description: params.description ?? null,
    email: params.email ?? null,
    invoice_settings: { custom_fields: null, default_payment_method: null, footer: null, rendering_options: null },
    livemode: false,
    metadata: changeMetadata({}, params.metadata),
    name: params.name ?? null,
    phone: params.phone ?? null,
    preferred_locales: [],
    shipping: null,
    tax_exempt: 'none',
    test_clock: null,
  }
  account.customers.set(customer.id, customer)
  if (params.payment_method === undefined) return setDefault(account, customer, params.invoice_settings)
  const method = attachPaymentMethod(account, params.payment_method, customer.id)
  const chosen = params.invoice_settings?.default_payment_method
  // The name of a test card stands for the payment method that attaching it made.
  return setDefault(
    account,
    customer,
    chosen === params.payment_method ? { default_payment_method: method.id } : params.invoice_settings,
  )
}

function updateCustomer(account: StripeAccount, params: Stripe.CustomerUpdateParams, id: string): Stripe.Customer {
  const before = findResource(account.customers, 'customer', id)
  const after: Stripe.Customer = {
    ...before,
    balance: params.balance ?? before.balance,
    description: params.description ?? before.description,
    email: params.email ?? before.email,
    metadata: changeMetadata(before.metadata, params.metadata),
    name: params.name ?? before.name ?? null,
    phone: params.phone ?? before.phone ?? null,
  }
  return setDefault(account, after, params.invoice_settings)
}

function setDefault(
  account: StripeAccount,
  customer: Stripe.Customer,
  settings: { readonly default_payment_method?: string } | undefined,
): Stripe.Customer {
  const chosen = settings?.default_payment_method
  // It must be attached to the customer (docs.stripe.com/api/customers/update).
  if (chosen !== undefined && chosen !== '' && account.payment_methods.get(chosen)?.customer !== customer.id)
    throw createMissing('PaymentMethod', chosen, 'invoice_settings[default_payment_method]')
  const default_payment_method =
    chosen === undefined ? customer.invoice_settings.default_payment_method : chosen || null
  const after = { ...customer, invoice_settings: { ...customer.invoice_settings, default_payment_method } }
  account.customers.set(customer.id, after)
  return after
}
