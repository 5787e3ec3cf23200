import { addDays, addMonths, seed } from '@storeport/rules'
import { DemoControlError, type DemoControls } from '../src/index.ts'
import { createMemoryStore, type MemoryStore } from '@storeport/store-memory'

type StoreOptions = NonNullable<Parameters<typeof createMemoryStore>[0]>

/** A memory store, with functions outside the API that read its data, move its date and reset it. */
export interface MovableShop {
  readonly store: MemoryStore
  readonly demo: Required<DemoControls>
  /** Returns the shop's current date, `YYYY-MM-DD`. */
  today(): string
}

/** Creates a shop with a memory store whose date can be moved. */
export function createMovableShop(firstDay: string, options: StoreOptions): MovableShop {
  let day = firstDay
  const store = createMemoryStore({ ...options, now: () => Date.parse(`${day}T12:00:00Z`) })
  const { products } = seed(firstDay)
  const titleOf = (id: string) => products.find((product) => product.id === id)?.title ?? id
  const subscriptionsOf = (email: string) =>
    (store.account(email)?.subscriptions ?? [])
      .map(({ id, status, next_billing_date, items }) => ({
        ...{ id, email, status, next_billing_date },
        lines: items.map((item) => ({ ...item, title: titleOf(item.product_id) })),
      }))
      .toSorted((one, other) => String(one.next_billing_date).localeCompare(String(other.next_billing_date)))
  const emails = ['subscription', 'cancelled', 'another', 'test'].map((name) => `${name}@example.com`)
  const moved = (billed: number) => ({ today: day, billed })
  return {
    store,
    today: () => day,
    demo: {
      readState: async () => {
        return { ...store.latestActivity(), today: day, subscriptions: emails.flatMap(subscriptionsOf) }
      },
      async moveDate({ to, email }) {
        const next = subscriptionsOf(email)[0]?.next_billing_date ?? day
        const wanted = { 'one-month': addMonths(day, 1), 'next-billing': next, 'day-before': addDays(next, -1) }[to]
        if (wanted <= day) throw new DemoControlError('date_not_moved', 'There is no next billing ahead.')
        day = wanted
        return moved((await store.billDue()).billed)
      },
      async reset() {
        // Resets the date first, because the dates in the seed data are relative to the shop's date.
        day = firstDay
        store.reset()
        return moved(0)
      },
    },
  }
}
