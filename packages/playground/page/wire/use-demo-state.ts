import { useCallback, useEffect, useRef, useState } from 'react'
import type { DemoState } from '../../src/protocol.ts'
import { getFromHost, hostMessage } from '../shop/host.ts'
import type { Calls } from '../shop/use-calls.ts'

/** Event after which the page loads the shop's data again. */
export type LookCause = 'click' | 'twice'

/** The last loaded data of the shop. */
export interface ShownState {
  readonly shop: DemoState | null
  /** Changes since the previous load, and their cause; `null` after the first load. */
  readonly changes: (Changes & { readonly since: LookCause }) | null
  /** Reason why the data could not be loaded. */
  readonly problem: string | null
  /** Loads the data again. */
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
        const problem = hostMessage(error, 'The shop data could not be loaded')
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
  const fresh = now.orders.filter(({ id }) => !known.has(id))
  return {
    fresh: new Set(fresh.map(({ id }) => id)),
    orders: changedIn(
      before.orders,
      now.orders.filter(({ id }) => known.has(id)),
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
