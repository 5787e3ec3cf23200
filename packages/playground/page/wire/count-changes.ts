import type { DemoState } from '../../src/protocol.ts'

/** Changes in the shop since the previous load. */
export type Changes = ReturnType<typeof countChanges>

/** Compares two versions of the shop's data. */
export function countChanges(before: DemoState, now: DemoState) {
  const known = new Set(before.orders.map(({ id }) => id))
  const fresh = new Set(now.orders.map(({ id }) => id).filter((id) => !known.has(id)))
  const old = now.orders.filter(({ id }) => known.has(id))
  return {
    /** Ids of new orders. */
    fresh,
    /** Ids of changed orders. */
    orders: changedIn(before.orders, old),
    /** Ids of changed subscriptions. */
    subscriptions: changedIn(before.subscriptions, now.subscriptions),
    /** Number of new discount code uses. */
    codeUses: countNew(before.discount_uses, now.discount_uses),
    /** Number of new action runs. */
    actionsRun: countNew(before.actions_run, now.actions_run),
  }
}

/** Returns the ids of records that are new or changed. */
function changedIn(before: readonly object[], now: readonly { readonly id: string }[]): ReadonlySet<string> {
  const old = new Set(before.map((record) => JSON.stringify(record)))
  return new Set(now.filter((record) => !old.has(JSON.stringify(record))).map(({ id }) => id))
}

/** Counts the new entries at the start of a list. The lists are sorted newest first and limited in length. */
function countNew(before: readonly unknown[], now: readonly unknown[]): number {
  const old = before.map((one) => JSON.stringify(one))
  const fits = (start: number) => now.slice(start).every((one, index) => JSON.stringify(one) === old[index])
  const start = now.findIndex((_, index) => fits(index))
  return start === -1 ? now.length : start
}
