import { type CatalogueProduct, type CustomerAccount, type DiscountTerms, type DiscountUse } from '@storeport/rules'
import { type Order, readShopOptions, type Subscription } from '@storeport/rules'
import type { CouponRow, CustomerRow, VariantRow } from './rows.ts'

export const { today, currency, createShop } = readShopOptions({ timeZone: 'Europe/Berlin', currency: 'EUR' })

/** Maps the rows of a customer to an account. */
export function toAccount(row: CustomerRow): CustomerAccount {
  return {
    email: row.email,
    subscriptions: row.subscriptions.map(toSubscription),
    orders: row.orders.map(toOrder),
    adds: row.adds.map((add) => ({
      id: add.id,
      product_id: add.sku,
      quantity: add.quantity,
      subscription_id: add.subscription_id,
      item_id: add.line_id,
      order_id: add.order_id,
      discount_use_id: add.coupon_use_id,
    })),
    discount_uses: row.uses.map((use): DiscountUse => ({
      ...worthOf(use.coupon),
      id: use.id,
      code: use.code,
      subscription_id: use.subscription_id,
      order_id: use.order_id,
      items: fromJson(use.items),
      used_on: day(use.used_on),
    })),
    recommended: row.recommendations.map(({ sku }) => sku),
    last_sent_on: row.last_sent_on,
    last_sent_at: row.last_sent_at,
    pending_charge: fromJson(row.pending_charge),
  }
}

function toSubscription(row: CustomerRow['subscriptions'][number]): Subscription {
  const terms = {
    id: row.id,
    title: row.name,
    interval: {
      unit: oneOf(['day', 'week', 'month'], row.every_unit, `subscription ${row.id}: every_unit`),
      count: row.every_count,
    },
    anchor_day: row.anchor_day,
    skipped: fromJson<string[]>(row.skipped_dates),
    items: row.lines.map((line) => ({
      id: line.id,
      product_id: line.sku,
      quantity: line.quantity,
      price_minor: line.price_cents,
      one_time: line.one_time,
    })),
    shipping_minor: row.shipping_cents,
    order_discount_minor: row.discount_cents,
    tax_rate: Number(row.tax_percent) / 100,
    declined: fromJson<Subscription['declined']>(row.declined),
  }
  const status = oneOf(['active', 'paused', 'cancelled'], row.status, `subscription ${row.id}: status`)
  if (status === 'active') return { ...terms, status, next_billing_date: day(row.next_date), cancelled_on: null }
  if (status === 'paused') return { ...terms, status, next_billing_date: null, cancelled_on: null }
  return { ...terms, status, next_billing_date: null, cancelled_on: day(row.cancelled_on) }
}

function toOrder(row: CustomerRow['orders'][number]): Order {
  return {
    id: row.id,
    kind: row.subscription_id === null ? 'one_off' : 'subscription',
    subscription_id: row.subscription_id,
    status: oneOf(['open', 'processing', 'shipped', 'cancelled'], row.status, `order ${row.id}: status`),
    placed_on: day(row.placed_on),
    lines: row.lines.map((line) => ({
      product_id: line.sku,
      title: line.title,
      quantity: line.quantity,
      price_minor: line.price_cents,
      one_time: line.one_time,
    })),
    items_minor: row.items_cents,
    discount_minor: row.discount_cents,
    shipping_minor: row.shipping_cents,
    tax_minor: row.tax_cents,
    total_minor: row.total_cents,
    payment: row.payment,
  }
}

export function toProduct({ product, ...row }: VariantRow): CatalogueProduct {
  return {
    id: row.sku,
    title: `${product.name}, ${row.name}`,
    price_minor: row.price_cents,
    compare_at_price_minor: row.old_price_cents,
    images: [product.image],
    description: product.description,
    available: row.on_sale ? row.stock : 0,
  }
}

export function toDiscount(row: CouponRow, uses: number): DiscountTerms {
  const expires_on = row.expires_on === null ? null : day(row.expires_on)
  return { ...worthOf(row), code: row.code, expires_on, max_uses: row.max_uses, uses }
}

function worthOf({ percent, amount_cents }: CouponRow) {
  if (percent !== null) return { kind: 'percentage', percentage: Number(percent) } as const
  return { kind: 'fixed_amount', amount_minor: amount_cents ?? 0 } as const
}

/** Returns a date as `YYYY-MM-DD`. Some libraries return a date column as a `Date` in UTC. */
function day(value: string | Date | null): string {
  return value instanceof Date ? value.toISOString().slice(0, 10) : (value ?? '')
}

/** Returns the value of a JSON column. The rules check the values that they use. */
function fromJson<Value>(value: unknown): Value {
  // oxlint-disable-next-line typescript/consistent-type-assertions -- StorePort has written the column
  return value as Value
}

/** Returns the word. Throws TypeError for another word. */
function oneOf<Word extends string>(words: readonly Word[], value: string, field: string): Word {
  const found = words.find((word) => word === value)
  if (found === undefined) throw new TypeError(`${field} must be one of ${words.join(', ')}`)
  return found
}
