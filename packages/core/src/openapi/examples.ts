import type { InputOf, OutputOf } from '../endpoints/index.ts'
import type { CancelledSubscription, CurrentSubscription, SubscriptionItem } from '../schemas/subscription.ts'
import type { Product } from '../schemas/product.ts'
import type { EndpointName, Operations } from '../store-port.ts'

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

/** An input, and for a GET the data of its answer. */
interface Example<Name extends EndpointName> {
  /** The query or body. */
  readonly input: Name extends 'listProducts' ? InputOf<Name> : Full<InputOf<Name>>
  /** The data; none for an action. */
  readonly output: OutputOf<Name>
}

type Examples = {
  readonly [Name in EndpointName]: Awaited<ReturnType<Operations[Name]>> extends void
    ? Pick<Example<Name>, 'input'>
    : Example<Name>
}

const examples: Examples = {
  listProducts: { input: {}, output: { products: [product] } },
  addProduct: { input: { email, product_id: 'test_54321', quantity: 1, discount_code: 'TEST10', one_time: false } },
  undoAddProduct: { input: { email, product_id: 'test_54321' } },
  getSubscription: { input: { email }, output: subscription },
  sendNow: { input: { email } },
  delaySubscription: { input: { email, new_date: '2035-06-01' } },
  swapProduct: {
    input: { email, current_item_id: item.id, new_product_id: 'test_54321', discount_code: 'TEST20' },
  },
  listCancelledSubscriptions: {
    input: { email: 'cancelled@example.com' },
    output: { subscriptions: [cancelled] },
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

/** Returns an input of an endpoint and, for a GET, the data of its answer. */
export function exampleOf(name: EndpointName): { readonly input: object; readonly output?: object } {
  return examples[name]
}
