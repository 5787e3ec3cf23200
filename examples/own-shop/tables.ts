import { EntitySchema } from 'typeorm'

/*
 * The tables of the shop, which existed before StorePort. The driver returns a DECIMAL as a string, so amounts are
 * converted to integers in cents.
 */

export interface Product {
  id: number
  name: string
  cents: number
  stock: number
  images: string[]
}

export interface Line {
  id: number
  subscriptionId: number
  subscription: Subscription
  productId: number
  product: Product
  quantity: number
  oneTime: boolean
}

export interface Code {
  id: number
  code: string
  percent: number | null
  cents: number | null
  expiresAt: Date | null
}

export interface Subscription {
  id: number
  customerId: number
  name: string
  status: 'active' | 'cancelled'
  nextDelivery: Date
  everyWeeks: number
  cancelledAt: Date | null
  codeId: number | null
  code: Code | null
  lines: Line[]
}

export interface Order {
  id: number
  subscriptionId: number
  subscription: Subscription
  status: 'pending' | 'paid' | 'declined'
  placedAt: Date
  cents: number
  items: { productId: number; quantity: number }[]
}

export interface Add {
  id: number
  lineId: number
  line: Line
  productId: number
  quantity: number
  hasCode: boolean
}

const id = { type: 'int', primary: true, generated: true } as const
const column = (type: 'int' | 'varchar' | 'boolean' | 'datetime', name?: string) => ({ type, ...(name && { name }) })
const one = (target: string, name: string) => ({ type: 'many-to-one', target, joinColumn: { name } }) as const
const amount = (name: string) => {
  const from = (text: string | null) => (text === null ? null : Math.round(Number(text) * 100))
  const to = (cents: number | null) => (cents === null ? null : cents / 100)
  return { type: 'decimal', name, transformer: { from, to } } as const
}

export const Customers = new EntitySchema<{ id: number; email: string }>({
  name: 'customers',
  columns: { id, email: column('varchar') },
})

export const Products = new EntitySchema<Product>({
  name: 'products',
  columns: { id, name: column('varchar'), cents: amount('price'), stock: column('int'), images: { type: 'json' } },
})

export const Codes = new EntitySchema<Code>({
  name: 'codes',
  columns: {
    id,
    code: column('varchar'),
    percent: column('int'),
    cents: amount('amount'),
    expiresAt: column('datetime', 'expires_at'),
  },
})

export const Subscriptions = new EntitySchema<Subscription>({
  name: 'subscriptions',
  columns: {
    id,
    customerId: column('int', 'customer_id'),
    name: column('varchar'),
    status: column('varchar'),
    nextDelivery: column('datetime', 'next_delivery'),
    everyWeeks: column('int', 'every_weeks'),
    cancelledAt: column('datetime', 'cancelled_at'),
    codeId: column('int', 'code_id'),
  },
  relations: {
    code: one('codes', 'code_id'),
    lines: { type: 'one-to-many', target: 'subscription_lines', inverseSide: 'subscription' },
  },
})

export const Lines = new EntitySchema<Line>({
  name: 'subscription_lines',
  columns: {
    id,
    subscriptionId: column('int', 'subscription_id'),
    productId: column('int', 'product_id'),
    quantity: column('int'),
    oneTime: column('boolean', 'one_time'),
  },
  relations: { subscription: one('subscriptions', 'subscription_id'), product: one('products', 'product_id') },
})

export const Orders = new EntitySchema<Order>({
  name: 'orders',
  columns: {
    id,
    subscriptionId: column('int', 'subscription_id'),
    status: column('varchar'),
    placedAt: column('datetime', 'placed_at'),
    cents: amount('total'),
    items: { type: 'json' },
  },
  relations: { subscription: one('subscriptions', 'subscription_id') },
})

/** Stage 3: the adds that can be undone. */
export const Adds = new EntitySchema<Add>({
  name: 'storeport_adds',
  columns: {
    id,
    lineId: column('int', 'line_id'),
    productId: column('int', 'product_id'),
    quantity: column('int'),
    hasCode: column('boolean', 'has_code'),
  },
  relations: { line: one('subscription_lines', 'line_id') },
})
