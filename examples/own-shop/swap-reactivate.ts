import { addDays, StoreError, type StorePort, storesClicks } from '@storeport/core'
import { once, transact } from './database.ts'
import { findCurrent, findCustomer, findProduct, lockForChange, onDate, today, toId, toItem } from './shop.ts'
import { Adds, Lines, type Subscription, Subscriptions } from './tables.ts'
import { requireCode } from './upsells.ts'

const yearMs = 365 * 86_400_000
const isRecent = ({ cancelledAt }: Subscription) => cancelledAt !== null && Date.now() - cancelledAt.getTime() < yearMs

export const swapAndReactivate = {
  swapProduct: storesClicks(({ email, current_item_id, new_product_id, discount_code }, context) =>
    once(context, async (tx) => {
      const { id: subscriptionId, lines } = await findCurrent(tx, email, true)
      const line = lines.find((each) => toItem(each).id === current_item_id)
      if (line === undefined) throw new StoreError('item_not_found')
      const { id: productId } = await findProduct(tx, new_product_id)
      const codeId = await requireCode(tx, discount_code)
      if (line.productId === productId) return
      const twin = lines.find((each) => each.productId === productId && each.oneTime === line.oneTime)
      if (twin === undefined) {
        await tx.update(Lines, line.id, { productId })
        await tx.delete(Adds, { lineId: line.id })
      } else {
        await tx.increment(Lines, { id: twin.id }, 'quantity', line.quantity)
        await tx.delete(Lines, line.id)
      }
      const { id: lineId } = twin ?? line
      if (codeId !== null) await tx.insert(Adds, { subscriptionId, lineId, quantity: line.quantity, codeId })
    }),
  ),

  async listCancelledSubscriptions({ email }) {
    const cancelled = await transact(async (tx) => {
      const { id: customerId } = await findCustomer(tx, email)
      return tx.find(Subscriptions, {
        where: { customerId, status: 'cancelled' },
        order: { cancelledAt: 'desc', id: 'asc', lines: { id: 'asc' } },
        relations: { lines: { product: true } },
      })
    })
    const subscriptions = cancelled.filter(isRecent).map(({ id, name, lines }) => {
      return { subscription_id: String(id), title: name, products: lines.map(toItem) }
    })
    return { subscriptions }
  },

  reactivateSubscription: storesClicks(({ email, subscription_id, discount_code }, context) =>
    once(context, async (tx) => {
      const { id: customerId } = await findCustomer(tx, email)
      await lockForChange(tx, customerId)
      const subscriptionId = toId(subscription_id)
      const found = await tx.findOneBy(Subscriptions, { id: subscriptionId, customerId })
      if (found === null) throw new StoreError('subscription_not_found')
      if (found.status !== 'cancelled') throw new StoreError('subscription_not_cancelled')
      if (!isRecent(found)) throw new StoreError('subscription_not_eligible')
      const codeId = await requireCode(tx, discount_code)
      for (const { id: lineId, quantity } of codeId === null ? [] : await tx.findBy(Lines, { subscriptionId }))
        await tx.insert(Adds, { subscriptionId, lineId, quantity, codeId })
      const nextDelivery = onDate(found.nextDelivery, addDays(today(), 1))
      await tx.update(Subscriptions, subscriptionId, { status: 'active', cancelledAt: null, nextDelivery })
    }),
  ),
} satisfies StorePort
