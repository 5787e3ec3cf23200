import { findUnsupported } from '../stripe/findings.ts'
import { offeredPrices } from '../shop/read-products.ts'
import { type Account, connect } from './account.ts'

/** Prints which prices, products and subscriptions of an account the store supports, and why not the others. Sends only GET requests. */
export async function inspect(account: Account, currency: string, out: (line: string) => void): Promise<void> {
  const stripe = connect(account)
  const prices = stripe.prices.list(offeredPrices)
  // Begins only after the prices, so that an error of both requests is reported once.
  const subscriptions = async function* () {
    yield* stripe.subscriptions.list({ status: 'all', limit: 100 })
  }
  for (const finding of await findUnsupported(prices, subscriptions(), currency.toLowerCase())) {
    out(`${finding.kind}: ${finding.supported} supported, ${finding.unsupported} not supported`)
    for (const line of finding.lines) out(`  ${line}`)
  }
}
