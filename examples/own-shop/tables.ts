import { EntitySchema } from 'typeorm'

/*
 * The tables of the shop, which existed before StorePort. The driver returns a DECIMAL as a string, so amounts are
 * converted to integers in cents. A DATETIME is in the shop's local time.
 */

type Product = { id: number; name: string; cents: number; stock: number; images: string[] }
type Code = { id: number; code: string; percent: number | null; cents: number | null; expiresAt: Date | null }
type Link = { subscriptionId: number; subscription: Subscription; quantity: number }
export type Line = Link & { id: number; productId: number; product: Product; oneTime: boolean; adds: Add[] }
type Use = { codeId: number | null; code: Code | null }
type Add = Link & Use & { id: number; lineId: number; line: Line; productId: number | null }
export type Subscription = {
  id: number
  customerId: number
  name: string
  status: 'active' | 'cancelled'
  nextDelivery: Date
  everyWeeks: number
  cancelledAt: Date | null
  lines: Line[]
}
type Status = 'pending' | 'paid' | 'declined'
export type Order = { id: number; subscription: Subscription; status: Status; placedAt: Date; cents: number }

const id = { type: 'int', primary: true, generated: true } as const
const int = (name?: string) => ({ type: 'int' as const, ...(name && { name }) })
const text = { type: 'varchar' } as const
const at = (name: string) => ({ type: 'datetime', name }) as const
const one = (target: string, name: string) => ({ type: 'many-to-one', target, joinColumn: { name } }) as const
const many = (target: string, inverseSide: string) => ({ type: 'one-to-many', target, inverseSide }) as const
const amount = (name: string) => {
  const from = (value: string | null) => (value === null ? null : Math.round(Number(value) * 100))
  const to = (cents: number | null) => (cents === null ? null : cents / 100)
  return { type: 'decimal', name, transformer: { from, to } } as const
}

export const Customers = new EntitySchema<{ id: number; email: string }>({
  name: 'customers',
  columns: { id, email: text },
})

export const Products = new EntitySchema<Product>({
  name: 'products',
  columns: { id, name: text, cents: amount('price'), stock: int(), images: { type: 'json' } },
})

export const Codes = new EntitySchema<Code>({
  name: 'codes',
  columns: { id, code: text, percent: int(), cents: amount('amount'), expiresAt: at('expires_at') },
})

export const Subscriptions = new EntitySchema<Subscription>({
  name: 'subscriptions',
  columns: {
    ...{ id, customerId: int('customer_id'), name: text, status: text, everyWeeks: int('every_weeks') },
    ...{ nextDelivery: at('next_delivery'), cancelledAt: at('cancelled_at') },
  },
  relations: { lines: many('subscription_lines', 'subscription') },
})

const link = { subscriptionId: int('subscription_id'), productId: int('product_id'), quantity: int() }
const subscription = one('subscriptions', 'subscription_id')

export const Lines = new EntitySchema<Line>({
  name: 'subscription_lines',
  columns: { id, ...link, oneTime: { type: 'boolean', name: 'one_time' } },
  relations: { subscription, product: one('products', 'product_id'), adds: many('storeport_adds', 'line') },
})

export const Adds = new EntitySchema<Add>({
  name: 'storeport_adds',
  columns: { id, ...link, lineId: int('line_id'), codeId: int('code_id') },
  relations: { subscription, line: one('subscription_lines', 'line_id'), code: one('codes', 'code_id') },
})

export const Orders = new EntitySchema<Order>({
  name: 'orders',
  columns: { id, status: text, placedAt: at('placed_at'), cents: amount('total') },
  relations: { subscription },
})
