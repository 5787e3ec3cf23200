import type { Stripe } from 'stripe'
import { changeMetadata } from '../change-metadata.ts'
import { listPage, matches } from '../list-page.ts'
import { createResource, findResource, save, type StripeAccount } from '../stripe-account.ts'
import { createMissing, createUnsupported, requireParam } from '../stripe-failure.ts'
import type { Handlers } from '../stripe-requests.ts'

/** Customers (docs.stripe.com/api/customers) and their payment methods (docs.stripe.com/api/payment_methods/attach). */
export const customerHandlers = {
  // Compares emails case-sensitively (docs.stripe.com/api/customers/list).
  'GET /v1/customers': (account, params) =>
    listPage('/v1/customers', account.customers, params, ({ email, test_clock }) =>
      // "The response will not include customers with test clocks if this parameter is not set."
      matches({ test_clock: null, ...params }, { email, test_clock }),
    ),
  // Compares strings case-insensitively. New and changed customers are found within a minute (docs.stripe.com/search).
  'GET /v1/customers/search': (account, { query }) => {
    const wanted = /^email:"(.+)"$/.exec(query)?.[1]?.toLowerCase()
    if (wanted === undefined) throw createUnsupported(`the query ${query}`)
    const isFound = ({ created, email }: Stripe.Customer) =>
      created <= account.now() - 60 && email?.toLowerCase() === wanted
    const data = [...account.customers.values()].filter(isFound)
    return { object: 'search_result', data, has_more: false, next_page: null, url: '/v1/customers/search' }
  },
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
  const customer = createResource<Stripe.Customer>({
    object: 'customer',
    id: account.createId('cus'),
    created: account.now(),
    default_source: null,
    email: params.email ?? null,
    invoice_settings: { custom_fields: null, default_payment_method: null, footer: null, rendering_options: null },
    metadata: changeMetadata({}, params.metadata),
    test_clock: params.test_clock ?? null,
  })
  account.customers.set(customer.id, customer)
  const { payment_method: card } = params
  const method = card === undefined ? undefined : attachPaymentMethod(account, card, customer.id).id
  const chosen = params.invoice_settings?.default_payment_method
  // If both parameters name the same test card, attaches the card only once.
  return setDefault(account, customer, chosen === card ? method : chosen)
}

function setDefault(account: StripeAccount, customer: Stripe.Customer, chosen: string | undefined): Stripe.Customer {
  // The payment method must be attached to the customer (docs.stripe.com/api/customers/update).
  if (chosen && account.payment_methods.get(chosen)?.customer !== customer.id)
    throw createMissing('PaymentMethod', chosen, 'invoice_settings[default_payment_method]')
  const { invoice_settings: before } = customer
  const invoice_settings = { ...before, default_payment_method: chosen ?? before.default_payment_method }
  return save(account.customers, { ...customer, invoice_settings })
}

/** Test cards (docs.stripe.com/testing), and whether their payments succeed. */
const testCards: Readonly<Record<string, boolean>> = {
  pm_card_visa: true,
  // "Attaching this card to a Customer object succeeds, but attempts to charge the customer fail."
  pm_card_chargeCustomerFail: false,
  // "This card requires authentication on all transactions", so off-session payments fail.
  pm_card_authenticationRequired: false,
}

/** Attaches a test card to a customer. */
function attachPaymentMethod(account: StripeAccount, name: string, customer: string): Stripe.PaymentMethod {
  findResource(account.customers, 'customer', customer, 'customer')
  if (testCards[name] === undefined) throw createMissing('PaymentMethod', name)
  const method = createResource<Stripe.PaymentMethod>({
    object: 'payment_method',
    id: account.createId('pm'),
    customer,
    metadata: { test_card: name },
  })
  return save(account.payment_methods, method)
}

/** Whether payments with a payment method are declined. */
export function isDeclining({ metadata }: Stripe.PaymentMethod): boolean {
  return testCards[metadata?.['test_card'] ?? ''] === false
}
