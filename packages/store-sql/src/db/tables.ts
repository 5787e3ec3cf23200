import type { ClickRecord } from '@storeport/core'
import type { ColumnType, Generated, GeneratedAlways } from 'kysely'
import type {
  CatalogueProduct,
  Declined,
  DiscountUse,
  DiscountWorth,
  Interval,
  Item,
  OpenAdd,
  Order,
  OrderLine,
  PendingCharge,
  Subscription,
} from '@storeport/rules'

/** The tables of the database, by name. */
export type Tables = {
  [Table in TableName]: {
    [Name in keyof Definitions[Table]]: Definitions[Table][Name] extends Column<infer Type> ? Type : never
  }
}

type Definitions = ReturnType<typeof defineTables>

/** The name of a table. */
export type TableName = keyof Definitions

/** A column: its SQL type and constraints, in which `$` is the name of the column, and its type in Kysely. */
interface Column<Type> {
  readonly sql: string
  /** Never set. */
  readonly type?: Type
}

/** A boolean column. SQLite returns 0 or 1. */
type Flag = ColumnType<boolean | number, boolean, boolean>

/**
 * A JSON column. SQLite returns a string, and the PostgreSQL driver returns a parsed value. `parseJson` accepts both.
 */
type Json<Value> = ColumnType<Value | string, string, string>
/** A JSON column with a default. */
type JsonWithDefault<Value> = ColumnType<Value | string, string | undefined, string>
/** A JSON column that can be null. */
type NullableJson<Value> = ColumnType<Value | string | null, string | null | undefined, string | null>

/** Product fields that are stored as JSON, because statements do not filter by them. */
export interface ProductDetails extends Omit<CatalogueProduct, 'id' | 'title' | 'price_minor' | 'available'> {
  /** Maximum quantity of an item. If omitted, only the shop's `maxQuantity` limits an available product. */
  readonly max_quantity?: number | undefined
}

/** An addition, as stored in the row of its subscription. */
export type StoredAdd = Omit<OpenAdd, 'subscription_id' | 'order_id'> & {
  /** Sequence number among the customer's additions; the latest addition has the highest number. */
  readonly number: number
}

