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

/** How an SQL store is opened; everything but `url` has a default. */
export interface SqlStoreOptions extends ShopOptions, ConnectionOptions {
  /** Where the data is: `sqlite:<file>` or `postgres://<user>:<password>@<host>/<database>`. */
  readonly url: string
  /** Whether to bring the tables up to date; default true. Without it, older tables are refused. */
  readonly migrate?: boolean | undefined
  /** `if-empty` fills a database without customers and products with `data`, once; default false. */
  readonly seed?: 'if-empty' | false | undefined
  /** The shop to seed with; default the seed of `@storeport/rules`, its dates around today. */
  readonly data?: ShopData | undefined
  /** What the custom actions do, by action id; those that only the data names are just noted. */
  readonly actions?: Readonly<Record<string, RunAction>> | undefined
  /**
   * Whether the shop is for trying out where the database holds the seed and nobody else's data: then its date can be
   * moved, every call reads by how much it was, and the seed can be put back; default false.
   */
  readonly trial?: boolean | undefined
}

/** The business behind a custom button; throw a `StoreError` to refuse (`action_not_allowed`). */
export type RunAction = (input: RunCustomActionInput, context: Context) => unknown

/** An order as the database has it. */
export interface PlacedOrder extends Order {
  /** Grows from order to order, with gaps. */
  readonly number: number
  /** The customer's email, as the shop writes it. */
  readonly email: string
}

/** A custom action that a customer ran. */
export interface ActionRun {
  /** Grows from run to run, with gaps. */
  readonly number: number
  /** The customer's email, as the shop writes it. */
  readonly email: string
  /** The action. */
  readonly action_id: string
  /** The day, `YYYY-MM-DD`. */
  readonly run_on: string
}

/** A part of a long list, which is in the order of its numbers. */
export interface Page {
  /** Only what comes after this number. */
  readonly after?: number | undefined
  /** Most elements; default 100, at most 1,000. */
  readonly limit?: number | undefined
}

/** A part of the list of orders. */
export interface OrderPage extends Page {
  /** Only orders in this state. */
  readonly status?: Order['status'] | undefined
}

/** What only a shop for trying out has: one that holds the seed, and nobody else's data. */
export interface TrialShop {
  /** Moves the date forwards; `not_later` when it is there already, `not_alone` when somebody else's data has come. */
  moveDate(to: string): Promise<'moved' | 'not_later' | 'not_alone'>
  /** Puts the seed back, and the date, all of it or nothing; returns whether it did: not when somebody else's data has come. */
  reset(): Promise<boolean>
}

/** A store with every endpoint over a database, and what a fulfilment job needs. */
export interface SqlStore extends CompleteStorePort {
  /** A call that comes without a click keeps its key together with its change, so a retry of it does nothing. */
  readonly honoursIdempotencyKey: true
  /** Currency of every amount, ISO 4217. */
  readonly currency: string
  /**
   * Makes the orders that are due, of those who do not call as well; safe while others do the same. Customers who
   * cannot be billed are in `failures`. Throws a RangeError for a limit below 1, and StoreError `store_unavailable`.
   */
  billDue(options?: BillDueOptions): Promise<BillDueResult>
  /** Orders, oldest first: of one customer, or of all. Throws StoreError `customer_not_found`. */
  orders(email?: string, page?: OrderPage): Promise<readonly PlacedOrder[]>
  /**
   * Moves an order on, from open to processing to shipped, or to cancelled before it is shipped. Returns whether it is
   * there now: not when there is no such order, or the customer cancelled it before.
   */
  markOrder(id: string, status: Exclude<Order['status'], 'open'>): Promise<boolean>
  /** Custom actions that were run, oldest first: of one customer, or of all. Throws StoreError `customer_not_found`. */
  actionsRun(email?: string, page?: Page): Promise<readonly ActionRun[]>
  /** What customers did last, of each kind at most so many; default 50, at most 1,000. */
  latestActivity(limit?: number): Promise<ShopActivity>
  /** All that the store knows about a customer, without orders that are no longer open. */
  account(email: string): Promise<CustomerAccount | undefined>
  /** Where the clicks of custom actions are kept, and those of methods that a merchant puts in place of the store's: in the same database. */
  readonly ledger: Omit<SqlLedger, 'requiresScope'>
  /** Returns the shop's date `YYYY-MM-DD`, with what it was moved by. */
  today(): Promise<string>
  /** What a shop for trying out has; `undefined` for any other, and without the option `trial`. */
  readonly trial: TrialShop | undefined
  /** Whether the database answers and can be written; never throws. */
  isReady(): Promise<boolean>
  /** Brings the tables up to date; safe while others do the same. Throws StoreOpenError. */
  migrate(): Promise<void>
  /** Gives the connections back. */
  close(): Promise<void>
  /** The database itself, for statements of your own. */
  readonly database: Database
}
