import { isStoreError } from '@storeport/core'
import type { Settings } from '../read-options.ts'
import { StripeSettingsError } from '../stripe-settings-error.ts'
import { type Asking, askStripe } from './ask-stripe.ts'

/** Reads one of each thing that the operations read; rejects with StripeSettingsError for a key or an account that will not do, and with StoreError when Stripe is away. */
export async function checkAccount(settings: Settings): Promise<void> {
  const { stripe, stripeCurrency: currency } = settings
  const asking = askStripe(settings, { signal: new AbortController().signal })
  try {
    const [{ data }] = await Promise.all([
      asking.read((options) => stripe.prices.list({ active: true, type: 'recurring', currency, limit: 1 }, options)),
      ...readRights(settings, asking),
    ])
    if (data.length > 0) return
  } catch (error) {
    throw isStoreError(error) && error.cause instanceof StripeSettingsError ? error.cause : error
  }
  throw new StripeSettingsError(
    'STRIPE_NO_PRICES',
    `The account of Stripe has no active recurring price in ${settings.currency}: make one for each product, or set the option currency.`,
  )
}

/** Whether the key may read everything; what it may write is found out by the first click. */
function readRights({ stripe }: Settings, asking: Asking): Promise<unknown>[] {
  return [
    asking.read((options) => stripe.customers.list({ limit: 1 }, options)),
    asking.read((options) => stripe.subscriptions.list({ limit: 1 }, options)),
    asking.read((options) => stripe.products.list({ limit: 1 }, options)),
    asking.read((options) => stripe.invoiceItems.list({ limit: 1 }, options)),
    asking.read((options) => stripe.promotionCodes.list({ limit: 1 }, options)),
  ]
}
