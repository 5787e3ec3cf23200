import type { InputOf, OutputOf } from '../contract/endpoints.ts'
import type { CancelledSubscription, CurrentSubscription, Product, SubscriptionItem } from '../contract/schemas.ts'
import type { EndpointName } from '../contract/store-port.ts'
import type { ErrorCode } from '../contract/errors.ts'

/** Makes all fields of a type required, so that an example without a new field does not compile. */
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

/** Documentation of an operation, in addition to the operation's row in the contract table. */
interface Described<Name extends EndpointName> {
  readonly description: string
  /** Example of the query or body. Can be empty if all fields are optional. */
  readonly input: object extends InputOf<Name> ? InputOf<Name> : Full<InputOf<Name>>
  /** Example of the `data` in the response. */
  readonly output: OutputOf<Name>
}

type DescribedOperations = {
  readonly [Name in EndpointName]: OutputOf<Name> extends void ? Omit<Described<Name>, 'output'> : Described<Name>
}

const operations: DescribedOperations = {
  listProducts: {
    description:
      'Without `email`, returns the general list. With `email`, returns the recommendations for that customer, without the products of the current subscription. An unknown customer, or a customer without recommendations, gets the general list. The products are in display order.',
    input: {},
    output: { products: [product] },
  },
  addProduct: {
    description:
      "Adds the product to the current subscription. With `one_time`, adds it only to the next order. A customer without a subscription gets a separate order. A discount code reduces the next order: a percentage of the added units' price, or a fixed amount once.",
    input: { email, product_id: 'test_54321', quantity: 1, discount_code: 'TEST10', one_time: false },
  },
  undoAddProduct: {
    description: 'Removes the most recent addition of the product that has not shipped, together with its discount.',
    input: { email, product_id: 'test_54321' },
  },
  getSubscription: {
    description:
      'If the customer has several active subscriptions, returns the subscription with the earliest billing date. Use its item ids in `swapProduct` requests. Returns 404 if the customer does not exist or has no subscription.',
    input: { email },
    output: subscription,
  },
  sendNow: {
    description:
      'Bills and ships the next order today. The next interval starts today. Each customer can have at most one order per day.',
    input: { email },
  },
  delaySubscription: {
    description:
      'The new date must be tomorrow or later, and not before the current billing date. Sending the current date changes nothing.',
    input: { email, new_date: '2035-06-01' },
  },
  swapProduct: {
    description:
      "The new item has the replaced item's quantity and position, and the new product's price. If the new product is already an item of the same kind, the units are added to that item, at its position. An addition of the replaced item can no longer be undone. A discount code reduces the next order: a percentage of the swapped item's total price, or a fixed amount once.",
    // Uses a customer with only one subscription.
    // The earlier examples change the current subscription of the other example customer.
    input: {
      email: 'another@example.com',
      current_item_id: 'test_54321',
      new_product_id: product.id,
      discount_code: 'TEST20',
    },
  },
  listCancelledSubscriptions: {
    description: 'Lists only subscriptions that can be reactivated, in display order. The list can be empty.',
    input: { email: 'cancelled@example.com' },
    output: { subscriptions: [cancelled] },
  },
  reactivateSubscription: {
    description: 'The subscription keeps its items and is billed tomorrow. A discount code reduces its next order.',
    input: { email: 'cancelled@example.com', subscription_id: 'sub_2003', discount_code: 'COMEBACK15' },
  },
  runCustomAction: {
    description: 'The shop defines its actions and their effects.',
    input: { email, action_id: 'join_waitlist_product_123' },
  },
  getDiscount: {
    description:
      'Returns a percentage or a fixed amount, for display before the code is used. The code is not case-sensitive.',
    input: { discount_code: 'TEST10' },
    output: { discount_type: 'percentage', discount_percentage: 10 },
  },
}

/** Returns the description of an operation, an example input and, for a GET, example data. */
export function describeOperation(name: EndpointName): {
  readonly description: string
  readonly input: object
  readonly output?: object
} {
  return operations[name]
}

/** Names of all fields of a type, at any depth. */
type FieldsOf<Value> = Value extends readonly (infer Element)[]
  ? FieldsOf<Element>
  : Value extends object
    ? { [Name in keyof Value & string]-?: Name | FieldsOf<Value[Name]> }[keyof Value & string]
    : never

/** Names of all fields in the inputs and outputs of the endpoints. */
type EveryField = { [Name in EndpointName]: FieldsOf<InputOf<Name>> | FieldsOf<OutputOf<Name>> }[EndpointName]

