import type { CompleteStorePort, Context, RunCustomActionInput, SqlLedger } from '@storeport/core'
import type {
  BillDueOptions,
  BillDueResult,
  CustomerAccount,
  Order,
  ShopActivity,
  ShopData,
  ShopOptions,
} from '@storeport/rules'
import type { Database } from './db/database.ts'
import type { ConnectionOptions } from './db/open-connections.ts'

/** Options of `openSqlStore`; only `url` is required. */
export interface SqlStoreOptions extends ShopOptions, ConnectionOptions {
  /** URL of the database: `sqlite:<file>` or `postgres://<user>:<password>@<host>/<database>`. */
  readonly url: string
  /** Whether to migrate older tables to this version; default true. If false, older tables are rejected. */
  readonly migrate?: boolean | undefined
  /** `if-empty` seeds the database with `data` once, if it has no customers and no products; default false. */
  readonly seed?: 'if-empty' | false | undefined
  /** Shop data for the seed; default the seed of `@storeport/rules`, with dates around today. */
  readonly data?: ShopData | undefined
  /** Functions of the custom actions, by action id. Actions that occur only in `data` are recorded without running a function. */
  readonly actions?: Readonly<Record<string, RunAction>> | undefined
  /**
   * Whether to open a trial shop if the database contains only the seed; default false. The date of a trial shop can be moved,
   * and its data can be reset to the seed. Each request then also loads the date.
   */
  readonly trial?: boolean | undefined
}

/** Runs a custom action; throws a `StoreError` to reject it (`action_not_allowed`). */
export type RunAction = (input: RunCustomActionInput, context: Context) => unknown

/** An order as stored in the database. */
export interface PlacedOrder extends Order {
  /** Increases with each order, with gaps. */
  readonly number: number
  /** Email of the customer in its stored letter case. */
  readonly email: string
}

/** A run of a custom action. */
export interface ActionRun {
  /** Increases with each run, with gaps. */
  readonly number: number
  /** Email of the customer in its stored letter case. */
  readonly email: string
  /** Id of the action. */
  readonly action_id: string
  /** Date of the run, `YYYY-MM-DD`. */
  readonly run_on: string
}

/** A page of a list that is sorted by number. */
export interface Page {
  /** Number after which the page begins. */
  readonly after?: number | undefined
  /** Maximum number of elements; default 100, at most 1,000. */
  readonly limit?: number | undefined
}

/** A page of the list of orders. */
export interface OrderPage extends Page {
  /** Returns only orders with this status. */
  readonly status?: Order['status'] | undefined
}

/** A trial shop, whose database contains only the seed. */
export interface TrialShop {
  /** Moves the date forward. Returns `not_later` if `to` is not after the current date, and `not_alone` if data was added to the seed. */
  moveDate(to: string): Promise<'moved' | 'not_later' | 'not_alone'>
  /** Restores the seed and the date in one transaction. Returns false and changes nothing if data was added to the seed. */
  reset(): Promise<boolean>
}

/** A store over a database. It implements every endpoint, and has methods for billing and fulfillment. */
export interface SqlStore extends CompleteStorePort {
  /** The store saves the idempotency key of a call without a click together with the change, so that a retry changes nothing. */
  readonly honoursIdempotencyKey: true
  /** Currency of every amount, ISO 4217. */
  readonly currency: string
  /**
   * Creates the due orders of at most `limit` customers; default 100. Several processes can bill concurrently. Customers who
   * cannot be billed are reported in `failures`. Throws a RangeError for a limit below 1, and StoreError `store_unavailable`.
   */
  billDue(options?: BillDueOptions): Promise<BillDueResult>
  /** Returns the orders of one customer, or of all customers, oldest first. Throws StoreError `customer_not_found`. */
  orders(email?: string, page?: OrderPage): Promise<readonly PlacedOrder[]>
  /**
   * Changes the status of an order: from open to processing to shipped, or to cancelled before it is shipped. Returns true if
   * the order now has the status. Returns false if the order does not exist or has a later status, such as cancelled.
   */
  markOrder(id: string, status: Exclude<Order['status'], 'open'>): Promise<boolean>
  /** Returns the runs of custom actions of one customer, or of all customers, oldest first. Throws StoreError `customer_not_found`. */
  actionsRun(email?: string, page?: Page): Promise<readonly ActionRun[]>
  /** Returns the latest orders, uses of codes and action runs. `limit` applies to each list; default 50, at most 1,000. */
  latestActivity(limit?: number): Promise<ShopActivity>
  /** Returns the account of a customer, with open orders only; `undefined` if the customer does not exist. */
  account(email: string): Promise<CustomerAccount | undefined>
  /** Ledger in the same database, for custom actions and for methods that the merchant replaces. */
  readonly ledger: Omit<SqlLedger, 'requiresScope'>
  /** Returns the shop's date `YYYY-MM-DD`, including the offset of a trial. */
  today(): Promise<string>
  /** The trial shop; `undefined` without the option `trial`, or if the database contains data that is not in the seed. */
  readonly trial: TrialShop | undefined
  /** Returns whether the database responds and can be written; never throws. */
  isReady(): Promise<boolean>
  /** Migrates older tables to this version; several processes can migrate concurrently. Throws StoreOpenError. */
  migrate(): Promise<void>
  /** Closes the connections. */
  close(): Promise<void>
  /** The database, for your own statements. */
  readonly database: Database
}
