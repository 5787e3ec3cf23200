import { StoreError, type StorePort } from '@storeport/core'
import { once, transact } from './database.ts'
import { declineOrder, finishOrder, hourMs, openOrder } from './orders.ts'
import { charge } from './payments.ts'

export const sendNowButton = {
  // The provider ignores a repeated key for 24 hours.
  honoursIdempotencyKey: { forMs: 23 * hourMs },

  async sendNow({ email }, context) {
    // 1. Check, and store the intent: a pending order. A repeat finds this order.
    const order = await transact((tx) => openOrder(tx, email))

    // 2. Charge, with no transaction open. All attempts for an order send the same key.
    if ((await charge(`order-${order.id}`, order.cents)) === 'declined') {
      await transact((tx) => declineOrder(tx, order))
      throw new StoreError('payment_failed')
    }

    // 3. Store the success together with the click. No rule can reject this write.
    await once(context, (tx) => finishOrder(tx, order))
  },
} satisfies StorePort
