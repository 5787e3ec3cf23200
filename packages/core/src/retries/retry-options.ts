import type { EndpointName } from '../contract/store-port.ts'
import type { Ledger } from './ledger.ts'

/** How an integration makes a click count once. */
export interface RetryOptions {
  /** Where clicks are remembered; default: that of the store, else in memory, for one process. */
  readonly ledger?: Ledger | undefined
  /** How many processes serve the shop: `1` declares that the memory ledger is enough, which otherwise is a warning in production. */
  readonly processes?: number | undefined
  /** How long a repeat of a success is answered without running it, in milliseconds by endpoint; default the `retryWindowMs` of its row; 0 turns it off. */
  readonly windows?: Partial<Readonly<Record<EndpointName, number>>> | undefined
}
