import type { ColumnType, Generated, GeneratedAlways } from 'kysely'
import type {
  CatalogueProduct,
  CustomerAccount,
  DiscountLimits,
  DiscountUse,
  DiscountWorth,
  Interval,
  Item,
  OpenAdd,
  Order,
  OrderLine,
  Subscription,
  SubscriptionTerms,
} from '@storeport/rules'

/** SQLite has no booleans: it gives 0 and 1. */
export type Flag = ColumnType<boolean | number, boolean, boolean>

/** A JSON document: text to SQLite, and parsed by PostgreSQL's driver. */
export type Json<Value> = ColumnType<string, string, string> & { readonly __json__: Value }

/** A record of the rules as columns: a field that is added there is a column here, and missing in `columns.ts`. */
type Stored<Fields> = { -readonly [Field in keyof Fields]-?: StoredValue<Fields[Field]> }
type StoredValue<Value> = [Value] extends [boolean] ? Flag : [Value] extends [object] ? Json<Value> : Value

interface CustomerTable extends Stored<
  Omit<CustomerAccount, 'subscriptions' | 'adds' | 'discount_uses' | 'orders' | 'recommended'>
> {
  id: string
  /** The email in lower case, made by the database; unique. */
  email_key: GeneratedAlways<string>
  /** Grows with every change of the customer's account on a server, which locks it by that. */
  version: Generated<number>
}

interface ProductTable extends Stored<CatalogueProduct> {
  /** Place in the general list. */
  position: number
}

interface RecommendationTable {
  customer_id: string
  rank: number
  product_id: string
}

interface SubscriptionTable extends Stored<Omit<SubscriptionTerms, 'interval' | 'items'>> {
  customer_id: string
  interval_unit: Interval['unit']
  interval_count: number
  status: Subscription['status']
  /** Of an active one: null as soon as it is cancelled. */
  next_billing_date: string | null
  /** Of a cancelled one: null as long as it is active. */
  cancelled_on: string | null
}

interface ItemTable extends Stored<Item> {
  subscription_id: string
  /** Place among the items of the subscription; gaps mean nothing. */
  position: number
}

interface DiscountTable extends Stored<DiscountLimits> {
  /** What the code is looked up by: `codeKey` of it; unique. */
  code_key: string
  kind: DiscountWorth['kind']
  /** Null for a fixed amount. */
  percentage: number | null
  /** Null for a percentage. */
  amount_minor: number | null
}

type DiscountUseTable = Stored<DiscountUse>

interface OrderTable extends Stored<Omit<Order, 'lines'>> {
  /** Grows from order to order. */
  number: GeneratedAlways<number>
  customer_id: string
}

interface OrderLineTable extends Stored<OrderLine> {
  order_id: string
  position: number
}

interface OpenAddTable extends Stored<OpenAdd> {
  customer_id: string
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

/** A document of the click protocol: of a customer, or of a named click. */
interface ClickTable {
  id: string
  /** Random, new with every change. */
  version: string
  /** JSON that only the protocol reads. */
  document: string
  /** When the document is no longer needed, in milliseconds since 1970. */
  expires_at: number
}

interface MilestoneTable {
  name: string
}

interface SettingTable {
  name: 'currency' | 'days_ahead'
  value: string
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
  /** Adds that can still be undone. */
  open_adds: OpenAddTable
  /** Ids of the custom actions that are just noted. */
  actions: ActionTable
  /** Custom actions that customers ran. */
  actions_run: ActionRunTable
  /** The documents of clicks. */
  clicks: ClickTable
  /** What was done once and never again. */
  milestones: MilestoneTable
  /** What the database was made with, the currency of its amounts, and by how many days a shop for trying out is ahead. */
  settings: SettingTable
}
