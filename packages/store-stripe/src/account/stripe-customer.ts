import type { Stripe } from 'stripe'
import type { FoundMark } from '../clicks/mark.ts'

/** What Stripe knows of the customers with an email. */
export interface StripeCustomer {
  /** The customers: Stripe may have several with one email. */
  readonly customers: readonly [Stripe.Customer, ...Stripe.Customer[]]
  /** All subscriptions of theirs, cancelled ones too. */
  readonly subscriptions: readonly Stripe.Subscription[]
  /** Invoice items of theirs, oldest first: those that wait for an invoice, and for a change also those of the last invoices. */
  readonly invoiceItems: readonly Stripe.InvoiceItem[]
  /** The marks of clicks on all of these. */
  readonly marks: readonly FoundMark[]
}
