import type { Discount } from './schemas/discount.ts'
import type {
  AddProductInput,
  CustomerInput,
  DelaySubscriptionInput,
  GetDiscountInput,
  ListProductsInput,
  ReactivateSubscriptionInput,
  RunCustomActionInput,
  SwapProductInput,
  UndoAddProductInput,
} from './schemas/inputs.ts'
import type { ProductList } from './schemas/product.ts'
import type { CancelledSubscriptionList, CurrentSubscription } from './schemas/subscription.ts'

/** What a store is told about a call beside its input. */
export interface Context {
  /** Identifies the call in logs; the caller sees it as `X-Request-Id`. */
  readonly requestId: string
  /** Fires when the time for the call is up and, for a GET, when the caller has left; made when it is read, so `{ ...context }` lacks it. */
  readonly signal: AbortSignal
  /** Stable over the retries of one click: hand it to an upstream that takes an idempotency key. */
  readonly idempotencyKey: string
  /** Whether the call asked for the test store. */
  readonly testMode: boolean
}

/**
 * The merchant's shop, as the API sees it: one method for each endpoint.
 *
 * Leave a method out and the caller hides its widget or button. To refuse a call, throw a `StoreError`.
 */
export interface StorePort {
  /**
   * Whether the store keeps `context.idempotencyKey` in the same transaction as the change, and does nothing when it
   * meets a key again: then a retry whose first try ended unknown can run again.
   */
  readonly honoursIdempotencyKey?: boolean | undefined
  /** Lists the offered products, or with an email those recommended to that customer (SPEC endpoint 1). */
  listProducts?(input: ListProductsInput, context: Context): Promise<ProductList>
  /** Adds a product to the customer's subscription or next order (SPEC endpoint 2). */
  addProduct?(input: AddProductInput, context: Context): Promise<void>
  /** Takes back the most recent add of a product (SPEC endpoint 3). */
  undoAddProduct?(input: UndoAddProductInput, context: Context): Promise<void>
  /** Returns the active subscription that is billed next, or `null` (SPEC endpoint 4). */
  getSubscription?(input: CustomerInput, context: Context): Promise<CurrentSubscription | null>
  /** Processes and ships the next order now (SPEC endpoint 5). */
  sendNow?(input: CustomerInput, context: Context): Promise<void>
  /** Postpones the next billing and shipment (SPEC endpoint 6). */
  delaySubscription?(input: DelaySubscriptionInput, context: Context): Promise<void>
  /** Replaces an item of the current subscription by another product (SPEC endpoint 7). */
  swapProduct?(input: SwapProductInput, context: Context): Promise<void>
  /** Lists the cancelled subscriptions that can be reactivated, in the order of display (SPEC endpoint 8). */
  listCancelledSubscriptions?(input: CustomerInput, context: Context): Promise<CancelledSubscriptionList>
  /** Makes a cancelled subscription active again (SPEC endpoint 9). */
  reactivateSubscription?(input: ReactivateSubscriptionInput, context: Context): Promise<void>
  /** Runs the merchant's own action behind a custom button (SPEC endpoint 10). */
  runCustomAction?(input: RunCustomActionInput, context: Context): Promise<void>
  /** Returns what a discount code is worth, or `null` when it cannot be used (SPEC endpoint 11). */
  getDiscount?(input: GetDiscountInput, context: Context): Promise<Discount | null>
}

/** The name of an endpoint: its StorePort method, client method, operationId and check prefix. */
export type EndpointName = Exclude<keyof StorePort, 'honoursIdempotencyKey'>

/** A store that offers every endpoint. */
export type CompleteStorePort = StorePort & Required<Pick<StorePort, EndpointName>>
