import type { DiscountWorth } from '../shop/shop.ts'

/**
 * One customer's data, in the form that stores save and rules use.
 *
 * Field names are snake_case, as in the API. Money is a whole number of minor units, in fields that end in `_minor`.
 * Dates are `YYYY-MM-DD`. A rule never mutates an account. Instead, a rule returns a new account. Every unchanged part
 * is the same object, so that a store can find the changes with `===`.
 */
export interface CustomerAccount {
  /** The customer's email, in the letter case that the shop stores. */
  readonly email: string
  /** Active, cancelled and paused subscriptions, in any sequence. */
  readonly subscriptions: readonly Subscription[]
  /** The additions that can be undone, oldest first. */
  readonly adds: readonly OpenAdd[]
  /**
   * Uses of discount codes, for the next order of a subscription or for an existing order. A store may omit uses for
   * orders that are not open.
   */
  readonly discount_uses: readonly DiscountUse[]
  /** Orders, oldest first. A store may omit orders that are not open. */
  readonly orders: readonly Order[]
  /** Date of the latest subscription order, created by sendNow or by billing; null before the first order. */
  readonly last_sent_on: string | null
  /**
   * Time of the latest subscription order, in milliseconds since 1970; null before the first order, or if the shop has
   * only a date and no time.
   */
  readonly last_sent_at: number | null
  /** Ids of the products recommended to the customer, best first. */
  readonly recommended: readonly string[]
  /**
   * The order that is being charged; null or omitted if no charge is pending. Used only with a `charge` function. Store
   * this field as JSON.
   */
  readonly pending_charge?: PendingCharge | null | undefined
}

/** An order that is added to the account after its charge succeeds. */
export interface PendingCharge {
  /** The operation that creates the order. */
  readonly operation: 'sendNow' | 'billing'
  /** The order. Its contents do not change while the charge is pending. */
  readonly order: Order
  /** The subscription's next billing after this order. */
  readonly next: Pick<ActiveSubscription, 'next_billing_date' | 'anchor_day'>
  /** Time of the order, in milliseconds since 1970; null if the shop has only a date and no time. */
  readonly sent_at: number | null
  /** Latest start of an attempt to charge the order, in milliseconds since 1970; null if the shop has no time. */
  readonly held_at: number | null
  /** The click that created the order; null for the billing job. */
  readonly click: { readonly customer: string; readonly key: string } | null
}

/** A subscription: active with a next billing date, cancelled with a cancellation date, or paused. */
export type Subscription = ActiveSubscription | EndedSubscription | PausedSubscription

/** An active subscription, which is billed regularly. */
export interface ActiveSubscription extends SubscriptionTerms {
  readonly status: 'active'
  /** Date of the next billing and shipment. */
  readonly next_billing_date: string
  /** Always null for an active subscription. */
  readonly cancelled_on: null
}

/** A cancelled subscription. The customer may be able to reactivate the subscription. */
export interface EndedSubscription extends SubscriptionTerms {
  readonly status: 'cancelled'
  /** Always null for a cancelled subscription. */
  readonly next_billing_date: null
  /** Date of the cancellation. */
  readonly cancelled_on: string
}

/** A paused subscription. No operation bills, returns or changes a paused subscription. */
export interface PausedSubscription extends SubscriptionTerms {
  readonly status: 'paused'
  /** Always null for a paused subscription. */
  readonly next_billing_date: null
  /** Always null for a paused subscription. */
  readonly cancelled_on: null
}

/** Contents, interval and costs of a subscription. */
export interface SubscriptionTerms {
  /** Id of the record, unique in the shop. */
  readonly id: string
  /** Name shown to the customer. */
  readonly title: string
  /** Time between two orders. */
  readonly interval: Interval
  /** Day of the month on which a monthly subscription is billed, 1 to 31; null means the day of `next_billing_date`. */
  readonly anchor_day: number | null
  /** Dates on which the subscription is not billed, `YYYY-MM-DD`. */
  readonly skipped: readonly string[]
  /**
   * Contents of the next order, as displayed from first to last. A product has at most one recurring item and one
   * one-time item.
   */
  readonly items: readonly Item[]
  /** Shipping cost of one order, in minor units. */
  readonly shipping_minor: number
  /** Discount on every order, in minor units. */
  readonly order_discount_minor: number
  /** Tax rate as a decimal: 0.08 means 8%. */
  readonly tax_rate: number
  /** Declined charges of the next order: the date of the last one, and their number on that date. Store it as JSON. */
  readonly declined?: Declined | null | undefined
}

/** Declined charges of a subscription. A success, a delay or a swap clears them. */
export interface Declined {
  readonly on: string
  readonly tries: number
}

