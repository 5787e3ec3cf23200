import type { Discount, Product } from '@storeport/core'
import type { Interval } from '../account/customer-account.ts'

/**
 * The data of a shop as plain JSON: the initial data of a built-in store.
 *
 * Field names are as in the API. Money is in major units with the currency's decimals (19.95). Dates are `YYYY-MM-DD`.
 */
export interface ShopData {
  /** Products, in the sequence of the general product list. */
  readonly products?: readonly ProductData[] | undefined
  /** Customers with their subscriptions. */
  readonly customers?: readonly CustomerData[] | undefined
  /** Discount codes. */
  readonly discounts?: readonly DiscountData[] | undefined
  /** Ids of the shop's custom actions. */
  readonly actions?: readonly string[] | undefined
}

/** Shop data without omitted parts. */
export type CompleteShopData = { readonly [Field in keyof ShopData]-?: NonNullable<ShopData[Field]> }

/** A product, with the fields of the API. Its id has at most 250 characters and does not end in `~once`. */
export type ProductData = Readonly<Product> & {
  /**
   * Whether customers can order the product, or the maximum quantity of an item; default true. Unavailable products are
   * not listed.
   */
  readonly available?: boolean | number | undefined
}

/** A discount code, with the fields of the API. */
export type DiscountData = Readonly<Discount> & {
  /** The code; not case-sensitive. */
  readonly code: string
  /** Last day of validity; default: unlimited. */
  readonly expires_on?: string | undefined
  /** Maximum number of uses by all customers; default: unlimited. */
  readonly max_uses?: number | undefined
  /** Number of previous uses; default 0. */
  readonly uses?: number | undefined
}

/** A customer. */
export interface CustomerData {
  /** The email; not case-sensitive. */
  readonly email: string
  /** Ids of recommended products, best first. */
  readonly recommended?: readonly string[] | undefined
  /** Subscriptions, in any sequence. */
  readonly subscriptions?: readonly SubscriptionData[] | undefined
}

/** A subscription: active with `next_billing_date`, cancelled with `cancelled_on`, or paused. */
export type SubscriptionData = SubscriptionTermsData &
  (
    | { readonly next_billing_date: string; readonly cancelled_on?: undefined; readonly paused?: undefined }
    | { readonly cancelled_on: string; readonly next_billing_date?: undefined; readonly paused?: undefined }
    | { readonly paused: true; readonly next_billing_date?: undefined; readonly cancelled_on?: undefined }
  )

/** Contents, interval and costs of a subscription. */
export interface SubscriptionTermsData {
  /** Id of the record, unique in the shop. */
  readonly id: string
  /** Name shown to the customer; default: the interval, such as "Every month". */
  readonly title?: string | undefined
  /** Time between two orders; default: 1 month. */
  readonly interval?: Interval | undefined
  /** Day of the month on which a monthly subscription is billed, 1 to 31; default: the day of `next_billing_date`. */
  readonly anchor_day?: number | undefined
  /** Dates on which the subscription is not billed. */
  readonly skipped?: readonly string[] | undefined
  /**
   * Contents of an order, as displayed from first to last. A product can have one recurring item and one one-time item.
   */
  readonly items?: readonly ItemData[] | undefined
  /** Shipping cost of one order; default 0. */
  readonly shipping_total_cost?: number | undefined
  /** Discount on every order; default 0. */
  readonly order_discount_total?: number | undefined
  /** Tax rate as a decimal (0.08 means 8%); default 0. */
  readonly customer_tax_rate?: number | undefined
}

/** An item of a subscription. */
export interface ItemData {
  /** Id of the item, unique in the shop. Requests and responses use `wireItemId` instead. */
  readonly id: string
  /** Id of a product of the shop. */
  readonly product_id: string
  /** Units in one order; default 1. */
  readonly quantity?: number | undefined
  /** Price of one unit; default: the product's price. */
  readonly price?: number | undefined
  /** Whether the item is only for the next order; default false. */
  readonly one_time?: boolean | undefined
}
