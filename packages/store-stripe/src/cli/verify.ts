import { isStoreError } from '@storeport/core'
import { toStoreError } from '../stripe/to-store-error.ts'
import { type Account, connect, type Network, standInNotice } from './account.ts'
import { groups } from './checks.ts'
import { createCatalogue, openLab, type Removals } from './lab.ts'

/** The terminal or script that runs the command. */
export interface Terminal {
  /** Writes a line to the standard output. */
  out(line: string): void
  /** Writes a line to the standard error. */
  err(line: string): void
  /** Signal that Ctrl-C aborts. */
  readonly interruption: AbortSignal
}

const labels = { equal: 'equal    ', open: 'open     ', different: 'DIFFERENT' } as const

/** Runs the checks in a sandbox account, in both billing modes. Always removes what they created. Returns the exit code. */
export async function verify(
  account: Account,
  currency: string,
  { out, err, interruption }: Terminal,
): Promise<number> {
  const platform = standInNotice(account) === undefined ? 'Stripe' : 'This stand-in'
  const counts = { equal: 0, different: 0, open: 0 }
  const network: Network = { lost: 0, interruption }
  const stripe = connect(account, network)
  const removals: Removals = new Map()
  let isRemoved = false
  try {
    const catalogue = await createCatalogue(stripe, currency, removals)
    const modes = ['flexible', 'classic'] as const
    const runs = modes.flatMap((mode) => Object.entries(groups).map((group) => [mode, ...group] as const))
    for (const [mode, title, checks] of runs) {
      out(`${title}, ${mode} billing mode`)
      const lab = await openLab({ ...catalogue, mode, stripe, network }, currency, removals)
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
    err('Interrupted. Removing the objects that verify created.')
  } finally {
    Object.assign(network, { interruption: undefined, lost: 0 })
    isRemoved = await removeAll(removals, out)
  }
  if (interruption.aborted) return 130
  out(`${counts.equal} equal, ${counts.open} open questions answered, ${counts.different} different`)
  return isRemoved && counts.different === 0 ? 0 : 1
}

/** Removes what the checks created, and prints the ids of objects that remain. Returns whether everything was removed. */
async function removeAll(removals: Removals, out: Terminal['out']): Promise<boolean> {
  if (removals.size === 0) return true
  const remaining: string[] = []
  await Promise.all([...removals].map(([id, remove]) => remove().catch(() => remaining.push(id))))
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