const fieldDescriptions: Readonly<Record<EveryField, string>> = {
  email: "The customer's email address.",
  product_id: 'Id of a product from `listProducts`.',
  quantity: 'Number of units. The default maximum is 1,000.',
  discount_code: 'Discount code from the shop.',
  one_time: 'If true, adds the product only to the next order.',
  new_date: 'New date for the next billing and shipment.',
  current_item_id: 'Id of an item from `getSubscription`.',
  new_product_id: 'Id of a product from `listProducts`.',
  subscription_id: 'Id of a subscription from `listCancelledSubscriptions`.',
  action_id: 'Id of the action, defined by the merchant.',
  id: 'Id of the product or item. The id of a one-time item ends in `~once`.',
  title: 'Name shown to the customer.',
  price: 'Price of one unit, in major units of the currency.',
  compare_at_price: 'Regular price, shown for comparison.',
  images: 'URLs of images.',
  description: 'Short description.',
  next_billing_date: 'Date of the next billing.',
  items: 'Contents of the next order.',
  products: 'Products, in display order.',
  subscriptions: 'Cancelled subscriptions, in display order.',
  shipping_total_cost: 'Shipping cost of the next order, or 0. It can be an estimate.',
  order_discount_total: 'Discount on the next order that the item prices do not include, or 0.',
  customer_tax_rate: 'Tax rate as a decimal, such as 0.08 for 8%, or 0.',
  discount_type: 'Type of the discount.',
  discount_percentage: 'Percentage: 15 means 15%.',
  discount_amount: 'Amount subtracted from the order.',
}

/** Returns the description of a field; `undefined` if no field has this name. */
export function descriptionOf(name: string): string | undefined {
  return isField(name) ? fieldDescriptions[name] : undefined
}

function isField(name: string): name is EveryField {
  return Object.hasOwn(fieldDescriptions, name)
}

/** Cause of each error code, for the API reference. */
const errorCauses: Readonly<Record<ErrorCode, string>> = {
  invalid_request: 'A field is missing or invalid, or the body is not a JSON object. The message names the field.',
  invalid_date: 'The date does not exist, is not after today, or is before the current billing date.',
  invalid_discount_code:
    'The code does not exist, has expired, is used up, or does not apply to this customer. Nothing was changed.',
  product_unavailable: 'The product is sold out, or the quantity is not available.',
  order_not_processable: 'The subscription has nothing to ship, or the shop cannot process it now.',
  order_already_processing: 'An order for this customer was processed today or within the last hour.',
  subscription_not_cancelled: 'The subscription is active.',
  subscription_not_eligible: 'The subscription was cancelled too long ago.',
  payment_failed: "The customer's payment method was declined.",
  action_not_allowed: 'The action exists, but this customer is not allowed to run it, or has already run it.',
  unauthorized: 'The key is missing, invalid or sent twice. Nothing else was checked.',
  endpoint_not_found: 'The path is not an endpoint of this API.',
  endpoint_not_available: 'The shop does not offer this endpoint. Its widget or button is not shown.',
  customer_not_found: 'No customer has this email address.',
  subscription_not_found: 'The customer has no active subscription, or no subscription with this id.',
  product_not_found: 'The shop has no product with this id.',
  item_not_found: "The customer's current subscription has no item with this id.",
  product_not_in_order: 'The product was not added, was already removed, or has shipped.',
  discount_not_found: 'The code does not exist, has expired or is used up.',
  action_not_found: 'The shop has no action with this id.',
  method_not_allowed: 'The endpoint does not accept this method.',
  request_timeout: 'The request was sent too slowly.',
  request_in_progress: 'An identical earlier request is still running. Retry after `Retry-After` seconds.',
  payload_too_large: 'The body is larger than 64 KiB.',
  unsupported_media_type:
    'The `Content-Type` of a POST is not `application/json`, its charset is not UTF-8, or the body is compressed.',
  idempotency_key_reused: 'The `Idempotency-Key` was already used for a different request.',
  rate_limited: 'The email platform sent too many requests. Retry after `Retry-After` seconds.',
  headers_too_large: 'The headers are larger than 16 KiB.',
  internal_error: 'The shop failed. Its log contains the error with the `X-Request-Id`.',
  invalid_store_response: 'The shop returned data that does not match this API.',
  upstream_error: 'A service used by the shop has failed. The outcome of a change is unknown. Retry the request.',
  store_unavailable:
    "The shop's database or a service is unreachable, or too many requests are running. Retry after `Retry-After` seconds.",
  store_timeout: 'The shop did not respond in time. The outcome of a change is unknown. Retry the request.',
}

/** Returns the cause of an error code. */
export function causeOf(code: ErrorCode): string {
  return errorCauses[code]
}
