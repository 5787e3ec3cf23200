import type { Stripe } from 'stripe'
import { findResource, type StripeAccount } from '../stripe-account.ts'
import { createDecline, createInvalidRequest } from '../stripe-failure.ts'

/** The test cards of docs.stripe.com/testing by the last digits of their numbers. */
const testCards: Readonly<Record<string, string>> = {
  pm_card_visa: '4242',
  // "Attaching this card to a Customer object succeeds, but attempts to charge the customer fail."
  pm_card_chargeCustomerFail: '0341',
}
/** "The cards can't be attached to a Customer object": docs.stripe.com/testing#declined-payments. */
const declinedCards = ['pm_card_chargeDeclined', 'pm_card_visa_chargeDeclined']

/** Attaches a payment method; the name of a test card makes one. Throws `card_declined` where the bank refuses the card. */
export function attachPaymentMethod(account: StripeAccount, id: string, customer: string): Stripe.PaymentMethod {
  findResource(account.customers, 'customer', customer, 'customer')
  if (declinedCards.includes(id)) throw createDecline()
  const last4 = testCards[id]
  const method =
    last4 === undefined ? findResource(account.payment_methods, 'PaymentMethod', id) : makeCard(account, last4)
  if (method.customer !== null && method.customer !== customer)
    throw createInvalidRequest('The payment method you provided has already been attached to a customer.')
  const attached = { ...method, customer }
  account.payment_methods.set(attached.id, attached)
  return attached
}

/** Whether payments with a payment method are declined. */
export function isDeclining(method: Stripe.PaymentMethod): boolean {
  return method.card?.last4 === testCards['pm_card_chargeCustomerFail']
}

function makeCard(account: StripeAccount, last4: string): Stripe.PaymentMethod {
  return {
    id: account.createId('pm'),
    object: 'payment_method',
    allow_redisplay: 'unspecified',
    billing_details: { address: null, email: null, name: null, phone: null, tax_id: null },
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
      networks: { available: ['visa'], preferred: null },
      regulated_status: 'unregulated',
      three_d_secure_usage: { supported: true },
      wallet: null,
    },
    created: account.now(),
    customer: null,
    customer_account: null,
    livemode: false,
    metadata: {},
    type: 'card',
  }
}
