import { isStoreError } from '@storeport/core'
import { toStoreError } from '../stripe/to-store-error.ts'
import { type Account, connect, standInNotice } from './account.ts'
import { groups } from './checks.ts'
import { billingModes, type Catalogue, type Cleanup, openLab } from './lab.ts'

/** The terminal or script that runs the command. */
export interface Terminal {
  /** Writes a line to the standard output. */
  out(line: string): void
  /** Writes a line to the standard error. */
  err(line: string): void
  /** Returns a signal that an interruption aborts, for example Ctrl-C. Without this call, an interruption ends the process. */
  catchInterrupts(): AbortSignal
}

const labels = { equal: 'equal    ', open: 'open     ', different: 'DIFFERENT' } as const

/**
 * Runs the checks in a sandbox account. Prints for each check what Stripe did and what the stand-in of the tests does. After an interruption,
 * sends no further checks. Always removes what the checks created. Returns the exit code.
 */
export async function verify(account: Account, currency: string, terminal: Terminal): Promise<number> {
  const { out, err } = terminal
  const platform = standInNotice(account) === undefined ? 'Stripe' : 'This stand-in'
  const counts = { equal: 0, different: 0, open: 0 }
  const interruption = terminal.catchInterrupts()
  const onInterrupt = () =>
    err('Interrupted. Removing the objects that verify created. To end immediately, press Ctrl-C again.')
  interruption.addEventListener('abort', onInterrupt)
  const cleanup: Cleanup = { stripe: connect(account, { requests: 0, lost: 0 }), removals: new Map(), interruption }
  let isRemoved = false
  try {
    const catalogue = await createCatalogue(account, currency, cleanup)
    const runs = billingModes.flatMap((mode) => Object.entries(groups).map((group) => [mode, ...group] as const))
    for (const [mode, title, checks] of runs) {
      out(`${title}, ${mode} billing mode`)
      const lab = await openLab(account, currency, catalogue, mode, cleanup)
      for (const { name, expected, run } of checks) {
        const observed = await run(lab).catch(explain)
        interruption.throwIfAborted()
        const result = !expected.includes(observed) ? 'different' : expected.length > 1 ? 'open' : 'equal'
        counts[result] += 1
        out(`  ${labels[result]} ${name}. ${platform}: ${observed}. Assumed: ${expected.join(' or ')}.`)
      }
    }
  } catch (error) {
    if (!interruption.aborted) throw error
  } finally {
    isRemoved = await removeAll(cleanup, out)
  }
  if (interruption.aborted) return 130
  out(`${counts.equal} equal, ${counts.open} open questions answered, ${counts.different} different`)
  return isRemoved && counts.different === 0 ? 0 : 1
}

/** Creates two products with a monthly price, a tax rate and a promotion code. */
async function createCatalogue(
  account: Account,
  currency: string,
  { stripe: cleaner, removals, interruption }: Cleanup,
): Promise<Catalogue> {
  const stripe = connect(account, { requests: 0, lost: 0, interruption })
  const rate = await stripe.taxRates.create({ display_name: 'StorePort verify', inclusive: false, percentage: 8 })
  removals.set(rate.id, () => cleaner.taxRates.update(rate.id, { active: false }))
  const create = async (name: string, unit_amount: number) => {
    const { id: product } = await stripe.products.create({ name: `StorePort verify: ${name}` })
    removals.set(product, () => cleaner.products.update(product, { active: false }))
    const terms = { currency: currency.toLowerCase(), recurring: { interval: 'month' } } as const
    const { id: price } = await stripe.prices.create({ ...terms, product, unit_amount })
    removals.set(price, () => cleaner.prices.update(price, { active: false }))
    return { product, price }
  }
  const [coffee, tea] = [await create('coffee', 1000), await create('tea', 500)]
  const { id: coupon } = await stripe.coupons.create({ name: 'StorePort verify', percent_off: 10, duration: 'once' })
  removals.set(coupon, () => cleaner.coupons.del(coupon))
  const { code } = await stripe.promotionCodes.create({ promotion: { type: 'coupon', coupon } })
  return { coffee, tea, rate: rate.id, code }
}

/** Removes what the checks created, and prints the ids of objects that remain. Returns whether everything was removed. */
async function removeAll({ removals }: Cleanup, out: Terminal['out']): Promise<boolean> {
  if (removals.size === 0) return true
  const remaining: string[] = []
  const remove = ([id, send]: readonly [string, () => Promise<unknown>]) => send().catch(() => remaining.push(id))
  await Promise.all([...removals].map(remove))
  if (remaining.length === 0)
    out('Deleted the test clocks with their customers. Deleted the coupon. Archived the products, prices and tax rate.')
  else out(`Not removed: ${remaining.join(', ')}. Remove these objects in the dashboard of the sandbox account.`)
  return remaining.length === 0
}

/** Returns the cause of a failed check without Stripe's message. */
function explain(error: unknown): string {
  const { code, cause } = isStoreError(error) ? error : toStoreError(error, 'unknown')
  return `error ${cause instanceof Error ? cause.message : code}`
}
