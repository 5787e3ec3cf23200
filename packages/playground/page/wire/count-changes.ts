import type { DemoState } from '../../src/protocol.ts'

/** Changes in the shop since the previous load. */
export interface Changes {
  /** Ids of new orders. */
  readonly fresh: ReadonlySet<string>
  /** Ids of changed orders. */
  readonly orders: ReadonlySet<string>
  /** Ids of changed subscriptions. */
  readonly subscriptions: ReadonlySet<string>
  /** Number of new discount code uses. */
  readonly codeUses: number
  /** Number of new action runs. */
  readonly actionsRun: number
}

/** Compares two versions of the shop's data. */
export function countChanges(before: DemoState, now: DemoState): Changes {
  const known = new Set(before.orders.map(({ id }) => id))
  const fresh = new Set(now.orders.map(({ id }) => id).filter((id) => !known.has(id)))
  return {
    fresh,
    orders: changedIn(
      before.orders,
      now.orders.filter(({ id }) => !fresh.has(id)),
    ),
    subscriptions: changedIn(before.subscriptions, now.subscriptions),
    codeUses: countNew(before.discount_uses, now.discount_uses),
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
