import type { Stripe } from 'stripe'
import type { LoadedCustomer } from '../account/load-customer.ts'
import { customerOf } from './require-payment.ts'
import { idOf, pendingProduct } from '../account/to-account.ts'
import type { Settings } from '../read-options.ts'
import type { Asking } from '../stripe/ask-stripe.ts'

/** What lowers and raises the next order besides its lines. */
export interface NextCosts {
  /** What all discounts take off, in minor units. */
  readonly order_discount_minor: number
  /** Tax rate as a decimal. */
  readonly tax_rate: number
}

/** Asks what the next order will cost: Stripe works it out, where anything but the prices of the lines goes into it. */
export async function readNextCosts(
  { stripe }: Settings,
  asking: Asking,
  held: Stripe.Subscription,
  { customers, invoiceItems }: LoadedCustomer,
): Promise<NextCosts> {
  const rates = (held.default_tax_rates ?? []).filter(({ inclusive }) => !inclusive)
  const fixedRate = rates.reduce((sum, { percentage }) => sum + percentage, 0) / 100
  const hasDiscounts = [held, ...held.items.data, ...invoiceItems.filter(pendingProduct)].some(
    ({ discounts }) => (discounts ?? []).length > 0,
  )
  const isLowered = hasDiscounts || Boolean(customerOf(held, customers)?.discount)
  if (!isLowered && !held.automatic_tax.enabled) return { order_discount_minor: 0, tax_rate: fixedRate }
  const preview = await asking.read((options) =>
    stripe.invoices.createPreview({ customer: idOf(held.customer), subscription: held.id }, options),
  )
  const order_discount_minor = (preview.total_discount_amounts ?? []).reduce((sum, { amount }) => sum + amount, 0)
  return { order_discount_minor, tax_rate: held.automatic_tax.enabled ? taxRateOf(preview) : fixedRate }
}

/** The part of the untaxed total that is added as tax, to four decimals. */
function taxRateOf({ total_taxes, total_excluding_tax }: Stripe.Invoice): number {
  const added = (total_taxes ?? []).filter(({ tax_behavior }) => tax_behavior === 'exclusive')
  const amount = added.reduce((sum, tax) => sum + tax.amount, 0)
  const untaxed = total_excluding_tax ?? 0
  return untaxed > 0 ? Math.round((amount / untaxed) * 10_000) / 10_000 : 0
}
