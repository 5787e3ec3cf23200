import type { EndpointName } from '../contract/store-port.ts'
import type { Ledger } from '../contract/ledger.ts'

/** Options that make repeated clicks take effect once. */
export interface RetryOptions {
  /** Storage for clicks; default: the store's ledger, or memory for a single process. */
  readonly ledger?: Ledger | undefined
  /** Number of processes that serve the shop. `1` turns off the warning about the memory ledger in production. */
  readonly processes?: number | undefined
  /**
   * Window of each endpoint, in milliseconds; default: `retryWindowMs`. Repeats within the window do not run. 0
   * disables the window.
   */
  readonly windows?: Partial<Readonly<Record<EndpointName, number>>> | undefined
}
