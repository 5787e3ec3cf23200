import { addDays, StoreError, type StorePort } from '@storeport/core'
import { In } from 'typeorm'
import { once, transact } from './database.ts'
import { charge } from './payments.ts'
import { dateOf, discountOf, findCurrent, onDate, today, totalOf } from './shop.ts'
import { Adds, Lines, Orders, Subscriptions } from './tables.ts'

const hourMs = 3_600_000

export const sendNowButton = {
  // The provider ignores a repeated key for 24 hours.
  honoursIdempotencyKey: { forMs: 23 * hourMs },

  async sendNow({ email }, context) {
    // 1. Check, and store the intent: a pending order. A repeat finds it again.
    const { order, subscription } = await transact(async (tx) => {
      const current = await findCurrent(tx, email, true)
      const latest = await tx.findOne(Orders, {
        where: { subscription: { customerId: current.customerId }, status: In(['pending', 'paid']) },
        order: { id: 'desc' },
        relations: { subscription: true },
      })
      const ageMs = Date.now() - (latest?.placedAt.getTime() ?? 0)
      if (latest?.status === 'pending') {
        if (ageMs < 23 * hourMs) return { order: latest, subscription: latest.subscription }
        throw new StoreError('order_not_processable')
      }
      if (latest && (dateOf(latest.placedAt) === today() || ageMs < hourMs))
        throw new StoreError('order_already_processing')
      const { id: subscriptionId, lines } = current
      const items = lines.map(({ productId, quantity }) => ({ productId, quantity }))
      const cents = totalOf(lines) - discountOf(lines)
      const intent = { subscriptionId, status: 'pending' as const, placedAt: new Date(), cents, items }
      return { order: await tx.save(Orders, intent), subscription: current }
    })

    // 2. Charge, with no transaction open. The key of the order is the same in every attempt.
    if ((await charge(`order-${order.id}`, order.cents)) === 'declined') {
      await transact((tx) => tx.update(Orders, order.id, { status: 'declined' }))
      throw new StoreError('payment_failed')
    }

    // 3. Store the success together with the click. No rule can reject this write.
    const { id, everyWeeks, nextDelivery } = subscription
    const next = onDate(nextDelivery, addDays(today(), 7 * everyWeeks))
    await once(context, async (tx) => {
      await tx.update(Orders, order.id, { status: 'paid' })
      await tx.update(Subscriptions, id, { nextDelivery: next })
      await tx.delete(Adds, { subscriptionId: id })
      await tx.delete(Lines, { subscriptionId: id, oneTime: true })
    })
  },
} satisfies StorePort
