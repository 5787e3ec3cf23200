import { describeError } from '@storeport/core'
import type { Log } from '@storeport/node'
import { setImmediate } from 'node:timers/promises'
import type { BillDueOptions, BillDueResult } from '@storeport/rules'

interface BillingJobOptions {
  /** Creates the due orders of a batch of customers. */
  readonly billDue: BillDue
  /** Log for runs that created orders or failed. The log lines contain counts but no customer data. */
  readonly log: Pick<Log, 'info' | 'error'>
}

const hourMs = 3_600_000

/** Creates due orders now, and again one hour after the end of each run, even if that run failed. */
export function startBilling({ billDue, log }: BillingJobOptions) {
  const stopped = new AbortController()
  let next: NodeJS.Timeout | undefined
  let running = run()

  async function run(): Promise<void> {
    const start = performance.now()
    let orders = 0
    const counts = () => ({ orders, ms: Math.round(performance.now() - start) })
    const logFailure = (error: unknown, failed?: number) =>
      log.error({ ...describeError(error), failed, ...counts() }, 'billing failed, retrying in one hour')
    try {
      const failures = await billAll(billDue, { signal: stopped.signal, onBilled: (count) => (orders += count) })
      if (failures.length > 0) logFailure(failures[0], failures.length)
      else if (orders > 0) log.info(counts(), 'created due orders')
    } catch (error) {
      logFailure(error)
    }
    // The timer does not keep the process alive.
    if (!stopped.signal.aborted) next = setTimeout(() => (running = run()), hourMs).unref()
  }

  return {
    /** Prevents further batches; resolves when the current batch has ended. */
    stop: async () => {
      stopped.abort()
      clearTimeout(next)
      await running
    },
  }
}

/** Method of a store that creates the due orders of at most `limit` customers. */
export type BillDue = (options: BillDueOptions) => Promise<BillDueResult>

interface BillAllOptions {
  /** Called after each batch with the number of orders created. */
  readonly onBilled: (orders: number) => void
  /** Stops the run after the current batch. */
  readonly signal: AbortSignal
}

/** Customers per batch, small enough that requests and SIGTERM are not delayed. */
const batchSize = 20

/**
 * Creates all due orders in batches, and lets pending requests run between batches. Returns one error for each customer
 * who could not be billed. No customer is tried twice.
 */
export async function billAll(billDue: BillDue, { onBilled, signal }: BillAllOptions): Promise<readonly unknown[]> {
  const failures: unknown[] = []
  let after: BillDueResult['after']
  for (let more = true; more && !signal.aborted; await setImmediate()) {
    const batch = await billDue({ limit: batchSize, after })
    onBilled(batch.billed)
    failures.push(...(batch.failures ?? []))
    ;({ more, after } = batch)
  }
  return failures
}
