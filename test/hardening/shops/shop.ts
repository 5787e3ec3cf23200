import type { CompleteStorePort } from '@storeport/core'
import type { ShopData } from '@storeport/rules'

/** A place where the data of a shop is, over which hosts can be opened. */
export interface Shop {
  /** Addresses of running hosts that share the data: processes of their own where the data outlives one. */
  readonly hosts: readonly [string, ...string[]]
  /** Opens the store in this process. */
  open(): Promise<CompleteStorePort>
  /** Makes every click older by some milliseconds, as if that time had passed. */
  ageClicks(ms: number): Promise<void>
  /** Counts what has happened to a customer. */
  effects(email: string): Promise<Effects>
  /** Starts a process that serves the shop and is killed before or after it has added a product; rejects in memory. */
  startDoomed(when: 'before' | 'after'): Promise<string>
  /** Ends hosts and connections. */
  close(): Promise<void>
}

/** What has happened to a customer. */
export interface Effects {
  /** Orders that were made. */
  readonly orders: number
  /** Units of beans that were added to the subscription. */
  readonly beans: number
  /** Custom actions that were run. */
  readonly actions: number
}

export const key = 'a-key-of-the-tests-0001'
export const today = '2026-03-10'

/** Enough customers for every test to have some of its own; each has one subscription. */
export const data: ShopData = {
  products: [
    { id: 'beans', title: 'Beans', price: 19.95, images: [] },
    { id: 'filters', title: 'Filters', price: 4.5, images: [] },
  ],
  actions: ['join_waitlist'],
  customers: Array.from({ length: 40 }, (_, index) => ({
    email: emailOf(index),
    subscriptions: [
      { id: `sub_${index}`, next_billing_date: '2026-04-01', items: [{ id: `item_${index}`, product_id: 'filters' }] },
    ],
  })),
}

/** The email of a customer by number. */
export function emailOf(index: number): string {
  return `customer-${index}@shop.example`
}
