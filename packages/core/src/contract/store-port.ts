import type { AddProductInput } from './add-product.ts'
import type { DelaySubscriptionInput } from './delay-subscription.ts'
import type { GetDiscountInput } from './get-discount.ts'
import type { ListProductsInput } from './list-products.ts'
import type { ReactivateSubscriptionInput } from './reactivate-subscription.ts'
import type { RunCustomActionInput } from './run-custom-action.ts'
import type { SwapProductInput } from './swap-product.ts'
import type { UndoAddProductInput } from './undo-add-product.ts'
import type { CancelledSubscriptionList, CurrentSubscription, CustomerInput, Discount, ProductList } from './schemas.ts'
import type { PendingClick } from '../retries/pending-click.ts'
import type { Ledger } from '../retries/ledger.ts'

/** What a store method receives besides its input. */
export interface Context {
  /** Identifies the call in logs; the caller sees it as `X-Request-Id` (HEADER-4). */
  readonly requestId: string
  /** Fires when the time for the call is up and, for a GET, when the caller has left; made when it is read, so `{ ...context }` lacks it. */
  readonly signal: AbortSignal
  /** The same for all attempts of one click: pass it to an upstream that takes an idempotency key (RETRY-5). */
  readonly idempotencyKey: string
  /** Whether the call asked for the test store (TEST-1). */
  readonly testMode: boolean
  /** The click to keep together with the change, for a method that `keepsClicks` marks. */
  readonly click?: PendingClick | undefined
  /** What all requests of the click have in common, for a store with `reconcile`. */
  readonly clickIdentity?: ClickIdentity | undefined
}

/** What all requests of one click have in common. */
export interface ClickIdentity {
  /** Whether the request has an `Idempotency-Key`; then `idempotencyKey` is derived from it and never changes. */
  readonly named: boolean
  /** Digest of endpoint and input. */
  readonly fingerprint: string
  /** How long a repeat of a success counts as the same click, in milliseconds. */
  readonly windowMs: number
}

/** What a store is asked about earlier attempts of a click. */
export interface ReconcileContext extends Context {
  readonly clickIdentity: ClickIdentity
  /** When the first attempt that may have made the change began, in milliseconds since 1970; `undefined` on a young ledger. */
  readonly firstAttemptAt: number | undefined
  /** When the last one began. */
  readonly lastAttemptAt: number | undefined
  /**
   * Whether the ledger may have forgotten this click: then no attempt is known, `idempotencyKey` is new for an unnamed click, and
   * the answer is about any change of this fingerprint.
   */
  readonly ledgerIsYoung: boolean
}

/** The eleven operations: one method for each endpoint. To refuse a call, a method throws a `StoreError`. */
export interface Operations {
  /** Lists the offered products, or with an email those recommended to that customer (PRODUCTS-3, PRODUCTS-4). */
  listProducts(input: ListProductsInput, context: Context): Promise<ProductList>
  /** Adds a product to the customer's subscription or next order (ADD-1, ADD-3). */
  addProduct(input: AddProductInput, context: Context): Promise<void>
  /** Takes back the most recent add of a product (UNDO-1). */
  undoAddProduct(input: UndoAddProductInput, context: Context): Promise<void>
  /** Returns the active subscription that is billed next, or `null` (SUBSCRIPTION-1, SUBSCRIPTION-2). */
  getSubscription(input: CustomerInput, context: Context): Promise<CurrentSubscription | null>
  /** Processes and ships the next order now (SEND-1). */
  sendNow(input: CustomerInput, context: Context): Promise<void>
  /** Postpones the next billing and shipment (DELAY-1). */
  delaySubscription(input: DelaySubscriptionInput, context: Context): Promise<void>
  /** Replaces an item of the current subscription by another product (SWAP-1). */
  swapProduct(input: SwapProductInput, context: Context): Promise<void>
  /** Lists the cancelled subscriptions that can be reactivated, in the order of display (CANCELLED-1). */
  listCancelledSubscriptions(input: CustomerInput, context: Context): Promise<CancelledSubscriptionList>
  /** Makes a cancelled subscription active again (REACTIVATE-1). */
  reactivateSubscription(input: ReactivateSubscriptionInput, context: Context): Promise<void>
  /** Runs the merchant's own action behind a custom button (ACTION-1). */
  runCustomAction(input: RunCustomActionInput, context: Context): Promise<void>
  /** Returns what a discount code is worth, or `null` when it cannot be used (DISCOUNT-1). */
  getDiscount(input: GetDiscountInput, context: Context): Promise<Discount | null>
}

/** An operation that changes something. */
export type MutationName = {
  [Name in keyof Operations]: Operations[Name] extends (...call: never) => Promise<void> ? Name : never
}[keyof Operations]

/**
 * What a store finds out about earlier attempts. `not_applied`: not applied, and nothing that was sent under this key can apply any
 * more. A store that cannot promise this returns `unknown`.
 */
export type Reconciled = 'applied' | 'not_applied' | 'unknown'

/** The request whose earlier attempts have an unknown outcome: its method, its input and what is known of them. */
export type ReconcileCall = {
  [Name in MutationName]: [name: Name, input: Parameters<Operations[Name]>[0], context: ReconcileContext]
}[MutationName]

/** What a store promises besides its operations. */
export interface Promises {
  /**
   * Whether the store keeps `context.idempotencyKey` in the same transaction as the change, or hands it to an upstream
   * that does, and does nothing if it gets a key again: then a retry runs after an unknown outcome. `forMs` is how long the
   * upstream remembers a key, in milliseconds.
   */
  readonly honoursIdempotencyKey?: boolean | { readonly forMs: number } | undefined
  /**
   * Finds out whether an earlier attempt made its change, by the `context.idempotencyKey` that all attempts have. Called before
   * a retry runs, when the earlier attempts have ended or were lost. Anything it throws means `unknown`.
   */
  reconcile?(...call: ReconcileCall): Promise<Reconciled>
  /** Where the clicks of methods without `keepsClicks` are remembered; default the option `retries.ledger`. */
  readonly ledger?: Ledger | undefined
  /** Currency of every amount that the store answers, as ISO 4217 writes it; default the option `currency` of the integration. */
  readonly currency?: string | undefined
}

/** The merchant's shop, as the API sees it: leave an operation out and the caller hides its widget or button. */
export type StorePort = Partial<Operations> & Promises

/** The name of an endpoint: its StorePort method, client method, operationId and check prefix. */
export type EndpointName = keyof Operations

/** A store that offers every endpoint. */
export type CompleteStorePort = Operations & Promises
