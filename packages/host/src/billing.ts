import { describeError } from '@storeport/core'
import type { Log } from '@storeport/node'
import { setImmediate } from 'node:timers/promises'
import type { BillDueOptions, BillDueResult } from '@storeport/rules'

const hourMs = 3_600_000

/**
 * Creates due orders now, and again one hour after the end of each run, even if that run failed. The log lines contain
 * counts but no customer data.
 */
export function startBilling(billDue: BillDue, log: Pick<Log, 'info' | 'error'>) {
  const stopped = new AbortController()
  let next: NodeJS.Timeout | undefined
  let running = run()

  async function run(): Promise<void> {
    const start = performance.now()
    const { orders, failure, failed } = await billAll(billDue, stopped.signal)
    const counts = { orders, ms: Math.round(performance.now() - start) }
    if (failure) log.error({ ...failure, failed, ...counts }, 'billing failed, retrying in one hour')
    else if (orders > 0) log.info(counts, 'created due orders')
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
type BillDue = (options: BillDueOptions) => Promise<BillDueResult>

/** Customers per batch, small enough that requests and SIGTERM are not delayed. */
const batchSize = 20

interface BillingRun {
  /** Number of orders created, also before a failure. */
  readonly orders: number
  /** Description of the first failure. */
  readonly failure?: ReturnType<typeof describeError>
  /** Number of customers who could not be billed; absent if a failure ended the run. */
  readonly failed?: number
}

/**
 * Creates all due orders in batches, and lets pending requests run between batches, until `signal` aborts. No customer is
 * tried twice. Never rejects.
 */
export async function billAll(billDue: BillDue, signal: AbortSignal): Promise<BillingRun> {
  const failures: unknown[] = []
  let orders = 0
  let after: BillDueResult['after']
  try {
    for (let more = true; more && !signal.aborted; await setImmediate()) {
      const batch = await billDue({ limit: batchSize, after })
      orders += batch.billed
      failures.push(...(batch.failures ?? []))
      ;({ more, after } = batch)
    }
  } catch (error) {
    return { orders, failure: describeError(error) }
  }
  if (failures.length === 0) return { orders }
  return { orders, failure: describeError(failures[0]), failed: failures.length }
}
