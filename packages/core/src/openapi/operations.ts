import type { InputOf, OutputOf } from '../endpoints/index.ts'
import type { CancelledSubscription, CurrentSubscription, SubscriptionItem } from '../schemas/subscription.ts'
import type { Product } from '../schemas/product.ts'
import type { EndpointName } from '../store-port.ts'

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
