import { minorUnitDigits } from '@storeport/core'
import type { InsideOrder, ShopInside } from '@storeport/playground'
import { type ShopActivity, toMajor } from '@storeport/rules'

/** What is told of the activity of a shop: its amounts as the API has them, in the shop's currency. */
export function lookInside(activity: ShopActivity, today: string, currency: string): ShopInside {
  const digits = minorUnitDigits(currency)
  const amount = (minor: number) => toMajor(minor, digits)
  return {
    today,
    orders: activity.orders.map((order): InsideOrder => ({
      id: order.id,
      email: order.email,
      kind: order.kind,
      subscriptionId: order.subscription_id,
      status: order.status,
      placedOn: order.placed_on,
      lines: order.lines.map(({ product_id, title, quantity, price_minor, one_time }) => ({
        productId: product_id,
        title,
        quantity,
        price: amount(price_minor),
        oneTime: one_time,
      })),
      items: amount(order.items_minor),
      discount: amount(order.discount_minor),
      shipping: amount(order.shipping_minor),
      tax: amount(order.tax_minor),
      total: amount(order.total_minor),
    })),
    codeUses: activity.discount_uses.map(({ email, code, used_on, amount_minor, order_id }) => ({
      email,
      code,
      usedOn: used_on,
      amount: amount(amount_minor),
      orderId: order_id,
    })),
    actionsRun: activity.actions_run.map(({ email, action_id, run_on }) => ({
      email,
      actionId: action_id,
      runOn: run_on,
    })),
  }
}
