import { type AddInput, maxQuantity } from './read-input.ts'
import { Refusal } from './refusal.ts'

/** What both databases are asked about a customer and a product; PostgreSQL gives whole numbers as texts. */
export interface FoundByHand {
  readonly customer_id: string | null
  readonly price_minor: number | string | null
  readonly available: number | boolean | null
  readonly subscription_id: string | null
  readonly next_billing_date: string | null
  readonly item_id: string | null
  readonly quantity: number | string | null
  readonly item_price_minor: number | string | null
  readonly item_position: number | string | null
  /** Last position of the items of the subscription. */
  readonly last_item: number | string
  /** Last position of the adds of the customer. */
  readonly last_add: number | string
}

/** Writes the one statement that reads it: parameters 1 to 3 are the key of the email, the product and whether it is for one order. */
export function writeFind(mark: '?' | '$'): string {
  return `
  select customers.id as customer_id, products.price_minor, products.available,
      subscriptions.id as subscription_id, subscriptions.next_billing_date,
      items.id as item_id, items.quantity, items.price_minor as item_price_minor, items.position as item_position,
      (select coalesce(max(position), 0) from items where subscription_id = subscriptions.id) as last_item,
      (select coalesce(max(position), 0) from open_adds where customer_id = customers.id) as last_add
    from customers
    left join products on products.id = ${mark}2
    left join subscriptions on subscriptions.id = (
      select id from subscriptions where customer_id = customers.id and status = 'active'
      order by next_billing_date, id limit 1)
    left join items on items.subscription_id = subscriptions.id and items.product_id = ${mark}2 and items.one_time = ${mark}3
    where customers.email_key = ${mark}1`
}

/** What is written: the values of an item in the order of its columns, and those of the add. */
export interface AddedByHand {
  readonly item: readonly [string, string, string, number, number, boolean, number]
  readonly add: readonly [string, string, string, number, string, string, number]
}

/** The rule by hand, for a customer with an active subscription; throws a Refusal. */
export function addToItem(found: FoundByHand | undefined, input: AddInput, today: string): AddedByHand {
  if (found === undefined || found.customer_id === null) throw new Refusal('customer_not_found')
  const { customer_id, subscription_id, next_billing_date, price_minor } = found
  if (price_minor === null) throw new Refusal('product_not_found')
  if (!found.available) throw new Refusal('product_unavailable')
  if (subscription_id === null || next_billing_date === null || next_billing_date <= today) {
    throw new Refusal('internal_error', 'one-off orders and billing are not written by hand')
  }
  const total = Number(found.quantity ?? 0) + input.quantity
  if (total > maxQuantity) throw new Refusal('invalid_request', `quantity: the line would be more than ${maxQuantity}`)
  const itemId = found.item_id ?? `item_${crypto.randomUUID()}`
  const price = Number(found.item_price_minor ?? price_minor)
  const position = Number(found.item_position ?? Number(found.last_item) + 1)
  const { product_id, quantity, one_time } = input
  return {
    item: [itemId, subscription_id, product_id, total, price, one_time, position],
    add: [
      `add_${crypto.randomUUID()}`,
      customer_id,
      product_id,
      quantity,
      subscription_id,
      itemId,
      Number(found.last_add) + 1,
    ],
  }
}
