import type { Logger } from 'pino'
import { describeError } from '@storeport/core'
import { setImmediate } from 'node:timers/promises'
import type { BillDueOptions, BillDueResult } from '@storeport/rules'

/** Calls a function after so many milliseconds; what it returns takes that back. */
export type Schedule = (run: () => void, ms: number) => () => void

/** What the job of making orders works with. */
interface BillingJobOptions {
  /** Makes the orders of some customers. */
  readonly billDue: BillDue
  /** Where each run that made orders, and each that failed, is a line: counts, no customer data. */
  readonly log: Pick<Logger, 'info' | 'error'>
  /** The timer of the next run; default the system's. */
  readonly schedule?: Schedule | undefined
}

/** The job of making orders, running. */
interface BillingJob {
  /** Begins no other step; resolves when the one that runs has ended. */
  stop(): Promise<void>
}

const hourMs = 3_600_000

/** Makes the orders that are due now, and an hour after each run, also after one that failed. */
export function startBilling({ billDue, log, schedule = useTimer }: BillingJobOptions): BillingJob {
  const stopped = new AbortController()
  let cancelNext = () => {}
  let running = run()

  async function run(): Promise<void> {
    const start = performance.now()
    let orders = 0
    const counts = () => ({ orders, ms: Math.round(performance.now() - start) })
    const logFailure = (error: unknown, failed?: number) =>
      log.error(
        { ...describeError(error), failed, ...counts() },
        'what is due could not be billed: it is tried again in an hour',
      )
    try {
      const failures = await billAll(billDue, { signal: stopped.signal, onBilled: (count) => (orders += count) })
      if (failures.length > 0) logFailure(failures[0], failures.length)
      else if (orders > 0) log.info(counts(), 'billed what was due')
    } catch (error) {
      logFailure(error)
    }
    if (!stopped.signal.aborted) cancelNext = schedule(() => (running = run()), hourMs)
  }

  return {
    stop: async () => {
      stopped.abort()
      cancelNext()
      await running
    },
  }
}

/** The process may end while the next run is waited for. */
function useTimer(run: () => void, ms: number): () => void {
  const timer = setTimeout(run, ms).unref()
  return () => clearTimeout(timer)
}

/** Makes the orders of some customers, as a store does. */
export type BillDue = (options: BillDueOptions) => Promise<BillDueResult>

/** How a run of `billAll` is watched and ended. */
interface BillAllOptions {
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
