import type { Stripe } from 'stripe'
import { changeMetadata } from '../change-metadata.ts'
import { createResource } from '../create-resource.ts'
import { listPage, matches } from '../list-page.ts'
import { findResource, save, type StripeAccount } from '../stripe-account.ts'
import { createMissing, requireParam } from '../stripe-failure.ts'
import type { Handlers } from '../stripe-handlers.ts'
import { attachPaymentMethod } from './attach-payment-method.ts'

/** Customers (docs.stripe.com/api/customers) and their payment methods (docs.stripe.com/api/payment_methods/attach). */
export const customerHandlers = {
  // "A case-sensitive filter on the list based on the customer's email field" (docs.stripe.com/api/customers/list).
  'GET /v1/customers': (account, params) =>
    listPage('/v1/customers', account.customers, params, ({ email }) => matches(params, { email })),
  'POST /v1/customers': createCustomer,
  'POST /v1/customers/{id}': (account, params, id) => {
    const before = findResource(account.customers, 'customer', id)
    const after: Stripe.Customer = {
      ...before,
      description: params.description ?? before.description,
      email: params.email ?? before.email,
      metadata: changeMetadata(before.metadata, params.metadata),
    }
    return setDefault(account, after, params.invoice_settings?.default_payment_method)
  },
  'POST /v1/payment_methods/{id}/attach': (account, params, id) =>
    attachPaymentMethod(account, id, requireParam(params.customer, 'customer')),
} satisfies Partial<Handlers>

function createCustomer(account: StripeAccount, params: Stripe.CustomerCreateParams): Stripe.Customer {
  const customer = createResource('Customer', {
    id: account.createId('cus'),
    balance: 0,
    created: account.now(),
    email: params.email ?? null,
    metadata: changeMetadata({}, params.metadata),
  })
  account.customers.set(customer.id, customer)
  const chosen = params.invoice_settings?.default_payment_method
  if (params.payment_method === undefined) return setDefault(account, customer, chosen)
  const method = attachPaymentMethod(account, params.payment_method, customer.id)
  // If both parameters name the same test card, the card is attached only once.
  return setDefault(account, customer, chosen === params.payment_method ? method.id : chosen)
}

function setDefault(account: StripeAccount, customer: Stripe.Customer, chosen: string | undefined): Stripe.Customer {
  // The payment method must be attached to the customer (docs.stripe.com/api/customers/update).
  if (chosen && account.payment_methods.get(chosen)?.customer !== customer.id)
    throw createMissing('PaymentMethod', chosen, 'invoice_settings[default_payment_method]')
  const default_payment_method =
    chosen === undefined ? customer.invoice_settings.default_payment_method : chosen || null
  const invoice_settings = { ...customer.invoice_settings, default_payment_method }
  return save(account.customers, { ...customer, invoice_settings })
}
