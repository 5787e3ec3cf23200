import type { CompleteStorePort, Context, Ledger, RunCustomActionInput } from '@storeport/core'
import type {
  BillDueOptions,
  BillDueResult,
  CustomerAccount,
  Order,
  ShopActivity,
  ShopData,
  ShopOptions,
} from '@storeport/rules'

/** Options of `createMemoryStore`; each has a default. */
export interface MemoryStoreOptions extends ShopOptions {
  /** Initial shop data; default the seed, which `reset()` creates again for the current date. */
  readonly data?: ShopData | undefined
  /** Functions of the custom actions, by action id. Actions that occur only in `data` are recorded without running a function. */
  readonly actions?: Readonly<Record<string, RunAction>> | undefined
}

/** Runs a custom action; throws a `StoreError` to reject it (`action_not_allowed`). */
export type RunAction = (input: RunCustomActionInput, context: Context) => unknown

/** A run of a custom action. */
export interface ActionRun {
  /** Email of the customer in its stored letter case. */
  readonly email: string
  /** Id of the action. */
  readonly action_id: string
  /** Date of the run, `YYYY-MM-DD`. */
  readonly run_on: string
}

/** A store with every endpoint, and with methods for tests. */
export interface MemoryStore extends CompleteStorePort {
  /** Currency of every amount, ISO 4217. */
  readonly currency: string
  /** Ledger for custom actions and for operations that you replace. */
  readonly ledger: Ledger
  /** Creates the due orders of at most `limit` customers; default 100. Throws a RangeError for a limit below 1. */
  billDue(options?: BillDueOptions): Promise<BillDueResult>
  /** Returns the orders of one customer, oldest first, or of all customers, grouped by customer. Throws StoreError `customer_not_found`. */
  orders(email?: string): readonly Order[]
  /** Returns the stored account of a customer, without billing due subscriptions; `undefined` if the customer does not exist. */
  account(email: string): CustomerAccount | undefined
  /** Runs of custom actions, oldest first. */
  readonly actionsRun: readonly ActionRun[]
  /** Returns the latest orders, uses of codes and action runs. `limit` applies to each list; default 50. */
  latestActivity(limit?: number): ShopActivity
  /** Removes the stored clicks, as if they had expired. A repeat is then a new click. */
  forgetClicks(): void
  /** Restores the initial data. */
  reset(): void
}
