import type { InsertType, SelectType } from 'kysely'
import type { Json, Tables } from './schema.ts'

/**
 * Every column of every table, and what kind it is. Statements that read whole records and those that insert many rows
 * are made from this list. A table comes after those that it refers to.
 */
export const columns = {
  customers: {
    id: 'value',
    email: 'value',
    email_key: 'generated',
    last_sent_on: 'value',
    last_sent_at: 'value',
    version: 'generated',
  },
  products: {
    id: 'value',
    title: 'value',
    price_minor: 'value',
    compare_at_price_minor: 'value',
    images: 'json',
    description: 'value',
    available: 'flag',
    position: 'value',
  },
  recommendations: {
    customer_id: 'value',
    rank: 'value',
    product_id: 'value',
  },
  subscriptions: {
    id: 'value',
    customer_id: 'value',
    title: 'value',
    interval_unit: 'value',
    interval_count: 'value',
    status: 'value',
    next_billing_date: 'value',
    cancelled_on: 'value',
    shipping_minor: 'value',
    order_discount_minor: 'value',
    tax_rate: 'value',
  },
  items: {
    id: 'value',
    subscription_id: 'value',
    product_id: 'value',
    quantity: 'value',
    price_minor: 'value',
    one_time: 'flag',
    position: 'value',
  },
  discounts: {
    code: 'value',
    code_key: 'value',
    kind: 'value',
    percentage: 'value',
    amount_minor: 'value',
    expires_on: 'value',
    max_uses: 'value',
    uses: 'value',
  },
  orders: {
    number: 'generated',
    id: 'value',
    customer_id: 'value',
    kind: 'value',
    subscription_id: 'value',
    status: 'value',
    placed_on: 'value',
    items_minor: 'value',
    discount_minor: 'value',
    shipping_minor: 'value',
    tax_minor: 'value',
    total_minor: 'value',
  },
  order_lines: {
    order_id: 'value',
    position: 'value',
    product_id: 'value',
    title: 'value',
    quantity: 'value',
    price_minor: 'value',
    one_time: 'flag',
  },
  discount_uses: {
    id: 'value',
    code: 'value',
    subscription_id: 'value',
    item_id: 'value',
    order_id: 'value',
    used_on: 'value',
    kind: 'value',
    amount_minor: 'value',
  },
  open_adds: {
    id: 'value',
    customer_id: 'value',
    product_id: 'value',
    quantity: 'value',
    subscription_id: 'value',
    item_id: 'value',
    order_id: 'value',
    discount_use_id: 'value',
    position: 'value',
  },
  actions: {
    id: 'value',
  },
  actions_run: {
    number: 'generated',
    customer_id: 'value',
    action_id: 'value',
    run_on: 'value',
  },
  clicks: {
    id: 'value',
    version: 'value',
    document: 'value',
    expires_at: 'value',
  },
  milestones: {
    name: 'value',
  },
  settings: {
    name: 'value',
    value: 'value',
  },
} as const satisfies {
  readonly [Table in TableName]: { readonly [C in keyof Tables[Table]]: KindOf<Tables[Table][C]> }
}

/** The name of a table. */
export type TableName = keyof Tables

/** The names of the tables, each after those that it refers to. */
// oxlint-disable-next-line typescript/consistent-type-assertions -- the list has no other keys
export const tableNames = Object.keys(columns) as TableName[]

/** What a column is: its database makes a `generated` one, SQLite gives a `flag` as a number, `json` holds a document. */
export type ColumnKind = 'value' | 'flag' | 'json' | 'generated'

/** A row as JSON has it: flags are true or false, documents are parsed. */
export type JsonRow<Table extends TableName> = {
  readonly [Column in keyof Tables[Table]]: JsonValue<Tables[Table][Column]>
}

/** A row to insert, as JSON has it. */
export type NewJsonRow<Table extends TableName> = Omit<JsonRow<Table>, GeneratedColumn<Table>>

type JsonValue<Column> =
  Column extends Json<infer Value> ? Value : IsFlag<Column> extends true ? boolean : SelectType<Column>

type KindOf<Column> =
  Column extends Json<unknown>
    ? 'json'
    : IsFlag<Column> extends true
      ? 'flag'
      : IsGenerated<Column> extends true
        ? 'generated'
        : 'value'

type IsFlag<Column> = [boolean] extends [SelectType<Column>] ? true : false

type IsGenerated<Column> = [InsertType<Column>] extends [never]
  ? true
  : undefined extends InsertType<Column>
    ? true
    : false

type GeneratedColumn<Table extends TableName> = {
  [Column in keyof Tables[Table]]: KindOf<Tables[Table][Column]> extends 'generated' ? Column : never
}[keyof Tables[Table]]
