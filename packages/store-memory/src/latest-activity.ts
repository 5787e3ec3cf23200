import type { CustomerAccount, ShopActivity } from '@storeport/rules'
import type { Tables } from './tables.ts'

/** Adds a customer's new orders and discount uses to the journal. Removes undone orders and discount uses. */
export function recordActivity({ journal }: Tables, before: CustomerAccount | undefined, after: CustomerAccount): void {
  record(journal.orders, after.email, before?.orders ?? [], after.orders)
  record(journal.uses, after.email, before?.discount_uses ?? [], after.discount_uses)
}

function record(journal: Map<string, string>, email: string, before: readonly Named[], after: readonly Named[]): void {
  if (before === after) return
  const left = new Set(after.map(({ id }) => id))
  for (const { id } of before) if (!left.has(id)) journal.delete(id)
  for (const id of left) if (!journal.has(id)) journal.set(id, email)
}

interface Named {
  readonly id: string
}

/** Returns the latest orders, discount uses and action runs, at most `limit` of each. */
export function latestActivity({ journal, accounts, actionsRun }: Tables, limit: number): ShopActivity {
  const all = [...accounts.values()]
  const orders = new Map(all.flatMap((account) => account.orders).map((order) => [order.id, order]))
  const uses = new Map(all.flatMap((account) => account.discount_uses).map((use) => [use.id, use]))
  return {
    orders: latest(journal.orders, orders, limit),
    discount_uses: latest(journal.uses, uses, limit),
    actions_run: actionsRun.toReversed().slice(0, limit),
  }
}

function latest<Kind>(journal: ReadonlyMap<string, string>, known: ReadonlyMap<string, Kind>, limit: number) {
  return [...journal]
    .toReversed()
    .flatMap(([id, email]) => {
      const found = known.get(id)
      return found === undefined ? [] : [{ ...found, email }]
    })
    .slice(0, limit)
}
