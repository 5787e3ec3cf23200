import type { CurrentSubscription, SubscriptionItem } from '@storeport/core'
import { isCalendarDate } from './read-input.ts'
import { Refusal } from './refusal.ts'

/** What the store answered, with the named fields alone and money rounded; throws Refusal when it is not what the API allows. */
export function checkedSubscription(answer: unknown): CurrentSubscription {
  const { next_billing_date, items, shipping_total_cost, order_discount_total, customer_tax_rate } = asObject(answer)
  if (typeof next_billing_date !== 'string') throw wrong('next_billing_date')
  if (!/^\d{4}-\d{2}-\d{2}$/.test(next_billing_date) || !isCalendarDate(next_billing_date))
    throw wrong('next_billing_date')
  if (!Array.isArray(items)) throw wrong('items')
  const checked: CurrentSubscription = { next_billing_date, items: items.map(checkedItem) }
  if (new Set(checked.items.map(({ id }) => id)).size !== items.length) throw wrong('items')
  if (shipping_total_cost !== undefined) checked.shipping_total_cost = money('shipping_total_cost', shipping_total_cost)
  if (order_discount_total !== undefined)
    checked.order_discount_total = money('order_discount_total', order_discount_total)
  if (customer_tax_rate !== undefined) checked.customer_tax_rate = notNegative('customer_tax_rate', customer_tax_rate)
  return checked
}

function checkedItem(value: unknown): SubscriptionItem {
  const { id, title, price, images, quantity, description } = asObject(value)
  if (typeof id !== 'string' || id === '' || id.length > 255 || !/^[^\p{Cc}\p{Cs}]*$/u.test(id)) throw wrong('id')
  if (typeof title !== 'string' || title === '') throw wrong('title')
  if (!Array.isArray(images)) throw wrong('images')
  if (typeof quantity !== 'number' || !Number.isSafeInteger(quantity) || quantity < 1) throw wrong('quantity')
  const item: SubscriptionItem = { id, title, price: money('price', price), images: images.map(imageUrl), quantity }
  if (description === undefined) return item
  if (typeof description !== 'string') throw wrong('description')
  item.description = description
  return item
}

function imageUrl(value: unknown): string {
  if (typeof value !== 'string') throw wrong('images')
  if (!/^https?:\/\/[^/?#@\\\s]+(?:[/?#]\S*)?$/i.test(value) || !URL.canParse(value)) throw wrong('images')
  return value
}

function money(field: string, value: unknown): number {
  return Math.round(notNegative(field, value) * 100) / 100
}

function notNegative(field: string, value: unknown): number {
  if (typeof value !== 'number' || !Number.isFinite(value) || value < 0) throw wrong(field)
  return value
}

function asObject(value: unknown): Record<string, unknown> {
  if (isRecord(value)) return value
  throw wrong('answer')
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function wrong(field: string): Refusal {
  return new Refusal('invalid_store_response', `${field} is not what the API allows`)
}
