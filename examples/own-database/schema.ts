import { relations } from 'drizzle-orm'
import {
  bigint,
  boolean,
  date,
  integer,
  jsonb,
  numeric,
  pgTable,
  smallint,
  text,
  timestamp,
  uuid,
} from 'drizzle-orm/pg-core'

/*
 * The tables of the shop. `setup.ts` creates them with SQL.
 */

const number = () => bigint({ mode: 'number' })
const numbered = () => number().generatedByDefaultAsIdentity()

export const customers = pgTable('customers', {
  id: numbered().primaryKey(),
  email: text().notNull(),
  name: text().notNull(),
  pending_charge: jsonb(),
})

export const products = pgTable('products', {
  id: numbered().primaryKey(),
  name: text().notNull(),
  description: text(),
  image: text().notNull(),
})

export const variants = pgTable('variants', {
  sku: text().primaryKey(),
  product_id: number().notNull(),
  name: text().notNull(),
  price_cents: integer().notNull(),
  old_price_cents: integer(),
  stock: integer().notNull(),
  on_sale: boolean().notNull().default(true),
  position: integer().notNull(),
})

export const recommendations = pgTable('recommendations', {
  customer_id: number().notNull(),
  sku: text().notNull(),
  rank: integer().notNull(),
})

export const subscriptions = pgTable('subscriptions', {
  id: uuid().primaryKey(),
  customer_id: number().notNull(),
  name: text().notNull(),
  status: text().notNull(),
  next_date: date(),
  anchor_day: smallint(),
  every_count: integer().notNull(),
  every_unit: text().notNull(),
  skipped_dates: jsonb().notNull().default([]),
  cancelled_on: date(),
  shipping_cents: integer().notNull().default(0),
  discount_cents: integer().notNull().default(0),
  tax_percent: numeric().notNull().default('0'),
  declined: jsonb(),
})

export const subscription_lines = pgTable('subscription_lines', {
  id: uuid().primaryKey(),
  subscription_id: uuid().notNull(),
  sku: text().notNull(),
  quantity: integer().notNull(),
  price_cents: integer().notNull(),
  one_time: boolean().notNull().default(false),
  position: numbered(),
})

export const orders = pgTable('orders', {
  id: uuid().primaryKey(),
  number: numbered(),
  customer_id: number().notNull(),
  subscription_id: uuid(),
  status: text().notNull(),
  placed_on: date().notNull(),
  placed_at: timestamp({ withTimezone: true }).notNull().defaultNow(),
  items_cents: integer().notNull(),
  discount_cents: integer().notNull(),
  shipping_cents: integer().notNull(),
  tax_cents: integer().notNull(),
  total_cents: integer().notNull(),
  payment: jsonb(),
})

export const order_lines = pgTable('order_lines', {
  id: uuid().primaryKey().defaultRandom(),
  order_id: uuid().notNull(),
  sku: text().notNull(),
  title: text().notNull(),
  quantity: integer().notNull(),
  price_cents: integer().notNull(),
  one_time: boolean().notNull(),
  position: integer().notNull(),
})

export const coupons = pgTable('coupons', {
  code: text().primaryKey(),
  percent: numeric(),
  amount_cents: integer(),
  expires_on: date(),
  max_uses: integer(),
})

export const coupon_uses = pgTable('coupon_uses', {
  id: uuid().primaryKey(),
  customer_id: number().notNull(),
  code: text().notNull(),
  used_on: date().notNull(),
  subscription_id: uuid(),
  order_id: uuid(),
  items: jsonb().notNull(),
})

export const action_log = pgTable('action_log', {
  id: numbered().primaryKey(),
  customer_id: number().notNull(),
  action: text().notNull(),
})

export const storeport_adds = pgTable('storeport_adds', {
  id: uuid().primaryKey(),
  customer_id: number().notNull(),
  sku: text().notNull(),
  quantity: integer().notNull(),
  subscription_id: uuid(),
  line_id: uuid(),
  order_id: uuid(),
  coupon_use_id: uuid(),
  position: numbered(),
})

export const ofCustomer = relations(customers, ({ many }) => ({
  subscriptions: many(subscriptions),
  orders: many(orders),
  adds: many(storeport_adds),
  uses: many(coupon_uses),
  recommendations: many(recommendations),
}))
export const ofSubscription = relations(subscriptions, ({ one, many }) => ({
  customer: one(customers, { fields: [subscriptions.customer_id], references: [customers.id] }),
  lines: many(subscription_lines),
}))
export const ofSubscriptionLine = relations(subscription_lines, ({ one }) => ({
  subscription: one(subscriptions, { fields: [subscription_lines.subscription_id], references: [subscriptions.id] }),
}))
export const ofOrder = relations(orders, ({ one, many }) => ({
  customer: one(customers, { fields: [orders.customer_id], references: [customers.id] }),
  lines: many(order_lines),
}))
export const ofOrderLine = relations(order_lines, ({ one }) => ({
  order: one(orders, { fields: [order_lines.order_id], references: [orders.id] }),
}))
export const ofCouponUse = relations(coupon_uses, ({ one }) => ({
  customer: one(customers, { fields: [coupon_uses.customer_id], references: [customers.id] }),
  coupon: one(coupons, { fields: [coupon_uses.code], references: [coupons.code] }),
}))
export const ofAdd = relations(storeport_adds, ({ one }) => ({
  customer: one(customers, { fields: [storeport_adds.customer_id], references: [customers.id] }),
}))
export const ofRecommendation = relations(recommendations, ({ one }) => ({
  customer: one(customers, { fields: [recommendations.customer_id], references: [customers.id] }),
}))
export const ofVariant = relations(variants, ({ one }) => ({
  product: one(products, { fields: [variants.product_id], references: [products.id] }),
}))
