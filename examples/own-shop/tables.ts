import { EntitySchema, type EntitySchemaColumnOptions, type EntitySchemaRelationOptions } from 'typeorm'

/*
 * The tables of the shop, which existed before StorePort. The driver returns a DECIMAL as a string, so amounts are
 * converted to integers in cents. A DATETIME is in the shop's local time.
 */

type Product = { id: number; name: string; cents: number; stock: number; images: string[] }
type Code = { id: number; code: string; percent: number | null; cents: number | null; expiresAt: Date | null }
type Dates = { nextDelivery: Date; everyWeeks: number; cancelledAt: Date | null }
export type Subscription = Dates & {
  id: number
  customerId: number
  name: string
  status: 'active' | 'cancelled'
  lines: Line[]
}
type Link = { id: number; subscriptionId: number; subscription: Subscription; quantity: number }
export type Line = Link & { productId: number; product: Product; oneTime: boolean; adds: Add[] }
type Add = Link & { lineId: number; line: Line; productId: number | null; codeId: number | null; code: Code | null }
type Status = 'pending' | 'paid' | 'declined'
export type Order = { id: number; subscription: Subscription; status: Status; placedAt: Date; cents: number }

type Fields<Row, Options> = { [Name in keyof Row]?: Options }
type Columns<Row> = Fields<Row, EntitySchemaColumnOptions>
type Relations<Row> = Fields<Row, EntitySchemaRelationOptions>
function table<Row>(name: string, columns: Columns<Row>, relations: Relations<Row> = {}) {
  return new EntitySchema<Row>({ name, columns, relations })
}
const id = { type: 'int', primary: true, generated: true } as const
const text = { type: 'varchar' } as const
const int = (name?: string) => ({ type: 'int' as const, ...(name && { name }) })
const at = (name: string) => ({ type: 'datetime', name }) as const
const amount = (name: string) => {
  const from = (value: string | null) => (value === null ? null : Math.round(Number(value) * 100))
  const to = (cents: number | null) => (cents === null ? null : cents / 100)
  return { type: 'decimal', name, transformer: { from, to } } as const
}
const one = (target: string, name: string) => ({ type: 'many-to-one', target, joinColumn: { name } }) as const
const many = (target: string, inverseSide: string) => ({ type: 'one-to-many', target, inverseSide }) as const
const subscription = one('subscriptions', 'subscription_id')
const link = { id, subscriptionId: int('subscription_id'), productId: int('product_id'), quantity: int() }

export const Customers = table<{ id: number; email: string }>('customers', { id, email: text })
const images = { type: 'json' } as const
export const Products = table<Product>('products', { id, name: text, cents: amount('price'), stock: int(), images })
const value = { percent: int(), cents: amount('amount'), expiresAt: at('expires_at') }
export const Codes = table<Code>('codes', { id, code: text, ...value })
const dates = { nextDelivery: at('next_delivery'), everyWeeks: int('every_weeks'), cancelledAt: at('cancelled_at') }
export const Subscriptions = table<Subscription>(
  'subscriptions',
  { id, customerId: int('customer_id'), name: text, status: text, ...dates },
  { lines: many('subscription_lines', 'subscription') },
)
export const Lines = table<Line>(
  'subscription_lines',
  { ...link, oneTime: { type: 'boolean', name: 'one_time' } },
  { subscription, product: one('products', 'product_id'), adds: many('storeport_adds', 'line') },
)
const order = { id, status: text, placedAt: at('placed_at'), cents: amount('total') }
export const Orders = table<Order>('orders', order, { subscription })
/** Stage 3: the adds that can be undone. */
export const Adds = table<Add>(
  'storeport_adds',
  { ...link, lineId: int('line_id'), codeId: int('code_id') },
  { subscription, line: one('subscription_lines', 'line_id'), code: one('codes', 'code_id') },
)
