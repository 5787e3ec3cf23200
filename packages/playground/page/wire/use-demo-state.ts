import { useCallback, useEffect, useRef, useState } from 'react'
import type { DemoState } from '../../src/protocol.ts'
import { getFromHost, hostMessage } from '../shop/host.ts'
import type { Calls } from '../shop/use-calls.ts'
import { texts } from '../texts/texts.ts'

/** Event after which the page loads the shop's data again. */
export type LookCause = 'click' | 'twice' | 'date' | 'checks'

/** The last loaded data of the shop. */
export interface ShownState {
  readonly shop: DemoState | null
  /** Changes since the previous load, and their cause; `null` after the first load. */
  readonly changes: (Changes & { readonly since: LookCause }) | null
  /** Why the data could not be loaded. */
  readonly problem: string | null
  readonly look: (cause: LookCause) => Promise<void>
}

/** Loads the data of the shop immediately and after each click, if `offered` is true. */
export function useDemoState(
  offered: boolean,
  click: Calls['lastClick'],
  reportHost: (error: unknown) => void,
): ShownState {
  const [state, setState] = useState<Omit<ShownState, 'look'>>({ shop: null, changes: null, problem: null })
  const requested = useRef(0)
  const shown = useRef(0)

  const look = useCallback(
    async (since: LookCause) => {
      if (!offered) return
      const turn = ++requested.current
      // Ignores a response that arrives after the response to a later request.
      const isLate = () => turn < shown.current
      try {
        const shop = await getFromHost<DemoState>('shop')
        reportHost(null)
        if (isLate()) return
        shown.current = turn
        setState((before) => {
          const changes = before.shop === null ? null : { ...countChanges(before.shop, shop), since }
          return { shop, changes, problem: null }
        })
      } catch (error) {
        reportHost(error)
        const problem = hostMessage(error, texts.shopState)
        if (!isLate()) setState((before) => ({ ...before, problem }))
      }
    },
    [offered, reportHost],
  )

  useEffect(() => void look(click.twice ? 'twice' : 'click'), [look, click])
  return { ...state, look }
}

/** Changes in the shop since the previous load. */
export interface Changes {
  /** Ids of new orders. */
  readonly newOrders: ReadonlySet<string>
  /** Ids of changed orders. */
  readonly touchedOrders: ReadonlySet<string>
  /** Number of new discount code uses. */
  readonly codeUses: number
  /** Number of new action runs. */
  readonly actionsRun: number
}

/** Compares two versions of the shop's data. */
export function countChanges(before: DemoState, now: DemoState): Changes {
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

/** Counts the new entries at the start of a list. The lists are sorted newest first and limited in length. */
function countNew(before: readonly unknown[], now: readonly unknown[]): number {
  const old = before.map((one) => JSON.stringify(one))
  const fits = (start: number) => now.slice(start).every((one, index) => JSON.stringify(one) === old[index])
  const start = now.findIndex((_, index) => fits(index))
  return start === -1 ? now.length : start
}
