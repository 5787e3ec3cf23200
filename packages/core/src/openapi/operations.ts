import type { InputOf, OutputOf } from '../contract/endpoints.ts'
import type { CancelledSubscription, CurrentSubscription, Product, SubscriptionItem } from '../contract/schemas.ts'
import type { EndpointName } from '../contract/store-port.ts'
import type { ErrorCode } from '../contract/errors.ts'

/** Every field with a value, the optional ones as well: a new field does not compile until the example shows it. */
type Full<Value> = { [Field in keyof Value]-?: NonNullable<Value[Field]> }

const email = 'subscription@example.com'

const product: Full<Product> = {
  id: 'test_12345',
  title: 'House Espresso, 500 g',
  price: 19.95,
  images: ['https://shop.example/images/test_12345.svg'],
  compare_at_price: 24.95,
  description: 'Dark chocolate, hazelnut and a long finish. Whole beans, roasted to order.',
}

const item: Full<SubscriptionItem> = {
  id: product.id,
  title: product.title,
  price: product.price,
  images: product.images,
  quantity: 2,
  description: product.description,
}

const subscription: Full<CurrentSubscription> = {
  next_billing_date: '2026-12-04',
  items: [item],
  shipping_total_cost: 5.99,
  order_discount_total: 5,
  customer_tax_rate: 0.08,
}

const cancelled: Full<CancelledSubscription> = {
  subscription_id: 'sub_2003',
  title: 'Every month',
  products: [item],
}

/** What the description says of an operation beyond its row. */
interface Described<Name extends EndpointName> {
  /** What it does beyond its summary. */
  readonly description: string
  /** An example of its query or body. */
  readonly input: Name extends 'listProducts' ? InputOf<Name> : Full<InputOf<Name>>
  /** An example of its data; none for an action. */
  readonly output: OutputOf<Name>
}

type DescribedOperations = {
  readonly [Name in EndpointName]: OutputOf<Name> extends void ? Omit<Described<Name>, 'output'> : Described<Name>
}

const operations: DescribedOperations = {
  listProducts: {
    description:
      'Without `email` the general recommendations, with it those for that customer. The form of the answer is the same. The order is that of display.',
    input: {},
    output: { products: [product] },
  },
  addProduct: {
    description:
      'Adds to the current subscription, or with `one_time` only to its next order. A customer without a subscription gets an order. A discount code lowers the next order.',
    input: { email, product_id: 'test_54321', quantity: 1, discount_code: 'TEST10', one_time: false },
  },
  undoAddProduct: {
    description:
      'Takes back the most recent add of the product that was not shipped yet, with its discount. Where the shop does not offer it, customers cannot undo.',
    input: { email, product_id: 'test_54321' },
  },
  getSubscription: {
    description:
      'Of several active subscriptions the one that is billed next. The ids of its items are what `swapProduct` takes. An unknown customer and one without a subscription are 404.',
    input: { email },
    output: subscription,
  },
  sendNow: {
    description:
      'Bills and ships the next order today, and counts the interval from today. At most one order a day for each customer.',
    input: { email },
  },
  delaySubscription: {
    description:
      'The new date is tomorrow or later, and not before the date that the subscription has. The same date again changes nothing.',
    input: { email, new_date: '2035-06-01' },
  },
  swapProduct: {
    description:
      'The item keeps its quantity and its place and has the price of the new product. A discount code lowers the next order.',
    input: { email, current_item_id: item.id, new_product_id: 'test_54321', discount_code: 'TEST20' },
  },
  listCancelledSubscriptions: {
    description:
      'Only those that can still be reactivated, in the order of display. A customer who has none gets an empty list.',
    input: { email: 'cancelled@example.com' },
    output: { subscriptions: [cancelled] },
  },
  reactivateSubscription: {
    description:
      'The subscription is billed tomorrow, with the items that it had. A discount code lowers its next order.',
    input: { email: 'cancelled@example.com', subscription_id: 'sub_2003', discount_code: 'COMEBACK15' },
  },
  runCustomAction: {
    description: 'Which actions there are, and what each does, is for the shop to say.',
    input: { email, action_id: 'join_waitlist_product_123' },
  },
  getDiscount: {
    description:
      'A percentage or a fixed amount, to be shown before the code is used. The letter case of the code does not count.',
    input: { discount_code: 'TEST10' },
    output: { discount_type: 'percentage', discount_percentage: 10 },
  },
}

/** Returns what an operation does beyond its summary, an input and, for a GET, the data of its answer. */
export function describeOperation(name: EndpointName): {
  readonly description: string
  readonly input: object
  readonly output?: object
} {
  return operations[name]
}

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

/** What makes a shop answer with a code, for the reader of the reference. */
const errorCauses: Readonly<Record<ErrorCode, string>> = {
  invalid_request:
    'A field is missing or of another form than its own, or the body is no JSON object. The message names the field.',
  invalid_date: 'The date does not exist, is today or earlier, or comes before the current billing date.',
  invalid_discount_code:
    'The code is unknown, expired or used up, or does not apply to this customer. Nothing was changed.',
  product_unavailable: 'The product is sold out, or not so many can be ordered.',
  order_not_processable: 'The subscription has nothing to ship, or the shop cannot process it now.',
  order_already_processing: 'An order of this customer was processed today or within the last hour.',
  subscription_not_cancelled: 'The subscription is active.',
  subscription_not_eligible: 'The subscription was cancelled too long ago.',
  payment_failed: "The customer's payment method was refused.",
  action_not_allowed: 'The action exists, and this customer may not run it, or not again.',
  unauthorized: 'The key is missing, wrong or sent twice. Nothing else was looked at.',
  endpoint_not_found: 'The path is none of this page, below the base path of the shop.',
  endpoint_not_available: 'The shop has left this endpoint out: its widget or button is not shown.',
  customer_not_found: 'No customer has this email address.',
  subscription_not_found: 'The customer has no active subscription, or none of this id.',
  product_not_found: 'The shop has no product of this id.',
  item_not_found: "The customer's current subscription has no item of this id.",
  product_not_in_order: 'The product was never added, was taken back already, or was shipped.',
  discount_not_found: 'The code is unknown, expired or used up.',
  action_not_found: 'The shop has no action of this name.',
  method_not_allowed: 'The path exists and takes another method.',
  request_timeout: 'The caller sent its request too slowly.',
  request_in_progress: 'The first call of the same click has not ended. Ask again after `Retry-After` seconds.',
  payload_too_large: 'The body is larger than 64 KiB.',
  unsupported_media_type: 'A POST has another content type, or none.',
  idempotency_key_reused: 'The same `Idempotency-Key` came with another body or for another endpoint.',
  rate_limited: 'The shop limits its calls. Ask again after `Retry-After` seconds.',
  headers_too_large: 'The headers are larger than 16 KiB.',
  internal_error: 'A failure in the shop, which is in its log under the `X-Request-Id`.',
  invalid_store_response: "The shop's own code gave an answer that this page does not allow.",
  upstream_error: 'A service that the shop asked failed. Whether a change was made is not known: repeat the call.',
  store_unavailable:
    "The shop's database or a service cannot be reached, or too many calls run at once. Ask again after `Retry-After` seconds.",
  store_timeout: 'The shop did not answer in time. Whether a change was made is not known: repeat the call.',
}

/** Returns what makes a shop answer with a code. */
export function causeOf(code: ErrorCode): string {
  return errorCauses[code]
}
