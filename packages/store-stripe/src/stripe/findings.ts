import type { Stripe } from 'stripe'
import { productProblems } from '../shop/choose-price.ts'
import { isFreeTrial, isTermOver, sharedRates } from '../account/to-account.ts'
import { isPerUnit, unsupportedReason } from '../account/unsupported.ts'

/** Objects of one kind that the store does not support. */
export interface Finding {
  /** Kind of the objects, for example `Prices`. */
  readonly kind: string
  readonly supported: number
  readonly unsupported: number
  /** A line for each reason: the number of objects, the reason and the first ids. */
  readonly lines: readonly string[]
}

/** Maximum number of ids after a reason. */
const maxIds = 5

/** Finds what the store does not support in an account: prices, products, subscriptions, and changes of supported subscriptions. */
export async function findUnsupported(
  prices: AsyncIterable<Stripe.Price> | Iterable<Stripe.Price>,
  subscriptions: AsyncIterable<Stripe.Subscription> | Iterable<Stripe.Subscription>,
  currency: string,
): Promise<readonly [prices: Finding, products: Finding, subscriptions: Finding, changes: Finding]> {
  const all: Stripe.Price[] = []
  const ids = { prices: new Map(), products: new Map(), subscriptions: new Map(), changes: new Map() }
  for await (const price of prices) {
    all.push(price)
    collect(ids.prices, price, priceProblem(price, currency))
  }
  for (const [product, problem] of productProblems(all, currency)) collect(ids.products, product, problem)
  for await (const subscription of subscriptions) {
    const problem = subscriptionProblem(subscription, currency)
    collect(ids.subscriptions, subscription, problem)
    if (problem === undefined && subscription.status !== 'canceled')
      collect(ids.changes, subscription, changeProblem(subscription))
  }
  return [
    describe('Prices', ids.prices),
    describe('Products', ids.products),
    describe('Subscriptions', ids.subscriptions),
    describe('Changes of supported subscriptions', ids.changes),
  ]
}

type Ids = Map<string, string[]>

/** Adds an object to its reason, which is empty for a supported object. */
function collect(ids: Ids, { id }: { readonly id: string }, reason = ''): void {
  ids.set(reason, ids.get(reason) ?? [])
  ids.get(reason)?.push(id)
}

function describe(kind: string, ids: Ids): Finding {
  const supported = ids.get('')?.length ?? 0
  ids.delete('')
  const sorted = [...ids].toSorted(([, one], [, other]) => other.length - one.length)
  const lines = sorted.map(([reason, own]) => {
    const more = own.length > maxIds ? ' …' : ''
    return `${own.length} because ${reason}: ${own.slice(0, maxIds).join(', ')}${more}`
  })
  return { kind, supported, unsupported: [...ids.values()].flat().length, lines }
}

function priceProblem(price: Stripe.Price, currency: string): string | undefined {
  if (price.currency !== currency) return 'it is in another currency than the store'
  return isPerUnit(price) ? undefined : 'it is not a fixed amount per unit'
}

function subscriptionProblem(subscription: Stripe.Subscription, currency: string): string | undefined {
  const isOver = isTermOver(subscription) && 'its term ends before the next billing'
  return unsupportedReason(subscription, currency) ?? (isOver || undefined)
}

function changeProblem(subscription: Stripe.Subscription): string | undefined {
  if (sharedRates(subscription) === undefined) return 'its items have different tax rates, so nothing can be added'
  return isFreeTrial(subscription) ? "Delay and Send Now require the option freeTrials: 'change'" : undefined
}
