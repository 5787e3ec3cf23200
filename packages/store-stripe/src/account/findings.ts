import type { Stripe } from 'stripe'
import { isTermOver } from './to-account.ts'
import { isPerUnit, unsupportedReason } from './unsupported.ts'

/** Ids of objects by the reason why the store does not support them; an empty reason for supported objects. */
export type Findings = Map<string, string[]>

/** Maximum number of ids after a reason. */
const maxIds = 5

/** Adds an object to the findings. */
export function collect(findings: Findings, { id }: { readonly id: string }, reason = ''): void {
  const ids = findings.get(reason)
  if (ids === undefined) findings.set(reason, [id])
  else ids.push(id)
}

/** Returns a line for each reason: the number of objects, the reason and the first ids. */
export function describeFindings(findings: Findings): string[] {
  return [...findings]
    .filter(([reason]) => reason !== '')
    .toSorted(([, one], [, other]) => other.length - one.length)
    .map(([reason, ids]) => {
      const more = ids.length > maxIds ? ' …' : ''
      return `${ids.length} because ${reason}: ${ids.slice(0, maxIds).join(', ')}${more}`
    })
}

/** Returns the reason why a subscription is not the current subscription of its customer, if any. */
export function subscriptionProblem(subscription: Stripe.Subscription, currency: string): string | undefined {
  const isOver = isTermOver(subscription) && 'its term ends before the next billing'
  return unsupportedReason(subscription, currency) ?? (isOver || undefined)
}

/** Returns the reason why a price is not offered, if any. */
export function priceProblem(price: Stripe.Price, currency: string): string | undefined {
  if (price.currency !== currency) return 'it is in another currency than the store'
  return isPerUnit(price) ? undefined : 'it is not a fixed amount per unit'
}
