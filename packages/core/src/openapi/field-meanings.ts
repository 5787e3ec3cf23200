import type { InputOf, OutputOf } from '../endpoints/index.ts'
import type { EndpointName } from '../store-port.ts'

/** The names of all fields that a value holds, at whatever depth. */
type FieldsOf<Value> = Value extends readonly (infer Element)[]
  ? FieldsOf<Element>
  : Value extends object
    ? { [Name in keyof Value & string]-?: Name | FieldsOf<Value[Name]> }[keyof Value & string]
    : never

/** The inputs and outputs of all endpoints, each on its own, so that no field of any of them is lost. */
type EveryField = { [Name in EndpointName]: FieldsOf<InputOf<Name>> | FieldsOf<OutputOf<Name>> }[EndpointName]

/** What each field means, wherever it occurs. */
const fieldMeanings: Readonly<Record<EveryField, string>> = {
  email: "The customer's email address.",
  product_id: 'The id of a product of `listProducts`.',
  quantity: 'Number of units; a shop takes at most 1,000 unless it says otherwise.',
  discount_code: 'A discount code, as `getDiscount` knows it.',
  one_time: 'Only for the next order, when true.',
  new_date: 'New date of the next billing and shipment.',
  current_item_id: 'The id of an item of `getSubscription`.',
  new_product_id: 'The id of a product of `listProducts`.',
  subscription_id: 'A subscription of `listCancelledSubscriptions`.',
  action_id: "The merchant's name for the action.",
  id: 'Identifier of the product, also of an item; a line of the next order alone has `~once` behind it.',
  title: 'Name shown to the customer.',
  price: 'Price of one unit, in major units of the currency.',
  compare_at_price: 'Price to compare with.',
  images: 'Addresses of pictures.',
  description: 'A few words.',
  next_billing_date: 'Date of the next billing.',
  items: 'What the next order will contain.',
  products: 'The products.',
  subscriptions: 'In the order of display.',
  shipping_total_cost: 'Shipping of the next order, 0 when there is none; it may be an estimate.',
  order_discount_total: 'Discount on the next order beyond what item prices show, 0 when there is none.',
  customer_tax_rate: 'Tax rate as a decimal, 0 when there is none: 0.08 means 8 %.',
  discount_type: 'Kind of discount.',
  discount_percentage: '15 means 15 %.',
  discount_amount: 'Amount off the order.',
}

/** Returns what a field means; `undefined` for a name that is no field. */
export function meaningOf(name: string): string | undefined {
  return isField(name) ? fieldMeanings[name] : undefined
}

function isField(name: string): name is EveryField {
  return Object.hasOwn(fieldMeanings, name)
}
