import type { Discount, EndpointName, ErrorCode } from '@storeport/core'

/** What the checks may use of a shop: test customers, products, codes and actions. What is left out, the checks skip. */
export interface Profile {
  /** Email addresses of test customers; the checks change what these customers have. */
  readonly customers: ProfileCustomers
  /** Products of the shop. */
  readonly products: ProfileProducts
  /** Product ids recommended to `customers.subscribed`, in rank order, whether or not they own them. */
  readonly recommended?: readonly string[] | undefined
  /** Subscriptions by their ids. */
  readonly subscriptions: ProfileSubscriptions
  /** How often the subscription of `customers.neighbour` is billed. */
  readonly interval?: Interval | undefined
  /** Discount codes. */
  readonly discounts: ProfileDiscounts
  /** Custom actions. */
  readonly actions: ProfileActions
  /** Further calls that the shop refuses, and how: such as a customer whose payment fails. */
  readonly refusals: readonly ProfileRefusal[]
  /** Largest `quantity`. */
  readonly maxQuantity: number
  /** The currency of every amount, as ISO 4217 writes it; amounts have at most its decimals. */
  readonly currency: string
  /** The time zone that decides what "today" is, by its IANA name. */
  readonly timeZone: string
  /** The shop's date, `YYYY-MM-DD`, where it stands still. */
  readonly today?: string | undefined
}

/** Email addresses of test customers. */
export interface ProfileCustomers {
  /** Nobody. */
  readonly unknown: string
  /** A customer who has no subscription, neither active nor cancelled, and no recommendations. */
  readonly empty?: string | undefined
  /** A customer with two active subscriptions, whose current one lacks one of the listed products. */
  readonly subscribed?: string | undefined
  /** A customer with cancelled subscriptions that can be reactivated and none that is active. */
  readonly cancelled?: string | undefined
  /** A customer with one active subscription and a cancelled one that can be reactivated. */
  readonly neighbour?: string | undefined
}

/** Products of the shop. */
export interface ProfileProducts {
  /** The start of the general list, in its order, with prices in major units. */
  readonly listed: readonly ProfileProduct[]
  /** A product that is sold out. */
  readonly unavailable?: string | undefined
  /** An id that no product has. */
  readonly unknown: string
}

/** A product and what it costs. */
export interface ProfileProduct {
  /** Its id. */
  readonly id: string
  /** Its price in major units. */
  readonly price: number
  /** The price to compare it with, in major units. */
  readonly compare_at_price?: number | undefined
}

/** Subscriptions by their ids. */
export interface ProfileSubscriptions {
  /** The cancelled ones of `customers.cancelled` that can be reactivated, most recently cancelled first. */
  readonly cancelled?: readonly string[] | undefined
  /** One of `customers.cancelled` that was cancelled too long ago. */
  readonly tooOld?: string | undefined
  /** An active one of `customers.subscribed`. */
  readonly active?: string | undefined
  /** An id that no subscription has. */
  readonly unknown: string
}

/** A time from one billing date to the next. */
export interface Interval {
  /** Calendar months. */
  readonly months?: number | undefined
  /** Weeks. */
  readonly weeks?: number | undefined
}

/** Discount codes. */
export interface ProfileDiscounts {
  /** A percentage and what getDiscount tells about it. */
  readonly percentage?: ProfileDiscount | undefined
  /** A fixed amount and what getDiscount tells about it. */
  readonly fixed?: ProfileDiscount | undefined
  /** A code that has expired. */
  readonly expired?: string | undefined
  /** A code that does not exist. */
  readonly unknown: string
}

/** A discount code and what it is worth. */
export interface ProfileDiscount {
  /** The code. */
  readonly code: string
  /** What getDiscount answers. */
  readonly discount: Discount
}

/** Custom actions. */
export interface ProfileActions {
  /** An action that can be run as often as one likes. */
  readonly known?: string | undefined
  /** An id that no action has. */
  readonly unknown: string
}

/** A call that the shop refuses. */
export interface ProfileRefusal {
  /** The endpoint to call. */
  readonly call: EndpointName
  /** What to send. */
  readonly input: Readonly<Record<string, unknown>>
  /** The code that must come back. */
  readonly code: ErrorCode
}
