import type {
  ClickRecords,
  CompleteStorePort,
  Context,
  EndpointName,
  ErrorCode,
  Ledger,
  RunCustomActionInput,
} from '@storeport/core'
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
  /**
   * Functions of the custom actions, by action id. If an action is only in `data`, the store records the run and does
   * nothing else.
   */
  readonly actions?: Readonly<Record<string, RunAction>> | undefined
  /** Charges subscription orders. Without this function, the store charges nothing. */
  readonly charge?: ChargeOrder | undefined
}

/** Runs a custom action. Throws StoreError, such as `action_not_allowed`, to reject the action. */
export type RunAction = (input: RunCustomActionInput, context: Context) => unknown

/** A run of a custom action. */
export type ActionRun = ShopActivity['actions_run'][number]

/** A call of an operation. A replay does not call the operation. */
export interface RecordedCall {
  /** Name of the operation. */
  readonly operation: EndpointName
  /** Validated input of the operation. Does not include headers or the API key. */
  readonly input: Readonly<Record<string, unknown>>
  /**
   * `success`, `running`, or the code of the thrown error. The code is `internal_error` for an error that is not a
   * StoreError.
   */
  readonly outcome: 'success' | 'running' | ErrorCode
}

/** A store that implements every endpoint, with additional methods for tests. Stores the latest 1,000 click records. */
export interface MemoryStore extends CompleteStorePort, ClickRecords {
  /** Currency of all amounts, as an ISO 4217 code. */
  readonly currency: string
  /** Ledger for custom actions and for store methods that you replace. */
  readonly ledger: Ledger
  /**
   * Creates the due orders of at most `limit` customers; default 100. While `more` is true, call it again with the
   * returned `after`. Throws RangeError for an invalid limit.
   */
  billDue(options?: BillDueOptions): Promise<BillDueResult>
  /** Returns the orders of one or all customers, oldest first. Throws StoreError `customer_not_found`. */
  orders(email?: string): readonly Order[]
  /** Returns a customer's stored account, without billing due orders; `undefined` if the customer does not exist. */
  account(email: string): CustomerAccount | undefined
  /** Runs of custom actions, oldest first. */
  readonly actionsRun: readonly ActionRun[]
  /** A copy of the latest 1,000 calls of the operations, oldest first. */
  readonly calls: readonly RecordedCall[]
  /**
   * Makes the next call of an operation fail with an error, without changing data. If you call `failNext` several
   * times, the errors are queued. Throws TypeError for an invalid name or code.
   */
  failNext(operation: EndpointName, error: ErrorCode | Error): void
  /** Returns the latest orders, discount uses and action runs. `limit` applies to each list; default 50. */
  latestActivity(limit?: number): ShopActivity
  /** Removes all stored clicks, as if their windows had expired. A repeated request is then a new click. */
  forgetClicks(): void
  /** Restores the initial data and removes all stored clicks, click records, recorded calls and queued errors. */
  reset(): void
}
