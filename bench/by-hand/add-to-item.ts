import { type AddInput, ApiError } from './contract.ts'
import { maxQuantity } from './input.ts'

/** A row that the SELECT statement returns. SQLite returns booleans as numbers, and JSON as strings. */
export interface Found {
  readonly customer_id: string
  readonly last_add: number
  readonly price_minor: number | null
  readonly available: number | boolean | null
  readonly max_quantity: number | null
  readonly subscription_id: string | null
  readonly next_billing_date: string | null
  readonly skipped: string | readonly string[]
  readonly items: string | readonly Item[]
  readonly adds: string | readonly object[]
  /** The customer's stored clicks as JSON. */
  readonly clicks: string | null
  /** Current time of the database, in milliseconds since 1970; set only on PostgreSQL. */
  readonly now?: number
}

interface Item {
  readonly id: string
  readonly product_id: string
  readonly quantity: number
  readonly price_minor: number
  readonly one_time: boolean
}

/** Returns a SELECT statement for the customer, the current subscription, the product and the stored clicks. */
export function findStatement(dialect: 'sqlite' | 'postgres'): string {
  const now = dialect === 'sqlite' ? '' : ', cast(extract(epoch from clock_timestamp()) * 1000 as bigint) as now'
  return `
  select customers.id as customer_id, customers.last_add, products.price_minor, products.available,
      cast(products.details ->> 'max_quantity' as integer) as max_quantity, subscriptions.id as subscription_id,
      subscriptions.next_billing_date, subscriptions.skipped, subscriptions.items, subscriptions.adds,
      customers.clicks${now}
    from customers
    left join products on products.id = $2
    left join subscriptions on subscriptions.id = (
      select id from subscriptions where customer_id = customers.id and status = 'active'
      order by next_billing_date, id limit 1)
    where customers.email_key = $1`
}

/** Adds the product to the found subscription. Returns the parameters that update the subscription and the customer. */
export function addToItem(found: Found | undefined, { product_id, quantity, one_time }: AddInput, today: string) {
  if (found === undefined) throw new ApiError('customer_not_found')
  if (found.price_minor === null) throw new ApiError('product_not_found')
  if (!found.available) throw new ApiError('product_unavailable')
  const { subscription_id, next_billing_date } = found
  const skipped = parse(found.skipped)
  if (subscription_id === null || next_billing_date === null) throw new Error('One-off orders are not written by hand.')
  if (next_billing_date <= today || skipped.includes(next_billing_date))
    throw new Error('Billing is not written by hand.')

  const items: Item[] = [...parse(found.items)]
  const place = items.findIndex((item) => item.product_id === product_id && item.one_time === one_time)
  const present = items[place]
  const total = (present?.quantity ?? 0) + quantity
  if (total > maxQuantity)
    throw new ApiError('invalid_request', `quantity: the total for this product must be at most ${maxQuantity}`)
  if (total > (found.max_quantity ?? total)) throw new ApiError('product_unavailable')
  const wireId = wireIdOf({ product_id, one_time })
  if (items.some((item) => item !== present && wireIdOf(item) === wireId)) throw new ApiError('product_unavailable')
  const item = present
    ? { ...present, quantity: total }
    : { id: `item_${crypto.randomUUID()}`, product_id, quantity, price_minor: found.price_minor, one_time }
  if (place < 0) items.push(item)
  else items[place] = item

  const number = found.last_add + 1
  const id = `add_${crypto.randomUUID()}`
  const add = { id, product_id, quantity, item_id: item.id, discount_use_id: null, number }
  return {
    subscription: [JSON.stringify(items), JSON.stringify([...parse(found.adds), add]), subscription_id],
    customer: [number, found.customer_id],
  }
}

function wireIdOf({ product_id, one_time }: Pick<Item, 'product_id' | 'one_time'>): string {
  return one_time ? `${product_id}~once` : product_id
}

function parse<Value>(json: string | Value): Value {
  return typeof json === 'string' ? JSON.parse(json) : json
}
