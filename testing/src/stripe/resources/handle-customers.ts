import type { Stripe } from 'stripe'
import { type Handlers, list } from '../handler.ts'
import { changeMetadata, findResource, save, type StripeAccount } from '../stripe-account.ts'
import { createInvalidRequest, createMissing, createUnsupported } from '../stripe-failure.ts'

/**
 * Customers (docs.stripe.com/api/customers), their payment methods (docs.stripe.com/api/payment_methods/attach) and test clocks
 * (docs.stripe.com/api/test_clocks). Unlike at Stripe, all test clocks show the time of the account, and advancing a test clock advances
 * the account.
 */
export const customerHandlers: Handlers = {
  // Compares emails case-sensitively (docs.stripe.com/api/customers/list).
  'GET /v1/customers': list(
    '/v1/customers',
    ({ customers }) => customers,
    'email',
    'test_clock',
    // "The response will not include customers with test clocks if this parameter is not set."
    (customer, { test_clock = null }: { readonly test_clock?: string | null }) => customer.test_clock === test_clock,
  ),
  // Compares strings case-insensitively. New and changed customers are found within a minute (docs.stripe.com/search).
  'GET /v1/customers/search': {
    supported: 'limit query',
    run: (account, { query }: Stripe.CustomerSearchParams) => {
      const wanted = /^email:"(.+)"$/.exec(query)?.[1]?.toLowerCase()
      if (wanted === undefined) throw createUnsupported(`the query ${query}`)
      const isFound = ({ created, email }: Stripe.Customer) =>
        created <= account.now() - 60 && email?.toLowerCase() === wanted
      const data = [...account.customers.values()].filter(isFound)
      return { object: 'search_result', data, has_more: false, next_page: null, url: '/v1/customers/search' }
    },
  },
  'POST /v1/customers': {
    supported: 'email invoice_settings.default_payment_method metadata payment_method test_clock',
    run: createCustomer,
  },
  'POST /v1/customers/{id}': {
    supported: 'invoice_settings.default_payment_method metadata',
    run: (account, params: Stripe.CustomerUpdateParams, id) => {
      const before = findResource(account.customers, 'customer', id)
      const metadata = changeMetadata(before.metadata, params.metadata)
      return setDefault(account, { ...before, metadata }, params.invoice_settings?.default_payment_method)
    },
  },
  'POST /v1/payment_methods/{id}/attach': {
    supported: 'customer',
    run: (account, { customer = '' }: Stripe.PaymentMethodAttachParams, id) =>
      attachPaymentMethod(account, id, customer),
  },
  'POST /v1/test_helpers/test_clocks': {
    supported: 'frozen_time name',
    run: (account, { name = '' }: Stripe.TestHelpers.TestClockCreateParams) => {
      const id = account.createId('clock')
      const time = { created: account.now(), frozen_time: account.now() }
      return save(account.test_clocks, { object: 'test_helpers.test_clock', id, ...time, name, status: 'ready' })
    },
  },
  'POST /v1/test_helpers/test_clocks/{id}/advance': {
    supported: 'frozen_time',
    run: (account, { frozen_time }: Stripe.TestHelpers.TestClockAdvanceParams, id) => {
      const clock = findResource(account.test_clocks, 'testclock', id)
      if (frozen_time <= account.now())
        throw createInvalidRequest('You can only advance a test clock to a later time.', 'frozen_time')
      account.advanceTo(frozen_time)
      return save(account.test_clocks, { ...clock, frozen_time })
    },
  },
  // Deletes the customers of the test clock and their subscriptions.
  'DELETE /v1/test_helpers/test_clocks/{id}': {
    supported: '',
    run: (account, _, id) => {
      findResource(account.test_clocks, 'testclock', id)
      account.test_clocks.delete(id)
      const own = [...account.customers.values()].filter(({ test_clock }) => test_clock === id)
      for (const customer of own) {
        account.customers.delete(customer.id)
        for (const each of account.subscriptions.values())
          if (each.customer === customer.id) account.subscriptions.delete(each.id)
      }
      return { id, object: 'test_helpers.test_clock', deleted: true }
    },
  },
}

function createCustomer(account: StripeAccount, params: Stripe.CustomerCreateParams): Stripe.Customer {
  const customer = save(account.customers, {
    object: 'customer',
    id: account.createId('cus'),
    created: account.now(),
    default_source: null,
    email: params.email ?? null,
    invoice_settings: { custom_fields: null, default_payment_method: null, footer: null, rendering_options: null },
    metadata: changeMetadata({}, params.metadata),
    test_clock: params.test_clock ?? null,
  })
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
  const method = { id: account.createId('pm'), customer, metadata: { test_card: name } }
  return save(account.payment_methods, { object: 'payment_method', ...method })
}

/** Whether payments with a payment method are declined. */
export function isDeclining({ metadata }: Stripe.PaymentMethod): boolean {
  return testCards[metadata?.['test_card'] ?? ''] === false
}
