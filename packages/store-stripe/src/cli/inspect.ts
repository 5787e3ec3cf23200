import { collect, describeFindings, type Findings, priceProblem, subscriptionProblem } from '../account/findings.ts'
import { idOf, isFreeTrial } from '../account/to-account.ts'
import { sharedRates } from '../operations/context.ts'
import { productProblems } from '../shop/choose-price.ts'
import type { Stripe } from 'stripe'
import { type Account, connect, type Network } from './account.ts'

/** Options of `inspect`. */
interface InspectOptions {
  readonly currency: string
  /** Number of customers who receive emails; default the customers with a supported subscription. */
  readonly customers: number | undefined
  /** Number of emails to each customer in a month. */
  readonly emails: number
}

/**
 * Number of Stripe's API reads (GET requests) when a customer opens an email, by widget. The other request of `getSubscription` is a POST,
 * which Stripe does not count as a read.
 */
export const readsPerWidget = { upsells: 1, portal: 1, reactivate: 2 } as const

/** Prints which prices and subscriptions of an account the store supports, and the API reads of a month. Sends only GET requests. */
export async function inspect(
  account: Account,
  { currency, customers, emails }: InspectOptions,
  out: (line: string) => void,
): Promise<void> {
  const network: Network = { requests: 0, lost: 0 }
  const stripe = connect(account, network)
  const own = currency.toLowerCase()
  const prices: Findings = new Map()
  const all: Stripe.Price[] = []
  for await (const price of stripe.prices.list({
    active: true,
    type: 'recurring',
    limit: 100,
    expand: ['data.product'],
  })) {
    collect(prices, price, priceProblem(price, own))
    all.push(price)
  }
  print('Active recurring prices', prices, out)
  const products: Findings = new Map()
  for (const [product, problem] of productProblems(all, own)) collect(products, product, problem)
  print('Products with these prices', products, out)

  const subscriptions: Findings = new Map()
  const owners = new Map<string, number>()
  const notes = { pastDue: 0, freeTrials: 0, capitals: 0 }
  const fixed: Findings = new Map()
  for await (const subscription of stripe.subscriptions.list({ limit: 100, expand: ['data.customer'] })) {
    const reason = subscriptionProblem(subscription, own)
    collect(subscriptions, subscription, reason)
    if (reason !== undefined) continue
    const { customer, status } = subscription
    owners.set(idOf(customer), (owners.get(idOf(customer)) ?? 0) + 1)
    if (sharedRates(subscription) === undefined) collect(fixed, subscription, 'its items have different tax rates')
    if (status === 'past_due') notes.pastDue += 1
    if (isFreeTrial(subscription)) notes.freeTrials += 1
    if (typeof customer === 'object' && 'email' in customer && /[A-Z]/.test(customer.email ?? '')) notes.capitals += 1
  }
  print('Subscriptions that are not cancelled', subscriptions, out)
  for (const line of describeFindings(fixed)) out(`  nothing can be added to ${line}`)
  const several = [...owners.values()].filter((count) => count > 1).length
  const lines = [
    [several, 'customers have several supported subscriptions; the email shows the one that is billed first'],
    [notes.pastDue, 'supported subscriptions are past due; Send Now is rejected'],
    [
      notes.freeTrials,
      "supported subscriptions are in their first trial; Delay and Send Now require the option freeTrials: 'change'",
    ],
    [notes.capitals, 'supported subscriptions have an email with capital letters; each read costs one or two more'],
  ] as const
  for (const [count, text] of lines) if (count > 0) out(`  note: ${count} ${text}`)

  const receivers = customers ?? owners.size
  const opened = receivers * emails
  out(`API reads in a month, if ${receivers} customers each open ${emails} emails:`)
  for (const [widget, reads] of Object.entries(readsPerWidget)) out(`  ${widget}: ${opened * reads}`)
  const total = opened * Object.values(readsPerWidget).reduce((sum, reads) => sum + reads, 0)
  out(`  all three: ${total}. Stripe allows 500 reads for each transaction, and at least 10,000.`)
  out(`  Transactions in 30 days that this requires: ${total <= 10_000 ? 0 : Math.ceil(total / 500)}`)
  out(`This command sent ${network.requests} reads and no changes.`)
}

function print(title: string, findings: Findings, out: (line: string) => void): void {
  const supported = findings.get('')?.length ?? 0
  const all = [...findings.values()].flat().length
  out(`${title}: ${supported} supported, ${all - supported} not supported`)
  for (const line of describeFindings(findings)) out(`  ${line}`)
}
