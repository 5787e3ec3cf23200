import type { ColumnType, Generated, GeneratedAlways } from 'kysely'
import type { Interval, Order, Subscription } from '@storeport/rules'

/** SQLite has no booleans: it gives 0 and 1. */
type Flag = ColumnType<boolean | number, boolean, boolean>

interface CustomerTable {
  id: string
  email: string
  /** The email in lower case, made by the database; unique. */
  email_key: GeneratedAlways<string>
  last_sent_on: string | null
  /** Grows with every change of the customer's account, which also locks it. */
  version: Generated<number>
}

interface ProductTable {
  id: string
  title: string
  price_minor: number
  compare_at_price_minor: number | null
  /** A JSON array of addresses. */
  images: string
  description: string | null
  available: Flag
  /** Place in the general list. */
  position: number
}

interface RecommendationTable {
  customer_id: string
  rank: number
  product_id: string
}

interface SubscriptionTable {
  id: string
  customer_id: string
  title: string
  interval_unit: Interval['unit']
  interval_count: number
  status: Subscription['status']
  next_billing_date: string | null
  cancelled_on: string | null
  shipping_minor: number
  order_discount_minor: number
  tax_rate: number
}

interface ItemTable {
  id: string
  subscription_id: string
  product_id: string
  quantity: number
  price_minor: number
  one_time: Flag
  /** Place among the items of the subscription; gaps mean nothing. */
  position: number
}

interface DiscountTable {
  code: string
  /** What the code is looked up by: `codeKey` of it; unique. */
  code_key: string
  kind: 'percentage' | 'fixed_amount'
  percentage: number | null
  amount_minor: number | null
  expires_on: string | null
  max_uses: number | null
  uses: number
}

interface DiscountUseTable {
  id: string
  code: string
  subscription_id: string | null
  item_id: string | null
  order_id: string | null
  used_on: string
  kind: 'percentage' | 'fixed_amount'
  amount_minor: number
}

interface OrderTable {
  /** Grows from order to order. */
  number: GeneratedAlways<number>
  id: string
  customer_id: string
  kind: Order['kind']
  subscription_id: string | null
  status: Order['status']
  placed_on: string
  items_minor: number
  discount_minor: number
  shipping_minor: number
  tax_minor: number
  total_minor: number
}

interface OrderLineTable {
  order_id: string
  position: number
  product_id: string
  title: string
  quantity: number
  price_minor: number
  one_time: Flag
}

interface OpenAddTable {
  id: string
  customer_id: string
  product_id: string
  quantity: number
  subscription_id: string | null
  item_id: string | null
  order_id: string | null
  discount_use_id: string | null
  /** Place among the adds of the customer: the highest is the most recent. */
  position: number
}

interface ActionTable {
  id: string
}

interface ActionRunTable {
  /** Grows from run to run. */
  number: GeneratedAlways<number>
  customer_id: string
  action_id: string
  run_on: string
}

interface AppliedKeyTable {
  /** Digest of an idempotency key and of the call that it came with. */
  id: string
  /** Milliseconds since 1970. */
  expires_at: number
}

interface LedgerClickTable {
  id: string
  customer: string
  fingerprint: string
  named: Flag
  idempotency_key: string
  state: 'running' | 'done' | 'unknown'
  /** When the state ends, in milliseconds since 1970. */
  ends_at: number
  /** When nothing is known of the click any more, in milliseconds since 1970. */
  expires_at: number
}

interface MilestoneTable {
  name: string
}

/** The tables of the database, by name. */
export interface Tables {
  /** Customers. */
  customers: CustomerTable
  /** Products that can be ordered, or could once. */
  products: ProductTable
  /** Which products are recommended to whom, best first. */
  recommendations: RecommendationTable
  /** Active and cancelled subscriptions. */
  subscriptions: SubscriptionTable
  /** Items of subscriptions. */
  items: ItemTable
  /** Discount codes. */
  discounts: DiscountTable
  /** Uses of discount codes, for a next order or on an order. */
  discount_uses: DiscountUseTable
  /** Orders, for the merchant's fulfilment. */
  orders: OrderTable
  /** Lines of orders. */
  order_lines: OrderLineTable
  /** Adds that can still be taken back. */
  open_adds: OpenAddTable
  /** Ids of the custom actions that are just noted. */
  actions: ActionTable
  /** Custom actions that customers ran. */
  actions_run: ActionRunTable
  /** Idempotency keys of the changes that were made. */
  applied_keys: AppliedKeyTable
  /** The clicks that the ledger remembers. */
  ledger_clicks: LedgerClickTable
  /** What was done once and never again. */
  milestones: MilestoneTable
}
