import type { Stripe } from 'stripe'
import { readMarks } from './mark.ts'
import { StoreError } from '@storeport/core'
import type { CustomerAccount } from '@storeport/rules'
import type { Settings } from '../stripe/settings.ts'
import type { StripeRequests } from '../stripe/stripe-requests.ts'
import { type StripeCustomer, toAccount } from './to-account.ts'

/** The Stripe objects of a customer, and the account derived from them. */
export interface LoadedCustomer extends StripeCustomer {
  /** Account in the format of `@storeport/rules`. Item ids are Stripe ids of subscription items or invoice items. */
  readonly account: CustomerAccount
}

/**
 * Finds the Stripe customers with an email. Lists the customers for the email as sent and in lower case, because the filter is case-sensitive. If the
 * lists are empty, runs a case-insensitive search, which can miss a customer created in the last minute.
 */
async function findCustomers(
  { stripe }: Settings,
  requests: StripeRequests,
  email: string,
): Promise<readonly Stripe.Customer[]> {
  const wanted = email.trim()
  const spellings = new Set([wanted, wanted.toLowerCase()])
  const found = await Promise.all(
    Array.from(spellings, (spelling) =>
      requests.read((options) => stripe.customers.list({ email: spelling, limit: 100 }, options)),
    ),
  )
  const listed = found.flatMap(({ data }) => data).filter((customer) => spellings.has(customer.email ?? ''))
  const query = `email:"${wanted.replaceAll(/["\\]/g, String.raw`\$&`)}"`
  const customers =
    listed.length > 0
      ? listed
      : (await requests.read((options) => stripe.customers.search({ query, limit: 100 }, options))).data
  return [...new Map(customers.map((customer) => [customer.id, customer])).values()]
}

/** Loads a customer. Throws StoreError `customer_not_found` if the customer does not exist. */
export async function loadCustomer(...call: Parameters<typeof findCustomer>): Promise<LoadedCustomer> {
  const loaded = await findCustomer(...call)
  if (loaded === undefined) throw new StoreError('customer_not_found')
  return loaded
}

/** Loads a customer if it exists. With `settled`, includes billed invoice items, whose metadata can contain marks. */
export async function findCustomer(
  settings: Settings,
  requests: StripeRequests,
  email: string,
  { settled }: { readonly settled: boolean },
): Promise<LoadedCustomer | undefined> {
  const [first, ...others] = await findCustomers(settings, requests, email)
  if (first === undefined) return undefined
  const customers = [first, ...others] as const
  const loaded = await Promise.all(customers.map(({ id }) => loadOne(settings, requests, id, settled)))
  // Amounts in another currency would be shown and charged as amounts in the store's currency.
  const isOwn = ({ currency }: { readonly currency: string }) => currency === settings.stripeCurrency
  const subscriptions = loaded.flatMap((one) => one.subscriptions).filter(isOwn)
  const invoiceItems = loaded.flatMap((one) => one.invoiceItems).filter(isOwn)
  const marks = [...customers, ...subscriptions, ...invoiceItems].flatMap(readMarks)
  const account = toAccount({ customers, subscriptions, invoiceItems, marks }, settings)
  return { customers, subscriptions, invoiceItems, marks, account }
}

async function loadOne({ stripe }: Settings, requests: StripeRequests, customer: string, settled: boolean) {
  const [subscriptions, invoiceItems] = await Promise.all([
    requests.readAll((options) =>
      stripe.subscriptions.list(
        // Omits the product, because it would be a fifth level and Stripe expands at most four levels.
        { customer, status: 'all', limit: 100, expand: ['data.discounts', 'data.items.data.discounts'] },
        options,
      ),
    ),
    requests
      .read((options) =>
        stripe.invoiceItems.list(
          { customer, limit: 100, expand: ['data.discounts', 'data.invoice'], ...(!settled && { pending: true }) },
          options,
        ),
      )
      // Stripe lists the newest invoice items first.
      .then(({ data }) => data.toReversed()),
  ])
  return { subscriptions, invoiceItems }
}
