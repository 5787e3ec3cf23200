import { StoreError, type StorePort, storesClicks } from '@storeport/core'
import { once, transact } from './database.ts'
import { dateOf, discountOf, findCurrent, onDate, today, toItem } from './shop.ts'
import { Subscriptions } from './tables.ts'

export const delayButton = {
  async getSubscription({ email }) {
    const { nextDelivery, lines } = await transact((tx) => findCurrent(tx, email))
    return {
      next_billing_date: dateOf(nextDelivery),
      items: lines.map(toItem),
      order_discount_total: discountOf(lines) / 100,
    }
  },

  delaySubscription: storesClicks(({ email, new_date }, context) =>
    once(context, async (tx) => {
      const { id, nextDelivery } = await findCurrent(tx, email, true)
      if (new_date <= today() || new_date < dateOf(nextDelivery)) throw new StoreError('invalid_date')
      await tx.update(Subscriptions, id, { nextDelivery: onDate(nextDelivery, new_date) })
    }),
  ),
} satisfies StorePort
