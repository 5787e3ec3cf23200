import type { Interval } from '@storeport/rules'
import type { Stripe } from 'stripe'

/** Options of a store over Stripe Billing. All are optional. */
export interface StripeStoreOptions {
  /** Currency of all amounts, as an ISO 4217 code; prices in other currencies are ignored; default `USD`. */
  readonly currency?: string | undefined
  /** IANA time zone of the shop's calendar days; default `UTC`. */
  readonly timeZone?: string | undefined
  /**
   * Returns the id of a product's price for an interval. `prices` are the product's active recurring prices in the currency.
   * Default: the oldest price with exactly this interval. Without a price, the product is unavailable for the interval.
   */
  readonly priceOf?:
    | ((product: Stripe.Product, interval: Interval, prices: readonly Stripe.Price[]) => string | undefined)
    | undefined
  /** Interval of the prices for a customer without a subscription; default one month. */
  readonly interval?: Interval | undefined
  /** Offered products: ids in list order, or a predicate; default all active products with a price, oldest first. */
  readonly offered?: readonly string[] | ((product: Stripe.Product) => boolean) | undefined
  /** Returns recommended product ids, best first; default the comma-separated metadata `storeport_recommended`. */
  readonly recommended?: ((customer: Stripe.Customer) => readonly string[]) | undefined
  /** Product used for shipping. Its price is returned as `shipping_total_cost`, not as an item. */
  readonly shippingProduct?: string | undefined
  /** Custom actions by name; default none. */
  readonly actions?: Readonly<Record<string, StripeAction>> | undefined
  /** Maximum days from today to which a billing can be delayed; default 729, because Stripe accepts at most two years. */
  readonly maxDelayDays?: number | undefined
  /** Number of days after its cancellation during which a subscription can be reactivated; default 365. */
  readonly reactivationDays?: number | undefined
  /** Maximum quantity of a line; default 1,000. */
  readonly maxQuantity?: number | undefined
  /** Timeout of one request to Stripe, in milliseconds; default 4,000. */
  readonly timeoutMs?: number | undefined
  /** Number of retries of a request without a response, under the same idempotency key; default 0, because the caller retries. */
  readonly maxNetworkRetries?: number | undefined
  /** Returns the current time in milliseconds since 1970; default `Date.now`. */
  readonly now?: (() => number) | undefined
}

/**
 * A custom action. It returns a change of the customer, which is sent in one request with the mark of the click.
 *
 * Other side effects must happen only once per `idempotencyKey`. Throw StoreError `action_not_allowed` to reject.
 */
export type StripeAction = (
  customer: Stripe.Customer,
  context: {
    /** The client of the store. */
    readonly stripe: Stripe
    /** Idempotency key, which is the same for all retries of one click. */
    readonly idempotencyKey: string
  },
) => CustomerChange | Promise<CustomerChange>

/** Customer fields that a custom action changes. */
export type CustomerChange = Omit<Stripe.CustomerUpdateParams, 'metadata'> & {
  /** Keys to set. An empty value removes the key. */
  readonly metadata?: Stripe.MetadataParam
}
