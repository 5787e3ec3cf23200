import { setImmediate } from 'node:timers/promises'
import type { BillDueOptions, BillDueResult } from '@storeport/rules'

/** Makes the orders of some customers, as a store does. */
export type BillDue = (options: BillDueOptions) => Promise<BillDueResult>

/** How a run of `billAll` is watched and ended. */
export interface BillAllOptions {
  /** Called after each step with the number of orders that it made. */
  readonly onBilled: (orders: number) => void
  /** Ends the run after the step that runs. */
  readonly signal: AbortSignal
}

/** Customers of one step: few enough for calls and a SIGTERM not to wait for it. */
const stepSize = 20

/**
 * Makes the orders that are due, step by step, until there are none left; calls that have arrived are served between two
 * steps. Returns why customers could not be billed: they stay due, and each step takes so many more that it passes them.
 */
export async function billAll(billDue: BillDue, { onBilled, signal }: BillAllOptions): Promise<readonly unknown[]> {
  let failures: readonly unknown[] = []
  for (let more = true; more && !signal.aborted; await setImmediate()) {
    const step = await billDue({ limit: stepSize + failures.length })
    onBilled(step.billed)
    failures = step.failures ?? []
    more = step.more
  }
  return failures
}
