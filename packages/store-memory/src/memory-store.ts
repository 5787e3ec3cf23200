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

/** How a memory store is set up; everything has a default. */
export interface MemoryStoreOptions extends ShopOptions {
  /** The shop to start with; default the seed, which is made again at `reset()`. */
  readonly data?: ShopData | undefined
  /** What the custom actions do, by action id; those that only `data.actions` names are just noted. */
  readonly actions?: Readonly<Record<string, RunAction>> | undefined
}

/** The business behind a custom button; throw a `StoreError` to refuse (`action_not_allowed`). */
export type RunAction = (input: RunCustomActionInput, context: Context) => unknown

/** A custom action that a customer ran. */
export interface ActionRun {
  /** The customer's email, as the shop writes it. */
  readonly email: string
  /** The action. */
  readonly action_id: string
  /** The day, `YYYY-MM-DD`. */
  readonly run_on: string
}

/** A store with every endpoint, which a test can look into. */
export interface MemoryStore extends CompleteStorePort {
  /** Currency of every amount, ISO 4217. */
  readonly currency: string
  /** Where the clicks are remembered whose method keeps none itself: custom actions, and operations that you replace. */
  readonly ledger: Ledger
  /** Makes the orders that are due, of those who do not call as well; throws a RangeError for a limit below 1. */
  billDue(options?: BillDueOptions): Promise<BillDueResult>
  /** Orders, oldest first: of one customer, or of one customer after the other. Throws `customer_not_found`. */
  orders(email?: string): readonly Order[]
  /** All that the store knows about a customer; what is due and not yet billed is as it was. */
  account(email: string): CustomerAccount | undefined
  /** The custom actions that were run, oldest first. */
  readonly actionsRun: readonly ActionRun[]
  /** What customers did last, of each kind at most so many; default 50. */
  latestActivity(limit?: number): ShopActivity
  /** Forgets the clicks that are remembered, as their time would: a repeat is a click of its own then. */
  forgetClicks(): void
  /** Forgets everything since the start. */
  reset(): void
}
