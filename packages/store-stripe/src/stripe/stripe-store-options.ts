import type { Stripe } from 'stripe'

/** Time between two orders, as Stripe stores it. A year is not twelve months, because a subscription bills items of one interval together. */
export interface BillingInterval {
  readonly unit: Stripe.Price.Recurring.Interval
  readonly count: number
}

/** Options of `stripeStore`. */
export interface StripeStoreOptions {
  /** Currency of all amounts, as an ISO 4217 code; prices in other currencies are ignored; default `USD`. */
  readonly currency?: string | undefined
  /** IANA time zone of the shop's calendar days; default `UTC`. */
  readonly timeZone?: string | undefined
  /**
   * Selects the product's price for an interval. `prices` are the product's active prices with exactly this interval and currency, oldest
   * first. Returns a price id, or `undefined` if the product is unavailable. Default: the product's default price, or its only price.
   */
  readonly priceOf?:
    | ((product: Stripe.Product, interval: BillingInterval, prices: readonly Stripe.Price[]) => string | undefined)
    | undefined
  /** Billing interval whose prices apply to a customer without a subscription; default one month. */
  readonly interval?: BillingInterval | undefined
  /** Offered products: ids in list order, or a predicate; default all active products with a price, oldest first. */
  readonly offered?: readonly string[] | ((product: Stripe.Product) => boolean) | undefined
  /** Returns recommended product ids, best first; default the customer metadata `storeport_recommended` (`id1,id2`). */
  readonly recommended?: ((customer: Stripe.Customer) => readonly string[]) | undefined
  /** Id of the product that represents shipping. Its price is returned as `shipping_total_cost`, not as an item. */
  readonly shippingProduct?: string | undefined
  /**
   * Effect of a delay and of Send Now on a subscription in the trial with which it was created. `keep`: rejects both. `change`: extends or
   * ends the trial, for shops that set the first billing date with a trial. Default `keep`.
   */
  readonly freeTrials?: 'keep' | 'change' | undefined
  /** Custom actions by name; default none. */
  readonly actions?: Readonly<Record<string, StripeAction>> | undefined
  /** Latest date for a delayed billing, in days from today; default 729, because Stripe accepts at most two years. */
  readonly maxDelayDays?: number | undefined
  /** Number of days after a cancellation during which the subscription can be reactivated; default 365. */
  readonly reactivationDays?: number | undefined
  /** Maximum quantity of a line; default 1,000. */
  readonly maxQuantity?: number | undefined
  /** Time for which `listProducts` uses the prices of an earlier read again, in milliseconds; default 60,000. */
  readonly priceCacheMs?: number | undefined
  /** Called with a line for each change instead of sending it; the change then fails with 503. Default: changes are sent. */
  readonly dryRun?: ((request: string) => void) | undefined
  /** Timeout of one request to Stripe, in milliseconds; default 4,000. */
  readonly timeoutMs?: number | undefined
  /** Timeout of a request that charges a card, in milliseconds; default 20,000. */
  readonly chargeTimeoutMs?: number | undefined
  /** Returns the current time in milliseconds since 1970; default `Date.now`. */
  readonly now?: (() => number) | undefined
}

/** A custom action. Side effects must happen once per `idempotencyKey`. To reject, throw StoreError `action_not_allowed`. */
export type StripeAction = (
  customer: Stripe.Customer,
  context: {
    /** Stripe client that was passed to `stripeStore`. */
    readonly stripe: Stripe
    /** Idempotency key, which is the same for all attempts of a click. */
    readonly idempotencyKey: string
  },
) => CustomerChange | Promise<CustomerChange>

/** Customer fields that a custom action changes. */
export type CustomerChange = Omit<Stripe.CustomerUpdateParams, 'metadata'> & {
  /** Metadata keys to set. An empty value removes the key. */
  readonly metadata?: Stripe.MetadataParam
}
