import { customerSample, type SampleProduct } from '@storeport/store-sql'
import { firstDay } from './first-day.ts'

/** The clicks that are timed. */
export const clickKinds = ['ordered before', 'new'] as const

/** A kind of click: of a product that the subscription has, or of one that it has not. */
export type ClickKind = (typeof clickKinds)[number]

/** The texts of the bodies of each kind: each customer clicks once on a product of either kind. */
export type ClickPlan = Readonly<Record<ClickKind, readonly string[]>>

/** How many made-up customers are needed, so that so many of them can click: three in ten have one active subscription that lacks a product. */
export function customersFor(clicks: number): number {
  return clicks * 4 + 100
}

/** Plans clicks of the made-up customers of a number of them: always the same. */
export function planClicks(customers: number, products: readonly SampleProduct[]): ClickPlan {
  const plan: Record<ClickKind, string[]> = { 'ordered before': [], new: [] }
  for (let number = 1; number <= customers; number++) {
    const { customer, subscriptions } = customerSample(number, firstDay, products)
    const active = subscriptions.filter(({ row }) => row.status === 'active')
    const items = active[0]?.items ?? []
    const [known] = items
    const missing = products.find(({ id }) => !items.some(({ product_id }) => product_id === id))
    // Which of two active ones is current need not be said here.
    if (active.length !== 1 || known === undefined || missing === undefined) continue
    plan['ordered before'].push(bodyOf(customer.email, known.product_id))
    plan.new.push(bodyOf(customer.email, missing.id))
  }
  return plan
}

function bodyOf(email: string, product_id: string): string {
  return JSON.stringify({ email, product_id, quantity: 1, one_time: false })
}
