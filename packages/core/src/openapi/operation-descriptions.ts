import type { EndpointName } from '../store-port.ts'

/** What an operation does beyond its summary, for the reader of the description. */
const operationDescriptions: Readonly<Record<EndpointName, string>> = {
  listProducts:
    'Without `email` the general recommendations, with it those for that customer. The form of the answer is the same. The order is that of display.',
  addProduct:
    'Adds to the current subscription, or with `one_time` only to its next order. A customer without a subscription gets an order. A discount code lowers the next order.',
  undoAddProduct:
    'Takes back the most recent add of the product that was not shipped yet, with its discount. Where the shop does not offer it, customers cannot undo.',
  getSubscription:
    'Of several active subscriptions the one that is billed next. The ids of its items are what `swapProduct` takes. An unknown customer and one without a subscription are 404.',
  sendNow:
    'Bills and ships the next order today, and counts the interval from today. At most one order a day for each customer.',
  delaySubscription:
    'The new date is tomorrow or later, and not before the date that the subscription has. The same date again changes nothing.',
  swapProduct:
    'The item keeps its quantity and its place and has the price of the new product. A discount code lowers the next order.',
  listCancelledSubscriptions:
    'Only those that can still be reactivated, in the order of display. A customer who has none gets an empty list.',
  reactivateSubscription:
    'The subscription is billed tomorrow, with the items that it had. A discount code lowers its next order.',
  runCustomAction: 'Which actions there are, and what each does, is for the shop to say.',
  getDiscount:
    'A percentage or a fixed amount, to be shown before the code is used. The letter case of the code does not count.',
}

/** Returns what an operation does beyond its summary. */
export function describeOperation(name: EndpointName): string {
  return operationDescriptions[name]
}
