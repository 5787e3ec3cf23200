import type { AddProductInput } from './add-product.ts'
import type { DelaySubscriptionInput } from './delay-subscription.ts'
import type { GetDiscountInput } from './get-discount.ts'
import type { ListProductsInput } from './list-products.ts'
import type { ReactivateSubscriptionInput } from './reactivate-subscription.ts'
import type { RunCustomActionInput } from './run-custom-action.ts'
import type { SwapProductInput } from './swap-product.ts'
import type { UndoAddProductInput } from './undo-add-product.ts'
import type { CancelledSubscriptionList, CurrentSubscription, CustomerInput, Discount, ProductList } from './schemas.ts'
import type { Click, Ledger } from './ledger.ts'

/** Second argument of every store method. */
export interface Context {
  /** Id of the request in logs, returned as `X-Request-Id` (HEADER-4). */
  readonly requestId: string
  /** Aborts at the time limit and, for a GET, when the caller disconnects. `{ ...context }` omits this getter. */
  readonly signal: AbortSignal
  /**
   * Key that is the same for all attempts of a click. Pass this key to an upstream service that accepts an idempotency
   * key (RETRY-5).
   */
  readonly idempotencyKey: string
  /** Whether the request selects the test store (TEST-1). */
  readonly testMode: boolean
  /** The click, which `once` stores together with the change; `undefined` for a read and with `retries: false`. */
  readonly click?: Click | undefined
  /** Properties that all requests of the click share; `undefined` for a store without `reconcile`. */
  readonly clickIdentity?: ClickIdentity | undefined
}

/** Properties that all requests of a click share. */
export interface ClickIdentity {
  /** Whether the request has an `Idempotency-Key`. If so, `idempotencyKey` is derived from the header. */
  readonly named: boolean
  /** Digest of the endpoint and the input. */
  readonly fingerprint: string
  /** Time after a success in which a repeat is the same click, in milliseconds. */
  readonly windowMs: number
}

/** Second argument of `reconcile`: the facts about earlier attempts of a click. */
export interface ReconcileContext extends Context {
  readonly clickIdentity: ClickIdentity
  /** Start of the first attempt that may have succeeded, in milliseconds since 1970. */
  readonly firstAttemptAt: number
  /** Start of the last attempt that may have succeeded, in milliseconds since 1970. */
  readonly lastAttemptAt: number
}

/** The eleven operations, with one method for each endpoint. To reject a request, throw a `StoreError`. */
export interface Operations {
  /** Lists the offered products, or the recommendations for a customer (PRODUCTS-3, PRODUCTS-4). */
  listProducts(input: ListProductsInput, context: Context): Promise<ProductList>
  /** Adds a product to the customer's subscription or next order (ADD-1, ADD-3). */
  addProduct(input: AddProductInput, context: Context): Promise<void>
  /** Undoes the most recent addition of a product (UNDO-1). */
  undoAddProduct(input: UndoAddProductInput, context: Context): Promise<void>
  /** Returns the active subscription with the earliest billing date, or `null` (SUBSCRIPTION-1, SUBSCRIPTION-2). */
  getSubscription(input: CustomerInput, context: Context): Promise<CurrentSubscription | null>
  /** Processes and ships the next order now (SEND-1). */
  sendNow(input: CustomerInput, context: Context): Promise<void>
  /** Postpones the next billing and shipment (DELAY-1). */
  delaySubscription(input: DelaySubscriptionInput, context: Context): Promise<void>
  /** Replaces an item of the current subscription with another product (SWAP-1). */
  swapProduct(input: SwapProductInput, context: Context): Promise<void>
  /** Lists the cancelled subscriptions that can be reactivated, in display order (CANCELLED-1). */
  listCancelledSubscriptions(input: CustomerInput, context: Context): Promise<CancelledSubscriptionList>
  /** Makes a cancelled subscription active again (REACTIVATE-1). */
  reactivateSubscription(input: ReactivateSubscriptionInput, context: Context): Promise<void>
  /** Runs the action that the merchant has defined for a custom button (ACTION-1). */
  runCustomAction(input: RunCustomActionInput, context: Context): Promise<void>
  /** Returns the value of a discount code, or `null` if the code cannot be used (DISCOUNT-1). */
  getDiscount(input: GetDiscountInput, context: Context): Promise<Discount | null>
}

/** An operation that makes a change. */
export type MutationName = {
  [Name in keyof Operations]: Operations[Name] extends (...call: never) => Promise<void> ? Name : never
}[keyof Operations]

/**
 * Result of `reconcile`. `not_applied` guarantees that no earlier attempt has made or can still make the change.
 * Without this guarantee, return `unknown`.
 */
export type Reconciled = 'applied' | 'not_applied' | 'unknown'

/** Arguments of `reconcile`: the method, its input, and the facts about earlier attempts. */
export type ReconcileCall = {
  [Name in MutationName]: [name: Name, input: Parameters<Operations[Name]>[0], context: ReconcileContext]
}[MutationName]

/** Properties of a store besides its operations. */
export interface Promises {
  /**
   * Whether a second change with the same `context.idempotencyKey` has no effect. If so, a retry after an unknown
   * outcome runs. `forMs` is how long the store or the upstream service remembers the key, in milliseconds.
   */
  readonly honoursIdempotencyKey?: boolean | { readonly forMs: number } | undefined
  /**
   * Returns whether an earlier attempt made the change. All attempts share `context.idempotencyKey`. Called before a
   * retry, when no earlier attempt holds a lease. A thrown error is treated as `unknown`.
   */
  reconcile?(...call: ReconcileCall): Promise<Reconciled>
  /**
   * Whether two concurrent changes of one customer can damage each other, so that the store needs the order of the
   * ledger. If true, `retries: false` is rejected.
   */
  readonly changesMustNotOverlap?: boolean | undefined
  /** Ledger for the clicks of methods without `storesClicks`; default: the option `retries.ledger`. */
  readonly ledger?: Ledger | undefined
  /** Currency of all amounts, as an ISO 4217 code; default: the option `currency`. */
  readonly currency?: string | undefined
}

/** The interface to the merchant's shop. If you omit an operation, the caller hides the matching widget or button. */
export type StorePort = Partial<Operations> & Promises

/** Name of an endpoint. The StorePort method, the client method and the OpenAPI operation have the same name. */
export type EndpointName = keyof Operations

/** A store that offers every endpoint. */
export type CompleteStorePort = Operations & Promises
