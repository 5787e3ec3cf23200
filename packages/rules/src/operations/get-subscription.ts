import type { CurrentSubscription, CustomerInput } from '@storeport/core'
import type { CustomerAccount } from '../account/customer-account.ts'
import { type Shop, toMajor } from '../shop/shop.ts'
import { nextOrderTotals } from '../account/orders.ts'
import { toSubscriptionItems } from '../account/responses.ts'
import type { EveryField } from '../shop/every-field.ts'
import { defineRule } from './define-rule.ts'
import { currentSubscription, shownDate } from '../account/subscriptions.ts'

/** Returns the contents and costs of the current subscription's next order. Throws `subscription_not_found`. */
export const getSubscription = defineRule({
  uses: ['subscriptions', 'discount_uses', 'products'],
  subscriptions: ['current'],
  apply: readSubscription,
})

function readSubscription(
  account: Pick<CustomerAccount, 'subscriptions' | 'discount_uses'>,
  _input: CustomerInput,
  shop: Shop,
): CurrentSubscription {
  const subscription = currentSubscription(account, shop)
  const { discount_minor, shipping_minor } = nextOrderTotals(account, subscription)
  return {
    next_billing_date: shownDate(subscription, shop.today),
    items: toSubscriptionItems(subscription, shop),
    shipping_total_cost: toMajor(shipping_minor, shop.currency_digits),
    order_discount_total: toMajor(discount_minor, shop.currency_digits),
    customer_tax_rate: subscription.tax_rate,
  } satisfies EveryField<CurrentSubscription>
}
