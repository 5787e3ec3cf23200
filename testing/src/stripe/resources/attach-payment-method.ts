import type { Stripe } from 'stripe'
import { createResource } from '../create-resource.ts'
import { findResource, save, type StripeAccount } from '../stripe-account.ts'
import { createInvalidRequest } from '../stripe-failure.ts'

/** Last four digits of the test cards (docs.stripe.com/testing). */
const testCards: Readonly<Record<string, string>> = {
  pm_card_visa: '4242',
  // "Attaching this card to a Customer object succeeds, but attempts to charge the customer fail."
  pm_card_chargeCustomerFail: '0341',
}

/** Attaches a payment method to a customer. If `id` is the name of a test card, creates the payment method first. */
export function attachPaymentMethod(account: StripeAccount, id: string, customer: string): Stripe.PaymentMethod {
  findResource(account.customers, 'customer', customer, 'customer')
  const last4 = testCards[id]
  const method =
    last4 === undefined ? findResource(account.payment_methods, 'PaymentMethod', id) : createCard(account, last4)
  if (method.customer !== null && method.customer !== customer)
    throw createInvalidRequest('The payment method you provided has already been attached to a customer.')
  return save(account.payment_methods, { ...method, customer })
}

/** Whether payments with a payment method are declined. */
export function isDeclining(method: Stripe.PaymentMethod): boolean {
  return method.card?.last4 === testCards['pm_card_chargeCustomerFail']
}

function createCard(account: StripeAccount, last4: string): Stripe.PaymentMethod {
  return createResource('PaymentMethod', {
    id: account.createId('pm'),
    card: {
      brand: 'visa',
      checks: null,
      country: 'US',
      display_brand: 'visa',
      exp_month: 12,
      exp_year: 2099,
      fingerprint: last4,
      funding: 'credit',
      generated_from: null,
      last4,
      networks: null,
      regulated_status: 'unregulated',
      three_d_secure_usage: null,
      wallet: null,
    },
    created: account.now(),
    type: 'card',
  })
}
