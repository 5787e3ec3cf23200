/**
 * Number of Stripe requests of each method, for `costs` of `@storeport/shield`. Assumes cached products, and an email with one customer at
 * Stripe in the same letter case. The values of changes include a discount code.
 */
export const stripeCosts = {
  listProducts: 1,
  getSubscription: 2,
  listCancelledSubscriptions: 2,
  getDiscount: 1,
  addProduct: 7,
  undoAddProduct: 5,
  sendNow: 5,
  delaySubscription: 4,
  swapProduct: 8,
  reactivateSubscription: 5,
  runCustomAction: 4,
  reconcile: 3,
} as const

/**
 * Number of Stripe's API reads (GET requests) when a customer opens an email, by widget. The other request of `getSubscription` is a POST,
 * which Stripe does not count as a read.
 */
export const readsPerWidget = { upsells: 1, portal: 1, reactivate: 2 } as const
