import type { CurrentSubscription } from '@storeport/core'

/** A subscription with its money at two decimals, which a JSON schema cannot ask for. */
export function roundedMoney(subscription: CurrentSubscription): CurrentSubscription {
  const { shipping_total_cost, order_discount_total } = subscription
  return {
    ...subscription,
    items: subscription.items.map((item) => ({ ...item, price: rounded(item.price) })),
    ...(shipping_total_cost !== undefined && { shipping_total_cost: rounded(shipping_total_cost) }),
    ...(order_discount_total !== undefined && { order_discount_total: rounded(order_discount_total) }),
  }
}

function rounded(amount: number): number {
  return Math.round(amount * 100) / 100
}
