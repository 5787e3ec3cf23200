import { dateIn, StoreError } from '@storeport/core'
import { type EntityManager, MoreThan } from 'typeorm'
import { Codes, Customers, type Line, Orders, Products, type Subscription, Subscriptions } from './tables.ts'

/*
 * Functions of the shop. `npm start` sets TZ to this time zone, so the driver reads a DATETIME as local time.
 */

export const dateOf = dateIn('Europe/Berlin')
export const today = () => dateOf(new Date())
/** Returns the same time of day on another date. */
export const onDate = (at: Date, date: string) => new Date(`${date}T${at.toTimeString().slice(0, 8)}`)

/** Returns the customer with an email, which was stored as the customer typed it. */
export async function findCustomer(tx: EntityManager, email: string) {
  // The index finds the rows. Its collation ignores accents, so the emails are compared again.
  const found = await tx.findBy(Customers, { email })
  const customer = found.find((row) => row.email.trim().toLowerCase() === email.toLowerCase())
  if (customer === undefined) throw new StoreError('customer_not_found')
  return customer
}

/** Returns a code that can be used, in any letter case. */
export async function findCode(tx: EntityManager, text: string) {
  const found = await tx.findBy(Codes, { code: text })
  return found.find(({ code, expiresAt }) => {
    return code.trim().toLowerCase() === text.toLowerCase() && (expiresAt === null || expiresAt > new Date())
  })
}

/** Locks the subscriptions of a customer. A lock on a query with relations would lock the products too. */
export async function lockSubscriptions(tx: EntityManager, customerId: number): Promise<void> {
  await tx.find(Subscriptions, { where: { customerId }, lock: { mode: 'pessimistic_write' } })
}

/** Locks the subscriptions of a customer for a change. Rejects the change while an order is pending. */
export async function lockForChange(tx: EntityManager, customerId: number): Promise<void> {
  await lockSubscriptions(tx, customerId)
  // A pending order may be charged already, and would not contain the change.
  if (await tx.existsBy(Orders, { subscription: { customerId }, status: 'pending' }))
    throw new StoreError('store_unavailable')
}

/** Returns the active subscription with the next delivery. In a change, locks it first. */
export async function findCurrent(tx: EntityManager, email: string, locks = false): Promise<Subscription> {
  const { id: customerId } = await findCustomer(tx, email)
  if (locks) await lockForChange(tx, customerId)
  const [current] = await tx.find(Subscriptions, {
    where: { customerId, status: 'active' },
    order: { nextDelivery: 'asc', id: 'asc', lines: { id: 'asc' } },
    relations: { lines: { product: true, adds: { code: true } } },
  })
  if (current === undefined) throw new StoreError('subscription_not_found')
  return current
}

/** Returns a product that is in stock. */
export async function findProduct(tx: EntityManager, id: string) {
  const product = await tx.findOneBy(Products, { id: toId(id) })
  if (product === null) throw new StoreError('product_not_found')
  if (product.stock === 0) throw new StoreError('product_unavailable')
  return product
}

export const listInStock = (tx: EntityManager) =>
  tx.find(Products, { where: { stock: MoreThan(0) }, order: { id: 'asc' } })

/** Returns the id of a row, or 0. MariaDB itself compares `7` with `7abc` as equal. */
export const toId = (text: string) => (/^[1-9]\d{0,8}$/.test(text) ? Number(text) : 0)

/** Returns the item of the API: its id is the product's id, and a line for the next order only has its own id. */
export const toItem = ({ product, quantity, oneTime }: Line) => ({
  id: oneTime ? `${product.id}~once` : String(product.id),
  title: product.name,
  price: product.cents / 100,
  images: product.images,
  quantity,
})

/** Returns the discount of the next order, in cents. A fixed amount counts once. */
export function discountOf(lines: readonly Line[]): number {
  const used = lines.flatMap(({ adds, product }) => {
    return adds.flatMap(({ code, quantity }) => (code ? [{ code, cents: product.cents * quantity }] : []))
  })
  const fixed = new Map(used.map(({ code }) => [code.id, code.cents ?? 0]))
  const percents = used.map(({ code, cents }) => Math.round((cents * (code.percent ?? 0)) / 100))
  return Math.min(totalOf(lines), sum([...fixed.values(), ...percents]))
}

export const totalOf = (lines: readonly Line[]) => sum(lines.map(({ product, quantity }) => product.cents * quantity))
const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0)
