import type { Stripe } from 'stripe'
import { readMarks } from './mark.ts'
import { StoreError } from '@storeport/core'
import type { CustomerAccount } from '@storeport/rules'
import type { Settings } from '../stripe/settings.ts'
import type { Asking } from '../stripe/ask-stripe.ts'
import { type StripeCustomer, toAccount } from './to-account.ts'

/** What Stripe knows of a customer, and the account that it makes. */
export interface LoadedCustomer extends StripeCustomer {
  /** The same for the rules: ids of items are those of subscription items and invoice items. */
  readonly account: CustomerAccount
}

/** The customers whom Stripe has with an email, in the case in which it came or in lower case; its list compares exactly. */
async function findCustomers({ stripe }: Settings, asking: Asking, email: string): Promise<readonly Stripe.Customer[]> {
  const wanted = email.trim()
  const spellings = new Set([wanted, wanted.toLowerCase()])
  const found = await Promise.all(
    Array.from(spellings, (spelling) =>
      asking.read((options) => stripe.customers.list({ email: spelling, limit: 100 }, options)),
    ),
  )
  const customers = found.flatMap(({ data }) => data).filter((customer) => spellings.has(customer.email ?? ''))
  return [...new Map(customers.map((customer) => [customer.id, customer])).values()]
}

/** Loads a customer for a click or a read of what they have; throws StoreError `customer_not_found`. */
export async function loadCustomer(...call: Parameters<typeof findCustomer>): Promise<LoadedCustomer> {
  const loaded = await findCustomer(...call)
  if (loaded === undefined) throw new StoreError('customer_not_found')
  return loaded
}

/** Loads a customer, if there is one; with `settled` also the invoice items of the last invoices, which carry the marks of earlier clicks. */
export async function findCustomer(
  settings: Settings,
  asking: Asking,
  email: string,
  { settled }: { readonly settled: boolean },
): Promise<LoadedCustomer | undefined> {
  const [first, ...others] = await findCustomers(settings, asking, email)
  if (first === undefined) return undefined
  const customers = [first, ...others] as const
  const loaded = await Promise.all(customers.map(({ id }) => loadOne(settings, asking, id, settled)))
  const subscriptions = loaded.flatMap((one) => one.subscriptions)
  const invoiceItems = loaded.flatMap((one) => one.invoiceItems)
  const marks = [...customers, ...subscriptions, ...invoiceItems].flatMap(readMarks)
  const account = toAccount({ customers, subscriptions, invoiceItems, marks }, settings)
  return { customers, subscriptions, invoiceItems, marks, account }
}

async function loadOne({ stripe }: Settings, asking: Asking, customer: string, settled: boolean) {
  const [subscriptions, invoiceItems] = await Promise.all([
    asking.readAll((options) =>
      stripe.subscriptions.list(
        // Stripe expands four levels and no more: a product would be the fifth.
        { customer, status: 'all', limit: 100, expand: ['data.discounts', 'data.items.data.discounts'] },
        options,
      ),
    ),
    asking
      .read((options) =>
        stripe.invoiceItems.list(
          { customer, limit: 100, expand: ['data.discounts'], ...(!settled && { pending: true }) },
          options,
        ),
      )
      // Stripe lists the latest first.
      .then(({ data }) => data.toReversed()),
  ])
  return { subscriptions, invoiceItems }
}
