import { useCallback, useEffect, useRef, useState } from 'react'
import type { ShopInside } from '../../src/protocol.ts'
import { getFromHost, sayHostError } from '../shop/host.ts'
import type { Calls } from '../shop/use-calls.ts'
import { texts } from '../texts/texts.ts'

/** Why the page looks again. */
export type LookCause = 'click' | 'twice' | 'date' | 'checks'

/** What the shop has, as the page last looked. */
export interface Inside {
  readonly shop: ShopInside | null
  /** What changed since the look before, and what it came of; `null` at first. */
  readonly changes: (Changes & { readonly since: LookCause }) | null
  /** Why the host could not tell. */
  readonly problem: string | null
  readonly look: (cause: LookCause) => Promise<void>
}

/** Looks into the shop at once and again after each click, where the host lets it. */
export function useInside(offered: boolean, lastClick: Calls['lastClick'], noteHost: (error: unknown) => void): Inside {
  const [inside, setInside] = useState<Omit<Inside, 'look'>>({ shop: null, changes: null, problem: null })
  const asked = useRef(0)
  const shown = useRef(0)

  const look = useCallback(
    async (since: LookCause) => {
      if (!offered) return
      const turn = ++asked.current
      // A later look may be under way: it is compared with this one.
      const isLate = () => turn < shown.current
      try {
        const shop = await getFromHost<ShopInside>('shop')
        noteHost(null)
        if (isLate()) return
        shown.current = turn
        setInside((before) => {
          const changes = before.shop === null ? null : { ...countChanges(before.shop, shop), since }
          return { shop, changes, problem: null }
        })
      } catch (error) {
        noteHost(error)
        const problem = sayHostError(error, texts.inside)
        if (!isLate()) setInside((before) => ({ ...before, problem }))
      }
    },
    [offered, noteHost],
  )

  useEffect(() => void look(lastClick.twice ? 'twice' : 'click'), [look, lastClick])
  return { ...inside, look }
}

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
  const known = new Map(before.orders.map((order) => [order.id, JSON.stringify(order)] as const))
  const idsOf = (isWanted: (old: string | undefined, order: string) => boolean) =>
    new Set(now.orders.filter((order) => isWanted(known.get(order.id), JSON.stringify(order))).map(({ id }) => id))
  return {
    newOrders: idsOf((old) => old === undefined),
    touchedOrders: idsOf((old, order) => old !== undefined && old !== order),
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
