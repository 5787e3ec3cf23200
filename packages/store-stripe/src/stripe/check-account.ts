import { isStoreError } from '@storeport/core'
import { findUnsupported } from './findings.ts'
import { expands } from '../account/load-customer.ts'
import { couponDetails } from '../shop/find-promotion-code.ts'
import { type Settings, StripeSettingsError } from './settings.ts'
import { createStripeRequests, type StripeRequests } from './stripe-requests.ts'

/** Checks read access and prices. Rejects with StripeSettingsError for unusable settings, and with StoreError for other failures. */
export async function checkAccount(settings: Settings): Promise<readonly string[]> {
  const { stripe, stripeCurrency: currency } = settings
  const requests = createStripeRequests(settings, { signal: new AbortController().signal })
  try {
    const [prices, subscriptions] = await Promise.all([
      requests.readAll((options) =>
        stripe.prices.list(
          { active: true, type: 'recurring', currency, limit: 100, expand: ['data.product'] },
          options,
        ),
      ),
      requests.readAll((options) => stripe.subscriptions.list({ limit: 100, expand: expands.subscriptions }, options)),
      ...checkPermissions(settings, requests),
    ])
    const [usable, ...others] = (await findUnsupported(prices, subscriptions, currency)).slice(0, 3)
    if (usable && usable.supported > 0)
      return [usable, ...others].flatMap(({ kind, lines }) => lines.map((line) => `${kind} not supported: ${line}`))
  } catch (error) {
    throw isStoreError(error) && error.cause instanceof StripeSettingsError ? error.cause : error
  }
  throw new StripeSettingsError(
    'STRIPE_NO_PRICES',
    `The Stripe account has no active recurring price in ${settings.currency}. Create a price for each product, or set the currency option.`,
  )
}

/** Checks the access to each kind of object. Changes of an object that does not exist show whether the key can write. */
function checkPermissions({ stripe }: Settings, requests: StripeRequests): Promise<unknown>[] {
  return [
    requests.read((options) => stripe.customers.list({ limit: 1, expand: expands.customers }, options)),
    requests.read((options) => stripe.invoices.list({ limit: 1 }, options)),
    requests.read((options) => stripe.products.list({ limit: 1 }, options)),
    requests.read((options) => stripe.invoiceItems.list({ limit: 1, expand: expands.invoiceItems }, options)),
    requests.read((options) => stripe.promotionCodes.list({ limit: 1, expand: couponDetails }, options)),
    requests
      .read((options) => stripe.invoices.createPreview({ customer: missing, subscription: missing }, options))
      .catch(ignoreMissing),
    requests.read((options) => stripe.customers.update(missing, {}, options)).catch(ignoreMissing),
    requests.read((options) => stripe.subscriptions.update(missing, {}, options)).catch(ignoreMissing),
    requests.read((options) => stripe.invoiceItems.update(missing, {}, options)).catch(ignoreMissing),
  ]
}

/** Id for which no object exists. */
const missing = 'storeport_missing'

function ignoreMissing(error: unknown): void {
  const isMissing = isStoreError(error) && Object(error.cause).code === 'RESOURCE_MISSING'
  if (!isMissing) throw error
}
