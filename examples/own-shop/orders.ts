import { addDays, StoreError } from '@storeport/core'
import { type EntityManager, In } from 'typeorm'
import { dateOf, discountOf, findCurrent, findCustomer, lockSubscriptions, onDate, today, totalOf } from './shop.ts'
import { Adds, Lines, type Order, Orders, Subscriptions } from './tables.ts'

export const hourMs = 3_600_000

/** Returns the pending order of a customer, or creates it from the current subscription. */
export async function openOrder(tx: EntityManager, email: string): Promise<Order> {
  const { id: customerId } = await findCustomer(tx, email)
  await lockSubscriptions(tx, customerId)
  const subscription = await findCurrent(tx, email)
  const latest = await tx.findOne(Orders, {
    where: { subscription: { customerId }, status: In(['pending', 'paid']) },
    order: { id: 'desc' },
    relations: { subscription: true },
  })
  const ageMs = Date.now() - (latest?.placedAt.getTime() ?? 0)
  if (latest?.status === 'pending') {
    // Later, the provider has forgotten the key.
    if (ageMs > 23 * hourMs) throw new StoreError('order_not_processable')
    return latest
  }
  const isToday = latest !== null && dateOf(latest.placedAt) === today()
  if (isToday || ageMs < hourMs) throw new StoreError('order_already_processing')
  const cents = totalOf(subscription.lines) - discountOf(subscription.lines)
  return tx.save(Orders, { subscription, status: 'pending' as const, placedAt: new Date(), cents })
}

export const declineOrder = (tx: EntityManager, { id }: Order) => tx.update(Orders, id, { status: 'declined' })

/** Stores the payment and the next delivery. Removes the lines of this order only, and the adds: they have shipped. */
export async function finishOrder(tx: EntityManager, { id: orderId, subscription }: Order): Promise<void> {
  const { id, everyWeeks, nextDelivery } = subscription
  const next = onDate(nextDelivery, addDays(today(), 7 * everyWeeks))
  await tx.update(Orders, orderId, { status: 'paid' })
  await tx.update(Subscriptions, id, { nextDelivery: next })
  await tx.delete(Adds, { subscriptionId: id })
  await tx.delete(Lines, { subscriptionId: id, oneTime: true })
}
