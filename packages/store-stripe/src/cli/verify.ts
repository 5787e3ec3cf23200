import { isStoreError } from '@storeport/core'
import type { Stripe } from 'stripe'
import { toStoreError } from '../stripe/to-store-error.ts'
import { type Account, connect, standInNotice } from './account.ts'
import { groups } from './checks.ts'
import { type Catalogue, openLab } from './lab.ts'

/** Deletes or archives an object that the checks created. */
type Removal = () => Promise<unknown>

const labels = { equal: 'equal    ', open: 'open     ', different: 'DIFFERENT' } as const

/**
 * Runs the checks in a sandbox account. Prints for each check what Stripe did and what the stand-in of the tests does. Returns whether they
 * are equal and everything that the checks created was removed.
 */
export async function verify(account: Account, currency: string, out: (line: string) => void): Promise<boolean> {
  const platform = standInNotice(account) === undefined ? 'Stripe' : 'This stand-in'
  const counts = { equal: 0, different: 0, open: 0 }
  const removals: Removal[] = []
  let isRemoved = false
  try {
    const stripe = connect(account, { requests: 0, lost: 0 })
    const catalogue = await createCatalogue(stripe, currency, removals)
    for (const [title, checks] of Object.entries(groups)) {
      out(title)
      const lab = await openLab(account, currency, catalogue, removals)
      for (const { name, expected, run } of checks) {
        const observed = await run(lab).catch(explain)
        const result = !expected.includes(observed) ? 'different' : expected.length > 1 ? 'open' : 'equal'
        counts[result] += 1
        out(`  ${labels[result]} ${name}. ${platform}: ${observed}. Assumed: ${expected.join(' or ')}.`)
      }
    }
  } finally {
    isRemoved = await removeAll(removals, out)
  }
  out(`${counts.equal} equal, ${counts.open} open questions answered, ${counts.different} different`)
  return isRemoved && counts.different === 0
}

/** Creates two products with a monthly price, and a tax rate. */
async function createCatalogue(stripe: Stripe, currency: string, removals: Removal[]): Promise<Catalogue> {
  const rate = await stripe.taxRates.create({ display_name: 'StorePort verify', inclusive: false, percentage: 8 })
  removals.push(() => stripe.taxRates.update(rate.id, { active: false }))
  const create = async (name: string, unit_amount: number) => {
    const { id: product } = await stripe.products.create({ name: `StorePort verify: ${name}` })
    removals.push(() => stripe.products.update(product, { active: false }))
    const terms = { currency: currency.toLowerCase(), recurring: { interval: 'month' } } as const
    const { id: price } = await stripe.prices.create({ ...terms, product, unit_amount })
    removals.push(() => stripe.prices.update(price, { active: false }))
    return { product, price }
  }
  return { coffee: await create('coffee', 1000), tea: await create('tea', 500), rate: rate.id }
}

async function removeAll(removals: readonly Removal[], out: (line: string) => void): Promise<boolean> {
  const results = await Promise.allSettled(removals.map((remove) => remove()))
  const failed = results.filter(({ status }) => status === 'rejected').length
  if (failed > 0) out(`${failed} objects named "StorePort verify" were not removed. Remove them in the dashboard.`)
  else out('Deleted the test clocks with their customers. Archived the products, prices and tax rate.')
  return failed === 0
}

/** Returns the cause of a failed check without Stripe's message. */
function explain(error: unknown): string {
  const { code, cause } = isStoreError(error) ? error : toStoreError(error, 'unknown')
  return `error ${cause instanceof Error ? cause.message : code}`
}