/** The time between two orders. */
export interface Interval {
  /** Unit of the interval. A week is 7 days; a month is a calendar month. */
  readonly unit: 'day' | 'week' | 'month'
  /** Number of units, at least 1. */
  readonly count: number
}

/** An item of a subscription: recurring, or only for the next order. */
export interface Item {
  /** Id of the item, unique in the shop. Requests and responses use `wireItemId` instead. */
  readonly id: string
  /** Id of the product. */
  readonly product_id: string
  /** Units in one order, at least 1. */
  readonly quantity: number
  /** Price of one unit, in minor units. */
  readonly price_minor: number
  /** Whether the item is removed after the next order. */
  readonly one_time: boolean
}

/** An addition that can be undone: units added to a subscription, or a one-off order. */
export interface OpenAdd {
  /** Id of the record, unique in the shop. */
  readonly id: string
  /** Id of the added product. */
  readonly product_id: string
  /** Number of added units. */
  readonly quantity: number
  /** Id of the subscription that the units were added to; null for a one-off order. */
  readonly subscription_id: string | null
  /** Id of the item that was added or increased; null for a one-off order. */
  readonly item_id: string | null
  /** Id of the created one-off order; null for units added to a subscription. */
  readonly order_id: string | null
  /** Id of the discount use that applies to the added units; null without a discount code. */
  readonly discount_use_id: string | null
}

/**
 * The use of a discount code by one order: the next order of a subscription, or an existing order. An order has at most
 * one use of each code. Its discount is calculated from the items whenever the order is totaled.
 */
export type DiscountUse = DiscountWorth & {
  /** Id of the record, unique in the shop. */
  readonly id: string
  /** The code, in the letter case that the shop stores. */
  readonly code: string
  /** Id of the subscription whose next order is discounted; null for an existing order. */
  readonly subscription_id: string | null
  /** Id of the existing order that the code reduces; null if the code reduces the next order. */
  readonly order_id: string | null
  /** The units that the code applies to. Irrelevant for an existing order, whose totals no longer change. */
  readonly items: readonly DiscountedUnits[]
  /** Date of the use. */
  readonly used_on: string
}

/** Units of an item that a discount code applies to. */
export interface DiscountedUnits {
  /** Id of the item. */
  readonly item_id: string
  /** Number of units, at least 1. */
  readonly quantity: number
}

/** A one-off order, or a subscription order that sendNow or billing has created. */
export interface Order extends OrderTotals {
  /** Id of the record, unique in the shop. */
  readonly id: string
  /** Origin of the order. */
  readonly kind: 'subscription' | 'one_off'
  /** Id of the subscription; null for a one-off order. */
  readonly subscription_id: string | null
  /** Status of the order. `open` means that fulfillment of a one-off order has not started. */
  readonly status: 'open' | 'processing' | 'shipped' | 'cancelled'
  /** Date on which the order was placed. */
  readonly placed_on: string
  /** Contents of the order. */
  readonly lines: readonly OrderLine[]
  /** The payment reference that `charge` returned; null or omitted for an order that was not charged. JSON. */
  readonly payment?: unknown
}

/** A line of an order, with the title and the price at the time of the order. */
export interface OrderLine {
  /** Id of the product. */
  readonly product_id: string
  /** The product's name. */
  readonly title: string
  /** Number of units. */
  readonly quantity: number
  /** Price of one unit, in minor units. */
  readonly price_minor: number
  /** Whether the line was for this order only. */
  readonly one_time: boolean
}

/** Costs of an order, in minor units. */
export interface OrderTotals {
  /** Sum of the lines. */
  readonly items_minor: number
  /** Sum of the discounts, limited to the sum of the lines. */
  readonly discount_minor: number
  /** Shipping cost. */
  readonly shipping_minor: number
  /** Tax on the lines minus the discount. */
  readonly tax_minor: number
  /** Total that the customer pays. */
  readonly total_minor: number
}

/** Latest activity of all customers of a shop, newest first. */
export interface ShopActivity {
  /** Orders. */
  readonly orders: readonly (Order & WithEmail)[]
  /**
   * Uses of discount codes. For each date, uses for the next order of a subscription precede uses for existing orders.
   */
  readonly discount_uses: readonly (DiscountUse & WithEmail)[]
  /** Runs of custom actions. */
  readonly actions_run: readonly (WithEmail & {
    /** Id of the action. */
    readonly action_id: string
    /** Date of the run, `YYYY-MM-DD`. */
    readonly run_on: string
  })[]
}

interface WithEmail {
  /** The customer's email, in the letter case that the shop stores. */
  readonly email: string
}
