import type { JsonObject } from './build-openapi.ts'
import type { EndpointName } from '../store-port.ts'

/** What each field means, wherever it stands. */
export const fieldMeanings: Readonly<Record<string, string>> = {
  email: "The customer's email address.",
  product_id: 'A product of `listProducts`.',
  quantity: 'Number of units.',
  discount_code: 'A discount code, as `getDiscount` knows it.',
  one_time: 'Only for the next order, when true.',
  new_date: 'New date of the next billing and shipment.',
  current_item_id: 'An item of `getSubscription`.',
  new_product_id: 'A product of `listProducts`.',
  subscription_id: 'A subscription of `listCancelledSubscriptions`.',
  action_id: "The merchant's name for the action.",
  id: 'Identifier.',
  title: 'Name shown to the customer.',
  price: 'Price of one unit.',
  compare_at_price: 'Price to compare with.',
  images: 'Addresses of pictures.',
  description: 'A few words.',
  next_billing_date: 'Date of the next billing.',
  items: 'What the next order will contain.',
  products: 'The products.',
  subscriptions: 'In the order of display.',
  shipping_total_cost: 'Shipping of the next order.',
  order_discount_total: 'Discount on the next order, beyond what item prices show.',
  customer_tax_rate: 'Tax rate as a decimal: 0.08 means 8 %.',
  discount_type: 'Kind of discount.',
  discount_percentage: '15 means 15 %.',
  discount_amount: 'Amount off the order.',
}

const email = 'subscription@example.com'
const product = {
  id: 'test_12345',
  title: 'Test Product A',
  price: 19.95,
  images: ['https://shop.example/images/test_12345.svg'],
}
const item = { ...product, id: 'item_1', quantity: 2 }

/** An input, and for a GET the data of its answer, for each endpoint. */
export const examples: Readonly<Record<EndpointName, { readonly input: JsonObject; readonly output?: JsonObject }>> = {
  listProducts: { input: {}, output: { products: [{ ...product, compare_at_price: 24.95 }] } },
  addProduct: { input: { email, product_id: 'test_54321', quantity: 1, discount_code: 'TEST10', one_time: false } },
  undoAddProduct: { input: { email, product_id: 'test_54321' } },
  getSubscription: {
    input: { email },
    output: {
      next_billing_date: '2026-12-04',
      items: [item],
      shipping_total_cost: 5.99,
      order_discount_total: 5,
      customer_tax_rate: 0.08,
    },
  },
  sendNow: { input: { email } },
  delaySubscription: { input: { email, new_date: '2027-01-15' } },
  swapProduct: { input: { email, current_item_id: 'item_1', new_product_id: 'test_54321' } },
  listCancelledSubscriptions: {
    input: { email: 'cancelled@example.com' },
    output: { subscriptions: [{ subscription_id: 'sub_2003', title: 'Every month', products: [item] }] },
  },
  reactivateSubscription: {
    input: { email: 'cancelled@example.com', subscription_id: 'sub_2003', discount_code: 'COMEBACK15' },
  },
  runCustomAction: { input: { email, action_id: 'join_waitlist_product_123' } },
  getDiscount: {
    input: { discount_code: 'TEST10' },
    output: { discount_type: 'percentage', discount_percentage: 10 },
  },
}
