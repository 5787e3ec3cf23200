import type { CompleteStorePort, Context, Ledger, RunCustomActionInput } from '@storeport/core'
import type {
  BillDueOptions,
  BillDueResult,
  ChargeOrder,
  CustomerAccount,
  Order,
  ShopActivity,
  ShopData,
  ShopOptions,
} from '@storeport/rules'

/** Options of `createMemoryStore`. All options are optional. */
export interface MemoryStoreOptions extends ShopOptions {
  /** Initial shop data; default: seed data, which `reset()` recreates for the current date. */
  readonly data?: ShopData | undefined
  /** Functions of the custom actions, by action id. For an action that is only in `data`, only the run is recorded. */
  readonly actions?: Readonly<Record<string, RunAction>> | undefined
  /** Charges the orders of subscriptions; by default, nothing is charged. */
  readonly charge?: ChargeOrder | undefined
}

/** Runs a custom action. Throws StoreError, such as `action_not_allowed`, to reject the action. */
export type RunAction = (input: RunCustomActionInput, context: Context) => unknown

/** A run of a custom action. */
export interface ActionRun {
  /** Email of the customer, with the capitalization in the shop data. */
  readonly email: string
  /** Id of the action. */
  readonly action_id: string
  /** Date of the run, `YYYY-MM-DD`. */
  readonly run_on: string
}

/** A store that implements every endpoint, with additional methods for tests. */
export interface MemoryStore extends CompleteStorePort {
  /** Currency of every amount, ISO 4217. */
  readonly currency: string
  /** Ledger for custom actions and for store methods that you replace. */
  readonly ledger: Ledger
  /** Creates the due orders of at most `limit` customers; default 100. Throws RangeError for an invalid limit. */
  billDue(options?: BillDueOptions): Promise<BillDueResult>
  /** Returns the orders of a customer, oldest first, or of all customers. Throws StoreError `customer_not_found`. */
  orders(email?: string): readonly Order[]
  /** Returns a customer's stored account, without billing due orders; `undefined` if the customer does not exist. */
  account(email: string): CustomerAccount | undefined
  /** Runs of custom actions, oldest first. */
  readonly actionsRun: readonly ActionRun[]
  /** Returns the latest orders, code uses and action runs. `limit` applies to each list; default 50. */
  latestActivity(limit?: number): ShopActivity
  /** Removes all stored clicks, as if their windows had expired. A repeat is then a new click. */
  forgetClicks(): void
  /** Restores the initial data and removes all stored clicks. */
  reset(): void
}
