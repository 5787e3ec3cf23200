import type { Discount, Product } from '@storeport/core'
import type { Interval } from '../account/customer-account.ts'

/**
 * A whole shop as plain data that a person can write, or keep as JSON: what a built-in store starts with.
 *
 * Fields have the names of the wire; money is in major units with at most the decimals of the currency (19.95), dates are `YYYY-MM-DD`.
 */
export interface ShopData {
  /** Products, in the order of the general list. */
  readonly products?: readonly ProductData[] | undefined
  /** Customers with their subscriptions. */
  readonly customers?: readonly CustomerData[] | undefined
  /** Discount codes. */
  readonly discounts?: readonly DiscountData[] | undefined
  /** Ids of the custom actions that the shop knows. */
  readonly actions?: readonly string[] | undefined
}

/** A shop with nothing left out. */
export type CompleteShopData = { readonly [Field in keyof ShopData]-?: NonNullable<ShopData[Field]> }

/** A product, with the fields that the caller sees; its id is at most 250 characters and does not end in `~once`. */
export type ProductData = Readonly<Product> & {
  /** Whether it can be ordered; default true. One that cannot is not listed. */
  readonly available?: boolean | undefined
}

/** A discount code, with the fields that the caller sees. */
export type DiscountData = Readonly<Discount> & {
  /** The code; it matches whatever its letter case. */
  readonly code: string
  /** The last day on which it can be used; default never. */
  readonly expires_on?: string | undefined
  /** How often it can be used, by all customers together; default without a limit. */
  readonly max_uses?: number | undefined
  /** How often it has been used before; default 0. */
  readonly uses?: number | undefined
}

/** A customer. */
export interface CustomerData {
  /** The email; it matches whatever its letter case. */
  readonly email: string
  /** Ids of recommended products, best first. */
  readonly recommended?: readonly string[] | undefined
  /** Subscriptions, in any order. */
  readonly subscriptions?: readonly SubscriptionData[] | undefined
}

/** A subscription: an active one has a `next_billing_date`, a cancelled one has `cancelled_on`. */
export type SubscriptionData = SubscriptionTermsData &
  (
    | { readonly next_billing_date: string; readonly cancelled_on?: undefined }
    | { readonly cancelled_on: string; readonly next_billing_date?: undefined }
  )

/** What a subscription delivers, how often, and at what cost besides the items. */
export interface SubscriptionTermsData {
  /** Unique in the shop. */
  readonly id: string
  /** Name shown to the customer; default in the words of the interval: "Every month". */
  readonly title?: string | undefined
  /** Time between two orders; default a month. */
  readonly interval?: Interval | undefined
  /** What an order contains, in the order of display; of a product at most one recurring item and one one-time line. */
  readonly items?: readonly ItemData[] | undefined
  /** Shipping of one order; default 0. */
  readonly shipping_total_cost?: number | undefined
  /** Standing discount of every order; default 0. */
  readonly order_discount_total?: number | undefined
  /** Tax rate as a decimal (0.08 means 8 %); default 0. */
  readonly customer_tax_rate?: number | undefined
}

/** An item of a subscription. */
export interface ItemData {
  /** Unique in the shop, and never on the wire, where an item is named by its product. */
  readonly id: string
  /** Id of a product of the shop. */
  readonly product_id: string
  /** Units in one order; default 1. */
  readonly quantity?: number | undefined
  /** Price of one unit; default the product's. */
  readonly price?: number | undefined
  /** Whether it is for the next order only; default false. */
  readonly one_time?: boolean | undefined
}
