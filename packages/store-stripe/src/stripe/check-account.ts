import { isStoreError } from '@storeport/core'
import { findUnsupported } from './findings.ts'
import { expands } from '../account/load-customer.ts'
import { couponDetails } from '../shop/find-promotion-code.ts'
import { offeredPrices } from '../shop/read-products.ts'
import { type Settings, StripeSettingsError } from './settings.ts'
import { openSession, type Session } from './session.ts'

/** Checks read access and prices. Rejects with StripeSettingsError for unusable settings, and with StoreError for other failures. */
export async function checkAccount(settings: Settings): Promise<readonly string[]> {
  const { stripe, stripeCurrency: currency } = settings
  const session = openSession(settings, { signal: new AbortController().signal })
  try {
    const [prices, subscriptions] = await Promise.all([
      session.readAll((options) => stripe.prices.list({ ...offeredPrices, currency }, options)),
      session.readAll((options) =>
        stripe.subscriptions.list({ status: 'all', limit: 100, expand: expands.subscriptions }, options),
      ),
      ...checkPermissions(session),
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
function checkPermissions({ stripe, read }: Session): Promise<unknown>[] {
  const owner = { customer: missing, subscription: missing }
  const changes = [
    read((options) => stripe.invoices.createPreview(owner, options)),
    read((options) => stripe.customers.update(missing, {}, options)),
    read((options) => stripe.subscriptions.update(missing, {}, options)),
    read((options) => stripe.invoiceItems.update(missing, {}, options)),
  ]
  return [
    read((options) => stripe.customers.list({ limit: 1, expand: expands.customers }, options)),
    read((options) => stripe.invoices.list({ limit: 1 }, options)),
    read((options) => stripe.products.list({ limit: 1 }, options)),
    read((options) => stripe.invoiceItems.list({ limit: 1, expand: expands.invoiceItems }, options)),
    read((options) => stripe.promotionCodes.list({ limit: 1, expand: couponDetails }, options)),
    ...changes.map((change) => change.catch(ignoreMissing)),
  ]
}

/** Id for which no object exists. */
const missing = 'storeport_missing'

function ignoreMissing(error: unknown): void {
  const isMissing = isStoreError(error) && Object(error.cause).code === 'RESOURCE_MISSING'
  if (!isMissing) throw error
}
