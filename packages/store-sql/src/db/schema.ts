import type { ColumnType, Generated, GeneratedAlways } from 'kysely'
import type {
  CatalogueProduct,
  CustomerAccount,
  DiscountLimits,
  DiscountUse,
  DiscountWorth,
  Interval,
  OpenAdd,
  Order,
  Subscription,
  SubscriptionTerms,
} from '@storeport/rules'

/** SQLite has no booleans: it gives 0 and 1. */
export type Flag = ColumnType<boolean | number, boolean, boolean>

/** JSON: text in SQLite, parsed by PostgreSQL's driver. `parseJson` reads both. */
export type Json<Value> = ColumnType<Value | string, string, string>
type JsonWithDefault<Value> = ColumnType<Value | string, string | undefined, string>

/** A record of the rules as columns. */
type Stored<Fields> = { -readonly [Field in keyof Fields]-?: StoredValue<Fields[Field]> }
type StoredValue<Value> = [Value] extends [boolean] ? Flag : [Value] extends [object] ? Json<Value> : Value

interface CustomerTable extends Stored<Pick<CustomerAccount, 'email' | 'last_sent_on' | 'last_sent_at'>> {
  id: string
  /** The email in lower case, made by the database; unique. */
  email_key: GeneratedAlways<string>
  /** The ids of the products that are recommended, best first. */
  recommended: JsonWithDefault<readonly string[]>
  /** The number of the most recent add; grows with each. */
  last_add: Generated<number>
  /** Grows with every change of the customer's account on a server, which locks it by that. */
  version: Generated<number>
}

/** Fields of a product that no statement selects by. */
export type ProductDetails = Omit<CatalogueProduct, 'id' | 'title' | 'price_minor' | 'available'>

interface ProductTable extends Stored<Omit<CatalogueProduct, keyof ProductDetails>> {
  /** The other fields, as JSON. */
  details: Json<ProductDetails>
  /** Place in the general list. */
  position: number
}

/** An add to a subscription, as its row has it. */
export type StoredAdd = Omit<OpenAdd, 'subscription_id' | 'order_id'> & {
  /** Place among the adds of the customer: the highest is the most recent. */
  readonly number: number
}

interface SubscriptionTable extends Stored<Omit<SubscriptionTerms, 'interval'>> {
  customer_id: string
  interval_unit: Interval['unit']
  interval_count: number
  /** A paused one is neither billed nor shown. */
  status: Subscription['status'] | 'paused'
  /** Of an active one, else null. */
  next_billing_date: string | null
  /** Of a cancelled one, else null. */
  cancelled_on: string | null
  /** The day of the month that billing dates keep to; null: that of the next billing date. */
  anchor_day: Generated<number | null>
  /** Dates on which nothing is sent. */
  skipped: JsonWithDefault<readonly string[]>
  /** The adds that can be undone. */
  adds: JsonWithDefault<readonly StoredAdd[]>
  /** The uses of discount codes that lower the next order. */
  discount_uses: JsonWithDefault<readonly DiscountUse[]>
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

interface OrderTable extends Stored<Order> {
  /** Grows from order to order. */
  number: GeneratedAlways<number>
  customer_id: string
  /** The uses of discount codes that lowered it. */
  discount_uses: JsonWithDefault<readonly DiscountUse[]>
  /** The product whose add made it, which can be undone while the order is open; else null. */
  added_product_id: Generated<string | null>
  /** Place of that add among the adds of the customer; else null. */
  add_number: Generated<number | null>
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

interface SettingTable {
  name: 'currency' | 'days_ahead' | 'seeded' | 'actions'
  value: string
}

/** The tables of the database, by name. */
export interface Tables {
  /** Customers. */
  customers: CustomerTable
  /** Products that can be ordered, or could once. */
  products: ProductTable
  /** Subscriptions with their items, open adds and uses of codes. */
  subscriptions: SubscriptionTable
  /** Discount codes. */
  discounts: DiscountTable
  /** Orders with their lines, for the merchant's fulfilment. */
  orders: OrderTable
  /** Custom actions that customers ran. */
  actions_run: ActionRunTable
  /** The documents of clicks. */
  clicks: ClickTable
  /**
   * The currency of the amounts, whether the database was seeded, the ids of the custom actions that are just noted, and by how
   * many days a shop for trying out is ahead.
   */
  settings: SettingTable
}

/** The name of a table. */
export type TableName = keyof Tables