/** Returns the columns of each table, in the sequence in which the tables are created. */
export function defineTables(isSqlite: boolean) {
  const column =
    <Default>(sqlite: string, postgres: string) =>
    <Type = Default>(constraints = ''): Column<Type> => ({
      sql: `${isSqlite ? sqlite : postgres} ${constraints}`,
    })
  const text = column<string>('text', 'text')
  const integer = column<number>('integer', 'integer')
  const count = column<number>('integer', 'bigint')
  const decimal = column<number>('real', 'double precision')
  const date = column<string>('text check (date($) = $)', 'date')
  const flag = column<Flag>('integer check ($ in (0, 1))', 'boolean')
  const json = column<never>('text check (json_valid($))', 'jsonb')
  const jsonList = <Element>() => json<JsonWithDefault<readonly Element[]>>(`not null default '[]'`)
  /** A string key, compared byte by byte. */
  const key = column<string>('text', 'text collate "C"')
  /** The key of a record. */
  const id = (more = '') => key(`primary key check (length(id) between 1 and 255) ${more}`)
  const customerId = (more = '') => key(`not null references customers (id) ${more}`)
  /** An amount in minor units, never negative. */
  const money = (more = '') => count(`check ($ >= 0) not null ${more}`)
  /** An auto-increment primary key. */
  const sequence = column<GeneratedAlways<number>>(
    'integer primary key autoincrement',
    'bigint generated always as identity primary key',
  )
  return {
    /** Settings: the public URL, the currency, whether the seed was inserted, and the ids of custom actions. */
    settings: {
      name: key<'public_url' | 'currency' | 'seeded' | 'actions' | 'readiness'>('primary key'),
      value: text('not null'),
    },
    /** Products, including products that are no longer available. */
    products: {
      id: key(`primary key check (length(id) between 1 and 250 and id not like '%~once')`),
      title: text(`not null check (title <> '')`),
      price_minor: money(),
      available: flag('not null'),
      /** All other product fields, as JSON. */
      details: json<Json<ProductDetails>>('not null'),
      /** Position in the general product list. */
      position: integer('not null'),
    },
    /** Discount codes. */
    discounts: {
      code: key('primary key check (length(code) between 1 and 255)'),
      /** Lookup key of the code, as returned by `codeKey`; unique. */
      code_key: key('not null unique'),
      kind: text<DiscountWorth['kind']>(`not null check (
        (kind = 'percentage' and percentage > 0 and percentage <= 100 and amount_minor is null) or
        (kind = 'fixed_amount' and amount_minor > 0 and percentage is null))`),
      /** Percentage of the discount; null for a fixed amount. */
      percentage: decimal<number | null>(),
      /** Fixed amount of the discount, in minor units; null for a percentage. */
      amount_minor: count<number | null>(),
      expires_on: date<string | null>(),
      max_uses: count<number | null>('check (max_uses >= 0)'),
      uses: count('not null default 0 check (uses >= 0)'),
    },
    /** Customers. */
    customers: {
      id: id(),
      email: key(`not null check (email like '%_@_%' and length(email) <= 254)`),
      /**
       * Email in lower case, generated by the database; unique. Converts only ASCII letters: a Turkish collation would not
       * convert I to i.
       */
      email_key: column<GeneratedAlways<string>>(
        'text generated always as (lower(email)) stored unique',
        'text collate "C" generated always as (lower(email collate "C")) stored unique',
      )(),
      last_sent_on: date<string | null>(),
      last_sent_at: count<number | null>(),
      /** Ids of the recommended products, best first. */
      recommended: jsonList<string>(),
      /** Sequence number of the customer's latest addition. */
      last_add: count<Generated<number>>('not null default 0'),
      /** Change counter. On PostgreSQL, each change locks the customer by incrementing this counter. A ledger compares it. */
      version: count<Generated<number>>('not null default 0'),
      /** Order that is being charged; null if no charge is pending. */
      pending_charge: json<NullableJson<PendingCharge>>(),
      /** Documents of the click protocol, as a JSON object; null without clicks. */
      clicks: text<Generated<string | null>>(),
    },
    /** Subscriptions with their items, additions that can be undone, and uses of discount codes. */
    subscriptions: {
      id: id(),
      customer_id: customerId('on delete cascade'),
      title: text(`not null check (title <> '')`),
      interval_unit: text<Interval['unit']>(`not null check (interval_unit in ('day', 'week', 'month'))`),
      interval_count: integer('not null check (interval_count >= 1)'),
      /** A paused subscription is neither billed nor returned. */
      status: text<Subscription['status']>(`not null check (
        (status = 'active' and next_billing_date is not null and cancelled_on is null) or
        (status = 'cancelled' and cancelled_on is not null and next_billing_date is null) or
        (status = 'paused' and cancelled_on is null and next_billing_date is null))`),
      /** Date of the next billing; null unless the subscription is active. */
      next_billing_date: date<string | null>(),
      /** Date of the cancellation; null unless the subscription is cancelled. */
      cancelled_on: date<string | null>(),
      /** Day of the month for billing dates; null means the day of the next billing date. */
      anchor_day: integer<Generated<number | null>>('check (anchor_day between 1 and 31)'),
      /** Dates on which the subscription is not billed. */
      skipped: jsonList<string>(),
      shipping_minor: money(),
      order_discount_minor: money(),
      tax_rate: decimal('not null check (tax_rate >= 0 and tax_rate < 1)'),
      items: json<Json<readonly Item[]>>('not null'),
      /** Declined charges of the next order; null if no charge was declined. */
      declined: json<NullableJson<Declined>>(),
      /** Additions that can be undone. */
      adds: jsonList<StoredAdd>(),
      /** Uses of discount codes that reduce the next order. */
      discount_uses: jsonList<DiscountUse>(),
    },
    /** Orders with their lines, for the merchant's fulfillment. */
    orders: {
      /** Sequence number, which increases with each order. */
      number: sequence(),
      id: key('not null unique check (length(id) between 1 and 255)'),
      customer_id: customerId(),
      kind: text<Order['kind']>(`not null check (kind in ('subscription', 'one_off'))`),
      subscription_id: key<string | null>(`references subscriptions (id)
        check ((kind = 'subscription') = (subscription_id is not null))`),
      status: text<Order['status']>(`not null check (status in ('open', 'processing', 'shipped', 'cancelled'))`),
      placed_on: date('not null'),
      items_minor: money(),
      discount_minor: money('check (discount_minor <= items_minor)'),
      shipping_minor: money(),
      tax_minor: money(),
      total_minor: money('check (total_minor = items_minor - discount_minor + tax_minor + shipping_minor)'),
      lines: json<Json<readonly OrderLine[]>>('not null'),
      /** The payment reference, as JSON; null for an order that was not charged. */
      payment: text<Generated<string | null>>(),
      /** Uses of discount codes that reduced the order. */
      discount_uses: jsonList<DiscountUse>(),
      /** Product whose addition created the order; otherwise null. An addition can be undone while the order is open. */
      added_product_id: key<Generated<string | null>>(),
      /** Number of the addition that created the order; otherwise null. */
      add_number: count<Generated<number | null>>(),
    },
    /** Custom actions that customers ran. */
    actions_run: {
      /** Sequence number, which increases with each run. */
      number: sequence(),
      customer_id: customerId('on delete cascade'),
      action_id: text('not null'),
      run_on: date('not null'),
    },
    /** The records of clicks, for support. */
    click_records: {
      number: sequence(),
      /** Time of the request, as an ISO 8601 string in UTC. */
      time: key('not null'),
      operation: text<ClickRecord['operation']>('not null'),
      email: text('not null'),
      /** Email in lower case. */
      email_key: key('not null'),
      input: json<Json<ClickRecord['input']>>('not null'),
      status: integer('not null'),
      code: text<NonNullable<ClickRecord['code']> | null>(),
      repeated: flag('not null'),
      duration_ms: integer('not null'),
      request_id: key('not null'),
      key_name: text('not null'),
    },
  }
}
