import { type Ledger, type StoredClicks, StoreError } from '@storeport/core'
import type { Settings } from '../stripe/settings.ts'

/** Interval between two attempts to get a lease, in milliseconds. */
const pollMs = 50
/** Maximum time that a change waits for its customer's lease, in milliseconds. */
const maxWaitMs = 3000

/** A customer's lease, stored as a ledger document. It has the fields that a ledger reads from click documents. */
interface Lease extends StoredClicks {
  readonly instances: readonly []
  readonly holder: string
  /** End of the lease on the ledger's clock, in milliseconds. */
  readonly until: number
}

/**
 * Returns a function that runs one task per key at a time, across all processes that share the ledger. The function throws StoreError
 * `store_unavailable` if the lease is not free within `maxWaitMs`. If a process ends without releasing a lease, the lease expires after
 * eight request timeouts.
 */
export function createLeases(ledger: Ledger, { timeoutMs }: Pick<Settings, 'timeoutMs'>) {
  const leaseMs = 8 * timeoutMs

  /**
   * Stores the lease for `forMs` milliseconds, unless another holder has the lease. Returns whether the lease was
   * stored.
   */
  async function hold(key: string, holder: string, forMs: number): Promise<boolean> {
    return ledger.update(key, (stored, now) => {
      const lease: Partial<Lease> = { ...stored }
      const isFree = lease.holder === undefined || lease.holder === holder || (lease.until ?? 0) <= now
      if (!isFree) return { result: false }
      const document: Lease = { v: 1, instances: [], holder, until: now + forMs }
      return { result: true, document, ttlMs: leaseMs }
    })
  }

  return async function runAlone<Result>(name: string, task: () => Promise<Result>): Promise<Result> {
    const key = `stripe-${await digest(name)}`
    const holder = crypto.randomUUID()
    const startedAt = performance.now()
    while (!(await hold(key, holder, leaseMs))) {
      if (performance.now() - startedAt > maxWaitMs)
        throw new StoreError('store_unavailable', undefined, { retryAfter: 1, outcome: 'refused' })
      await new Promise((resume) => setTimeout(resume, pollMs))
    }
    try {
      return await task()
    } finally {
      // If the release fails, the lease expires later.
      await hold(key, holder, 0).catch(() => {})
    }
  }
}

/** Returns a digest, so that the ledger contains no email. */
async function digest(text: string): Promise<string> {
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
