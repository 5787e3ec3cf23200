import type { ClickRecords, CompleteStorePort, Context, Ledger, RunCustomActionInput } from '@storeport/core'
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
import type { Database } from './db/database.ts'
import type { ConnectionOptions } from './db/connections.ts'

/** Options for `openSqlStore`; only `url` is required. */
export interface SqlStoreOptions extends ShopOptions, ConnectionOptions {
  /** URL of the database: `sqlite:<file>` or `postgres://<user>:<password>@<host>/<database>`. */
  readonly url: string
  /** Whether to create tables and migrate older tables; default true. If false, StorePort rejects both cases. */
  readonly migrate?: boolean | undefined
  /** `if-empty` seeds the database with `data` once, if it has no customers and no products; default false. */
  readonly seed?: 'if-empty' | false | undefined
  /** Shop data for the seed; default: the seed from `@storeport/rules`, with dates near the current date. */
  readonly data?: ShopData | undefined
  /** Functions that run custom actions, by action id. For other actions in `data`, StorePort only records the run. */
  readonly actions?: Readonly<Record<string, RunAction>> | undefined
  /**
   * Charges subscription orders before they are saved: due orders, and the orders that sendNow creates. Runs outside of
   * transactions. Without this function, StorePort charges nothing, and you charge an order when you fulfill it.
   */
  readonly charge?: ChargeOrder | undefined
}

/** Runs a custom action; throws a StoreError, such as `action_not_allowed`, to reject the request. */
export type RunAction = (input: RunCustomActionInput, context: Context) => unknown

/** An order as stored in the database. */
export type PlacedOrder = ShopActivity['orders'][number] & {
  /** Sequence number, in the sequence of the inserts, which can differ from the sequence of the commits. Can have gaps. */
  readonly number: number
}

/** A run of a custom action. */
export type ActionRun = ShopActivity['actions_run'][number] & {
  /** Sequence number. Later runs have higher numbers; gaps are possible. */
  readonly number: number
}

/**
 * Options for one page of a list that is sorted by number. Fulfillment must read orders by status instead of by the last
 * number: PostgreSQL assigns a number before the commit, so an order with a lower number can appear later.
 */
export interface Page {
  /** Number of the last element of the previous page; default: the first page. */
  readonly after?: number | undefined
  /** Maximum number of elements; default 100, at most 1,000. */
  readonly limit?: number | undefined
}

/** Options for one page of orders. */
export interface OrderPage extends Page {
  /** Returns only orders with this status. */
  readonly status?: Order['status'] | undefined
}

/** A store in an SQL database. Implements every endpoint, and has methods for billing and fulfillment. */
export interface SqlStore extends CompleteStorePort, ClickRecords {
  /** True, because the store saves the idempotency key with each change. A retry with the same key changes nothing. */
  readonly honoursIdempotencyKey: true
  /** Currency of all amounts, as an ISO 4217 code. */
  readonly currency: string
  /**
   * Creates the due orders of at most `limit` customers; default 100. Several processes can bill concurrently.
   * `failures` contains the error of each customer who could not be billed; these customers do not count. While `more`
   * is true, call it again with the returned `after`. Throws a RangeError for a limit below 1, and StoreError
   * `store_unavailable` if the database is unavailable.
   */
  billDue(options?: BillDueOptions): Promise<BillDueResult>
  /** Returns the orders of one or all customers, oldest first. Throws StoreError `customer_not_found`. */
  orders(email?: string, page?: OrderPage): Promise<readonly PlacedOrder[]>
  /**
   * Changes the status of an order. The sequence is open, processing, shipped; an order can be cancelled until it is
   * shipped. Returns true if the order now has the status. Returns false if the order does not exist or has a later
   * status, such as cancelled.
   */
  markOrder(id: string, status: Exclude<Order['status'], 'open'>): Promise<boolean>
  /** Returns the action runs of one or all customers, oldest first. Throws StoreError `customer_not_found`. */
  actionsRun(email?: string, page?: Page): Promise<readonly ActionRun[]>
  /** Returns the latest orders, discount uses and action runs: at most `limit` of each, default 50, at most 1,000. */
  latestActivity(limit?: number): Promise<ShopActivity>
  /** Returns the account of a customer, with only open orders; `undefined` if the customer does not exist. */
  account(email: string): Promise<CustomerAccount | undefined>
  /** Ledger in the customers' rows, for custom actions and for methods that you replace. Ignores unknown customers. */
  readonly ledger: Ledger
  /**
   * Stores the public URL of the host that uses the database, if no other URL is stored, or only `previous`. Returns the
   * stored URL, which differs from `url` if the database may be a copy of another host's database.
   */
  claimUrl(url: string, previous?: string): Promise<string>
  /** Returns all rows about a customer, by table. Throws StoreError `customer_not_found`. */
  exportCustomer(email: string): Promise<Readonly<Record<string, readonly object[]>>>
  /**
   * Deletes the data about a customer, and preserves the orders without the person. Returns `order_open` and changes
   * nothing if an order is open or processing, unless `force` is true. Returns `charge_pending` while an order is being
   * charged. A later click is rejected with `customer_not_found`. Throws StoreError `customer_not_found`.
   */
  eraseCustomer(
    email: string,
    options?: { readonly force?: boolean },
  ): Promise<'erased' | 'order_open' | 'charge_pending'>
  /**
   * Restores the seed in one transaction, and returns true. If the database contains customers or products that are not
   * in the seed, changes nothing and returns false.
   */
  resetSeed(): Promise<boolean>
  /** Returns whether the database responds and accepts writes; never throws. */
  isReady(): Promise<boolean>
  /** Writes the waiting click records, and closes the connections. */
  close(): Promise<void>
  /** The database, for your own statements. */
  readonly database: Database
}
