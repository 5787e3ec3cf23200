import type { Interval } from '@storeport/rules'
import type { Stripe } from 'stripe'

/** How a store over Stripe Billing is set up; everything has a default. */
export interface StripeStoreOptions {
  /** Currency of every amount, as ISO 4217 writes it; prices in others are not seen; default `USD`. */
  readonly currency?: string | undefined
  /** Where the shop's day begins, as an IANA name: Stripe knows instants only; default `UTC`. */
  readonly timeZone?: string | undefined
  /**
   * Chooses the price of a product for a subscription with an interval, by its id, among the product's active recurring
   * prices in the currency; default the oldest with just that interval. Without one the product is unavailable there.
   */
  readonly priceOf?:
    | ((product: Stripe.Product, interval: Interval, prices: readonly Stripe.Price[]) => string | undefined)
    | undefined
  /** The interval whose prices a customer without a subscription sees; default a month. */
  readonly interval?: Interval | undefined
  /** Which active products are offered: their ids in the order of the list, or a test; default all that have a price, the oldest first. */
  readonly offered?: readonly string[] | ((product: Stripe.Product) => boolean) | undefined
  /** Ids of the products recommended to a customer, best first; default the metadata `storeport_recommended`, divided by commas. */
  readonly recommended?: ((customer: Stripe.Customer) => readonly string[]) | undefined
  /** The product whose price is the shipping of an order: an item of it is told as `shipping_total_cost`, and not as an item. */
  readonly shippingProduct?: string | undefined
  /** The custom actions by name; default none. */
  readonly actions?: Readonly<Record<string, StripeAction>> | undefined
  /** How many days from today the next billing can be delayed to; default 729: Stripe takes at most two years. */
  readonly maxDelayDays?: number | undefined
  /** For how many days after its cancellation a subscription can be reactivated; default 365. */
  readonly reactivationDays?: number | undefined
  /** Most units that one line may hold; default 1,000. */
  readonly maxQuantity?: number | undefined
  /** Time for one request to Stripe, in milliseconds; default 4,000. */
  readonly timeoutMs?: number | undefined
  /** How often a request is repeated that got no answer, under the same idempotency key; default 0: the caller repeats. */
  readonly maxNetworkRetries?: number | undefined
  /** The time in milliseconds since 1970; default `Date.now`. */
  readonly now?: (() => number) | undefined
}

/**
 * A custom action: answers what is to be changed of the customer, which goes to Stripe in one request together with the mark of the click.
 *
 * Whatever else it does must do nothing when it meets `idempotencyKey` again. Throws StoreError `action_not_allowed` to refuse.
 */
export type StripeAction = (
  customer: Stripe.Customer,
  call: {
    /** The client of the store. */
    readonly stripe: Stripe
    /** Stable over the retries of one click. */
    readonly idempotencyKey: string
  },
) => CustomerChange | Promise<CustomerChange>

/** What a custom action changes of a customer. */
export type CustomerChange = Omit<Stripe.CustomerUpdateParams, 'metadata'> & {
  /** Keys to set, and to unset where the value is empty. */
  readonly metadata?: Stripe.MetadataParam
}
