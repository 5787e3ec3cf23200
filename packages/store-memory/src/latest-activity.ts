import type { CustomerAccount, ShopActivity } from '@storeport/rules'
import type { Journal, Tables } from './tables.ts'

/** Adds a customer's orders and discount uses to the journal. Removes undone orders and discount uses. */
export function recordActivity({ journal }: Tables, before: CustomerAccount | undefined, after: CustomerAccount): void {
  record(journal.orders, after.email, before?.orders ?? [], after.orders)
  record(journal.uses, after.email, before?.discount_uses ?? [], after.discount_uses)
}

function record<Kind extends { readonly id: string }>(
  journal: Journal<Kind>,
  email: string,
  before: readonly Kind[],
  after: readonly Kind[],
): void {
  if (before === after) return
  const left = new Set(after.map(({ id }) => id))
  for (const { id } of before) if (!left.has(id)) journal.delete(id)
  for (const each of after) journal.set(each.id, { email, record: each })
}

/** Returns the latest orders, discount uses and action runs, at most `limit` of each. */
export function latestActivity({ journal, actionsRun }: Tables, limit: number): ShopActivity {
  const latest = <Kind>(list: Iterable<Kind>) => [...list].toReversed().slice(0, limit)
  return {
    orders: latest(journal.orders.values()).map(({ email, record: order }) => ({ ...order, email })),
    discount_uses: latest(journal.uses.values()).map(({ email, record: use }) => ({ ...use, email })),
    actions_run: latest(actionsRun),
  }
}
