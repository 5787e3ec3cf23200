import type { InsideOrder, ShopInside } from '../../src/protocol.ts'

/** What is new in the shop since the page looked before. */
export interface Changes {
  /** Ids of orders that were not there. */
  readonly newOrders: ReadonlySet<string>
  /** Ids of orders that are not as they were. */
  readonly touchedOrders: ReadonlySet<string>
  /** How many uses of codes came on top. */
  readonly codeUses: number
  /** How many runs of actions came on top. */
  readonly actionsRun: number
}

/** What came to a shop between two looks at it. */
export function countChanges(before: ShopInside, now: ShopInside): Changes {
  const known = new Map(before.orders.map((order): [string, InsideOrder] => [order.id, order]))
  const isTouched = (order: InsideOrder) => {
    const old = known.get(order.id)
    return old !== undefined && JSON.stringify(old) !== JSON.stringify(order)
  }
  return {
    newOrders: new Set(now.orders.filter(({ id }) => !known.has(id)).map(({ id }) => id)),
    touchedOrders: new Set(now.orders.filter(isTouched).map(({ id }) => id)),
    codeUses: countNew(before.codeUses, now.codeUses),
    actionsRun: countNew(before.actionsRun, now.actionsRun),
  }
}

/** The latest are first, and no list is longer than the host allows: what stands before the one that was first is new. */
function countNew(before: readonly unknown[], now: readonly unknown[]): number {
  const old = before.map((one) => JSON.stringify(one))
  const fits = (start: number) => now.slice(start).every((one, index) => JSON.stringify(one) === old[index])
  const start = now.findIndex((_, index) => fits(index))
  return start === -1 ? now.length : start
}
