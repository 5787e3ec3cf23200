import { StoreError, type StorePort, storesClicks } from '@storeport/core'
import type { EntityManager } from 'typeorm'
import { once, transact } from './database.ts'
import { findCode, findCurrent, findCustomer, findProduct, listInStock, lockForChange, toId } from './shop.ts'
import { Adds, Lines } from './tables.ts'

/** Returns the id of the code in a request, or null without a code. */
export async function requireCode(tx: EntityManager, text: string | undefined): Promise<number | null> {
  if (text === undefined) return null
  const code = await findCode(tx, text)
  if (code === undefined) throw new StoreError('invalid_discount_code')
  return code.id
}

export const upsells = {
  async listProducts() {
    const found = await transact(listInStock)
    const products = found.map(({ id, name, cents, images }) => {
      return { id: String(id), title: name, price: cents / 100, images }
    })
    return { products }
  },

  addProduct: storesClicks(({ email, product_id, quantity, one_time: oneTime, discount_code }, context) =>
    once(context, async (tx) => {
      const { id: subscriptionId, lines } = await findCurrent(tx, email, true)
      const { id: productId } = await findProduct(tx, product_id)
      const codeId = await requireCode(tx, discount_code)
      const line = lines.find((each) => each.productId === productId && each.oneTime === oneTime)
      const { id: lineId } = line ?? (await tx.save(Lines, { subscriptionId, productId, oneTime, quantity: 0 }))
      await tx.increment(Lines, { id: lineId }, 'quantity', quantity)
      await tx.insert(Adds, { subscriptionId, lineId, productId, quantity, codeId })
    }),
  ),

  undoAddProduct: storesClicks(({ email, product_id }, context) =>
    once(context, async (tx) => {
      const { id: customerId } = await findCustomer(tx, email)
      await lockForChange(tx, customerId)
      const add = await tx.findOne(Adds, {
        where: { productId: toId(product_id), subscription: { customerId, status: 'active' } },
        order: { id: 'desc' },
        relations: { line: true },
      })
      if (add === null) throw new StoreError('product_not_in_order')
      await tx.delete(Adds, add.id)
      if (add.line.quantity > add.quantity) await tx.decrement(Lines, { id: add.lineId }, 'quantity', add.quantity)
      else await tx.delete(Lines, add.lineId)
    }),
  ),

  async getDiscount({ discount_code }) {
    const code = await transact((tx) => findCode(tx, discount_code))
    if (code === undefined) return null
    return code.percent === null
      ? { discount_type: 'fixed_amount', discount_amount: (code.cents ?? 0) / 100 }
      : { discount_type: 'percentage', discount_percentage: code.percent }
  },
} satisfies StorePort
