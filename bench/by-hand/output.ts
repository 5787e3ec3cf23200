import type { CurrentSubscription, SubscriptionItem } from '@storeport/core'
import { ApiError } from './contract.ts'
import { isDate } from './input.ts'

/** Copies the API fields from the store's output and rounds amounts. Throws ApiError if a field is invalid. */
export function checkedSubscription(output: unknown): CurrentSubscription {
  const { next_billing_date, items, shipping_total_cost, order_discount_total, customer_tax_rate } = asObject(output)
  if (typeof next_billing_date !== 'string' || !isDate(next_billing_date)) throw invalid('next_billing_date')
  if (!Array.isArray(items)) throw invalid('items')
  const checked: CurrentSubscription = { next_billing_date, items: items.map(checkedItem) }
  if (new Set(checked.items.map(({ id }) => id)).size !== items.length) throw invalid('items')
  if (shipping_total_cost !== undefined) checked.shipping_total_cost = money('shipping_total_cost', shipping_total_cost)
  if (order_discount_total !== undefined)
    checked.order_discount_total = money('order_discount_total', order_discount_total)
  if (customer_tax_rate !== undefined) checked.customer_tax_rate = notNegative('customer_tax_rate', customer_tax_rate)
  return checked
}

function checkedItem(value: unknown): SubscriptionItem {
  const { id, title, price, images, quantity, description } = asObject(value)
  if (typeof id !== 'string' || id === '' || id.length > 255 || !/^[^\p{Cc}\p{Cs}]*$/u.test(id)) throw invalid('id')
  if (typeof title !== 'string' || title === '') throw invalid('title')
  if (!Array.isArray(images)) throw invalid('images')
  if (typeof quantity !== 'number' || !Number.isSafeInteger(quantity) || quantity < 1) throw invalid('quantity')
  const item: SubscriptionItem = { id, title, price: money('price', price), images: images.map(imageUrl), quantity }
  if (description === undefined) return item
  if (typeof description !== 'string') throw invalid('description')
  item.description = description
  return item
}

function imageUrl(value: unknown): string {
  if (typeof value !== 'string') throw invalid('images')
  if (!/^https?:\/\/[^/?#@\\\s]+(?:[/?#]\S*)?$/i.test(value) || !URL.canParse(value)) throw invalid('images')
  return value
}

function money(field: string, value: unknown): number {
  return Math.round(notNegative(field, value) * 100) / 100
}

function notNegative(field: string, value: unknown): number {
  if (typeof value !== 'number' || !Number.isFinite(value) || value < 0) throw invalid(field)
  return value
}

function asObject(value: unknown): Record<string, unknown> {
  if (isRecord(value)) return value
  throw invalid('output')
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function invalid(field: string): ApiError {
  return new ApiError('invalid_store_response', `${field}: invalid`)
}
