/**
 * All that the rules know about one customer: plain data, as a store keeps it.
 *
 * Field names are snake_case as on the wire. Money is a whole number of minor units, in fields that end in `_minor`.
 * Dates are `YYYY-MM-DD`. A rule never changes an account: it returns a new one, in which every part that stayed as it
 * was is the same object, so that a store finds what to save by comparing the two with `===`.
 */
export interface CustomerAccount {
  /** The customer's email, as the shop writes it. */
  readonly email: string
  /** Active and cancelled subscriptions, in any order. */
  readonly subscriptions: readonly Subscription[]
  /** The adds that can still be taken back, oldest first. */
  readonly adds: readonly OpenAdd[]
  /** Discount codes used for a next order or a one-off order; a store may leave out those of orders that are not open. */
  readonly discount_uses: readonly DiscountUse[]
  /** Orders, oldest first; a store may leave out those that are not open. */
  readonly orders: readonly Order[]
  /** Day of the last order of a subscription, whichever: of the last sendNow, or of the last billing. */
  readonly last_sent_on: string | null
  /** When that order was made, in milliseconds since 1970, where the shop knew the time. */
  readonly last_sent_at: number | null
  /** Ids of the products recommended to the customer, best first. */
  readonly recommended: readonly string[]
}

/** A subscription: an active one has a next billing date, a cancelled one the day it was cancelled on. */
export type Subscription = ActiveSubscription | EndedSubscription

/** A subscription that will be billed. */
export interface ActiveSubscription extends SubscriptionTerms {
  /** Tells active from cancelled. */
  readonly status: 'active'
  /** Day of the next billing and shipment. */
  readonly next_billing_date: string
  /** Null as long as the subscription is active. */
  readonly cancelled_on: null
}

/** A subscription that was cancelled, and may be reactivated. */
export interface EndedSubscription extends SubscriptionTerms {
  /** Tells active from cancelled. */
  readonly status: 'cancelled'
  /** Null: nothing will be billed. */
  readonly next_billing_date: null
  /** Day of the cancellation. */
  readonly cancelled_on: string
}

/** What a subscription delivers, how often, and at what cost besides the items. */
export interface SubscriptionTerms {
  /** Unique in the shop. */
  readonly id: string
  /** Name shown to the customer. */
  readonly title: string
  /** Time between two orders. */
  readonly interval: Interval
  /** What the next order will contain, in the order of display: of a product at most one recurring item and one one-time line. */
  readonly items: readonly Item[]
  /** Shipping cost of one order, in minor units. */
  readonly shipping_minor: number
  /** Standing discount of every order, in minor units. */
  readonly order_discount_minor: number
  /** Tax rate as a decimal: 0.08 means 8 %. */
  readonly tax_rate: number
}

/** The time between two orders. */
export interface Interval {
  /** A week is 7 days, a month a calendar month. */
  readonly unit: 'day' | 'week' | 'month'
  /** How many of them, at least 1. */
  readonly count: number
}

/** An item of a subscription: recurring, or a line on the next order only. */
export interface Item {
  /** Unique in the shop, and never on the wire: there an item has its `wireItemId`. */
  readonly id: string
  /** The product. */
  readonly product_id: string
  /** Units in one order, at least 1. */
  readonly quantity: number
  /** Price of one unit, in minor units. */
  readonly price_minor: number
  /** Whether the item is gone after the next order. */
  readonly one_time: boolean
}

/** An add that can still be taken back: of an item of a subscription, or of a one-off order, never both. */
export interface OpenAdd {
  /** Unique in the shop. */
  readonly id: string
  /** The product that was added. */
  readonly product_id: string
  /** Units that were added. */
  readonly quantity: number
  /** The subscription that it went into. */
  readonly subscription_id: string | null
  /** The item of that subscription that it made or joined. */
  readonly item_id: string | null
  /** The one-off order that it made. */
  readonly order_id: string | null
  /** The use of the discount code that came with it. */
  readonly discount_use_id: string | null
}

/** One use of a discount code: it lowers the next order of a subscription, or belongs to an order, never both. */
export interface DiscountUse {
  /** Unique in the shop. */
  readonly id: string
  /** The code, as the shop writes it. */
  readonly code: string
  /** The subscription whose next order it lowers. */
  readonly subscription_id: string | null
  /** The item of that subscription that it was used for: a percentage goes when the item is swapped for another product. */
  readonly item_id: string | null
  /** The order that it lowered. */
  readonly order_id: string | null
  /** Day of the use. */
  readonly used_on: string
  /** A fixed amount counts once for an order, however often its code was used for it. */
  readonly kind: 'percentage' | 'fixed_amount'
  /** What it takes off, in minor units; a percentage is worked out when the code is used. */
  readonly amount_minor: number
}

/** An order: the next one of a subscription after sendNow or on its billing date, or a one-off order. */
export interface Order extends OrderTotals {
  /** Unique in the shop. */
  readonly id: string
  /** Where it comes from. */
  readonly kind: 'subscription' | 'one_off'
  /** The subscription, or null for a one-off order. */
  readonly subscription_id: string | null
  /** Open: a one-off order that the merchant's fulfilment has not taken yet. */
  readonly status: 'open' | 'processing' | 'shipped' | 'cancelled'
  /** Day on which the customer placed it. */
  readonly placed_on: string
  /** What it contains. */
  readonly lines: readonly OrderLine[]
}

/** A line of an order, with the title and price of the day it was placed. */
export interface OrderLine {
  /** The product. */
  readonly product_id: string
  /** The product's name. */
  readonly title: string
  /** Units. */
  readonly quantity: number
  /** Price of one unit, in minor units. */
  readonly price_minor: number
  /** Whether the line was for this order only. */
  readonly one_time: boolean
}

/** What an order costs, in minor units. */
export interface OrderTotals {
  /** Sum of the lines. */
  readonly items_minor: number
  /** What the discounts take off, never more than the lines. */
  readonly discount_minor: number
  /** Shipping. */
  readonly shipping_minor: number
  /** Tax on the lines less the discount. */
  readonly tax_minor: number
  /** What the customer pays. */
  readonly total_minor: number
}

/** What customers of a shop did last, for a page that shows it to a person; of each kind the latest comes first. */
export interface ShopActivity {
  /** Orders. */
  readonly orders: readonly (Order & Whose)[]
  /** Uses of discount codes; of one day, those that wait for the next order come first. */
  readonly discount_uses: readonly (DiscountUse & Whose)[]
  /** Custom actions that were run. */
  readonly actions_run: readonly (Whose & {
    /** The action. */
    readonly action_id: string
    /** The day, `YYYY-MM-DD`. */
    readonly run_on: string
  })[]
}

interface Whose {
  /** The customer's email, as the shop writes it. */
  readonly email: string
}
