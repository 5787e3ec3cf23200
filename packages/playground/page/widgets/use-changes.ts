import type { CurrentSubscription } from '@storeport/core'
import { useState } from 'react'

/** What of a subscription is different from how it was read before. */
export interface Changes {
  /** Whether it is the date of the next box. */
  readonly date: boolean
  /** Ids of the items that are new or different. */
  readonly items: ReadonlySet<string>
  /** Grows with every change, so that the same place can be highlighted twice. */
  readonly turn: number
}

/** Compares every subscription that is read with the one before. */
export function useChanges(subscription: CurrentSubscription): Changes {
  const [seen, setSeen] = useState(subscription)
  const [changes, setChanges] = useState<Changes>({ date: false, items: new Set(), turn: 0 })
  if (seen !== subscription) {
    setSeen(subscription)
    setChanges({ ...compareSubscriptions(seen, subscription), turn: changes.turn + 1 })
  }
  return changes
}

/** What is different between two readings of a subscription. */
export function compareSubscriptions(
  before: CurrentSubscription,
  after: CurrentSubscription,
): Pick<Changes, 'date' | 'items'> {
  const different = after.items.filter(({ id, title, price, quantity }) => {
    const old = before.items.find((item) => item.id === id)
    return old === undefined || old.title !== title || old.price !== price || old.quantity !== quantity
  })
  return { date: before.next_billing_date !== after.next_billing_date, items: new Set(different.map(({ id }) => id)) }
}

/** Marks an element as changed; two marks in turn, since the same one would not start its animation again. */
export function changeMark(changed: boolean, turn: number): 'odd' | 'even' | undefined {
  if (!changed) return undefined
  return turn % 2 === 1 ? 'odd' : 'even'
}
