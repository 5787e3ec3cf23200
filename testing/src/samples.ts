import type { EndpointName } from '@storeport/core'
import type { ClientInput, ClientOutput } from '@storeport/client'

/** The customer of the inputs. */
export const email = 'test@example.com'
/** The product of the answers. */
export const product = {
  id: 'test_12345',
  title: 'House Espresso, 500 g',
  price: 19.95,
  images: ['https://shop.example/a.png'],
}

/** One input for each endpoint, without the fields that have a default. */
export const inputs: { readonly [Name in EndpointName]: ClientInput<Name> } = {
  listProducts: { email },
  addProduct: { email, product_id: 'test_12345' },
  undoAddProduct: { email, product_id: 'test_12345' },
  getSubscription: { email },
  sendNow: { email },
  delaySubscription: { email, new_date: '2030-01-31' },
  swapProduct: { email, current_item_id: 'test_12345', new_product_id: 'test_67890', discount_code: 'TEST10' },
  listCancelledSubscriptions: { email },
  reactivateSubscription: { email, subscription_id: 'sub_2003' },
  runCustomAction: { email, action_id: 'join_waitlist_product_123' },
  getDiscount: { discount_code: 'TEST10' },
}

/** Returns the input of an endpoint as a query. */
export function queryOf(name: EndpointName): string {
  const fields = Object.entries(inputs[name]).map(([field, value]): [string, string] => [field, String(value)])
  return new URLSearchParams(fields).toString()
}

/** One good answer for each endpoint. */
export const outputs: { readonly [Name in EndpointName]: ClientOutput<Name> } = {
  listProducts: { products: [{ ...product, compare_at_price: 24.95, description: 'Fine.' }] },
  addProduct: undefined,
  undoAddProduct: undefined,
  getSubscription: {
    next_billing_date: '2030-01-15',
    items: [{ ...product, quantity: 2 }],
    shipping_total_cost: 5.99,
    order_discount_total: 0,
    customer_tax_rate: 0.08,
  },
  sendNow: undefined,
  delaySubscription: undefined,
  swapProduct: undefined,
  listCancelledSubscriptions: {
    subscriptions: [{ subscription_id: 'sub_2003', title: 'Every month', products: [{ ...product, quantity: 1 }] }],
  },
  reactivateSubscription: undefined,
  runCustomAction: undefined,
  getDiscount: { discount_type: 'percentage', discount_percentage: 10 },
}

/** Calls the method of one endpoint with its sample. */
export function callWithSample(client: object, name: EndpointName): Promise<unknown> {
  return Reflect.apply(Reflect.get(client, name), undefined, [inputs[name]])
}
