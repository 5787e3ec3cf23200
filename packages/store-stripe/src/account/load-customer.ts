import type { Stripe } from 'stripe'
import { readMarks } from './mark.ts'
import { StoreError } from '@storeport/core'
import type { CustomerAccount, Subscription } from '@storeport/rules'
import type { Session } from '../stripe/session.ts'
import { replacesKey, type StripeCustomer, toAccount } from './to-account.ts'
import { unsupportedReason } from './unsupported.ts'

/** The Stripe objects of a customer, and the account derived from them. */
export interface LoadedCustomer extends StripeCustomer {
  /** Account in the format of `@storeport/rules`. Item ids are Stripe ids of subscription items or invoice items. */
  readonly account: CustomerAccount
}

/** Fields to expand, for which a restricted key needs permissions as well. Stripe expands at most four levels. */
export const expands = {
  customers: ['data.subscriptions'],
  subscriptions: ['data.discounts', 'data.items.data.discounts'],
  invoiceItems: ['data.discounts'],
}

/** What to load: the `current` subscriptions, `all`, or `marked`: also the latest 100 invoice items, which can contain marks. */
type Scope = 'current' | 'all' | 'marked'

/** Loads a customer. Throws StoreError `customer_not_found` if the customer does not exist. */
export async function loadCustomer(...call: Parameters<typeof findCustomer>): Promise<LoadedCustomer> {
  const loaded = await findCustomer(...call)
  if (loaded === undefined) throw new StoreError('customer_not_found')
  return loaded
}

/**
 * Loads the customers with an email, if any. Lists the customers for the email as sent and in lower case, because the filter is
 * case-sensitive. If none of them has a subscription, also runs a case-insensitive search, which can miss a customer created in the last
 * minute.
 */
export async function findCustomer(session: Session, email: string, scope: Scope): Promise<LoadedCustomer | undefined> {
  const { stripe, read } = session
  const wanted = email.trim()
  const spellings = [...new Set([wanted, wanted.toLowerCase()])]
  const page = { limit: 100, ...(scope === 'current' && { expand: expands.customers }) }
  const lists = await Promise.all(
    spellings.map((spelling) => read((options) => stripe.customers.list({ email: spelling, ...page }, options))),
  )
  const isWanted = (customer: Stripe.Customer) => customer.email?.toLowerCase() === wanted.toLowerCase()
  const listed = lists.flatMap(({ data }) => data).filter(isWanted)
  const loaded = await load(session, listed, scope)
  const isSufficient = ({ status }: Subscription) => status === 'active' || scope === 'all'
  if (loaded?.account.subscriptions.some(isSufficient)) return loaded
  const query = `email:"${wanted.replaceAll(/["\\]/g, String.raw`\$&`)}"`
  const { data } = await read((options) => stripe.customers.search({ query, ...page }, options))
  const others = data.filter((customer) => isWanted(customer) && !listed.some(({ id }) => id === customer.id))
  return others.length === 0 ? loaded : load(session, [...listed, ...others], scope)
}

async function load(
  session: Session,
  found: readonly Stripe.Customer[],
  scope: Scope,
): Promise<LoadedCustomer | undefined> {
  const [first, ...others] = new Map(found.map((customer) => [customer.id, customer])).values()
  if (first === undefined) return undefined
  const customers = [first, ...others] as const
  const loaded = await Promise.all(
    customers.map((customer) =>
      Promise.all([
        loadSubscriptions(session, customer, scope),
        scope === 'marked' ? loadInvoiceItems(session, customer) : [],
      ]),
    ),
  )
  const { stripeCurrency: currency } = session
  const all = loaded.flatMap(([own]) => own)
  const replaced = new Set(all.map(({ metadata }) => metadata[replacesKey] ?? ''))
  const subscriptions = all.filter((one) => !replaced.has(one.id) && unsupportedReason(one, currency) === undefined)
  const invoiceItems = loaded.flatMap(([, own]) => own).filter((item) => item.currency === currency)
  // A repeat of a click is recognized even if the subscription is no longer supported.
  const marks = [...customers, ...all, ...invoiceItems].flatMap(readMarks)
  const objects = { customers, subscriptions, replaced, invoiceItems, marks }
  return { ...objects, account: toAccount(objects, session) }
}

async function loadSubscriptions(
  { stripe, readAll }: Session,
  { id: customer, subscriptions }: Stripe.Customer,
  scope: Scope,
): Promise<readonly Stripe.Subscription[]> {
  // An expanded customer contains at most ten subscriptions.
  if (scope === 'current' && subscriptions?.has_more === false) return subscriptions.data
  return readAll((options) =>
    stripe.subscriptions.list({ customer, status: 'all', limit: 100, expand: expands.subscriptions }, options),
  )
}

async function loadInvoiceItems({ stripe, read }: Session, { id: customer }: Stripe.Customer) {
  const expand = expands.invoiceItems
  const { data } = await read((options) => stripe.invoiceItems.list({ customer, limit: 100, expand }, options))
  // Stripe lists the newest invoice items first.
  return data.toReversed()
}
