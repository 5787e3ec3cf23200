import type { CurrentSubscription } from '@storeport/core'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { type Changes, compareSubscriptions } from './subscription-items.ts'

/** Marks elements as changed; two marks in turn, since the same one would not start its animation again. */
export type ChangeMark = 'odd' | 'even' | undefined

/** Compares every subscription that is read with the one before; `showNext` brings the next change in `place` into view. */
export function useChanges(subscription: CurrentSubscription, place: RefObject<HTMLElement | null>) {
  const [seen, setSeen] = useState(subscription)
  const [changes, setChanges] = useState<Changes & { turn: number }>({ date: false, items: new Set(), turn: 0 })
  const mustShow = useRef(false)
  if (seen !== subscription) {
    setSeen(subscription)
    setChanges({ ...compareSubscriptions(seen, subscription), turn: changes.turn + 1 })
  }
  useEffect(() => {
    if (!mustShow.current) return
    mustShow.current = false
    showChange(place.current)
  }, [changes.turn, place])

  const mark = (changed: boolean): ChangeMark => (!changed ? undefined : changes.turn % 2 === 1 ? 'odd' : 'even')
  return {
    date: mark(changes.date),
    itemMark: (id: string) => mark(changes.items.has(id)),
    showNext: () => void (mustShow.current = true),
  }
}

/**
 * Scrolls to what has changed. The focus goes there too when the button that had it is gone, so that a keyboard user is not
 * sent back to the start of the page.
 */
function showChange(place: HTMLElement | null): void {
  const changed = place?.querySelector<HTMLElement>('[data-changed]')
  if (!(changed instanceof HTMLElement)) return
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches
  changed.scrollIntoView({ block: 'nearest', behavior: still ? 'instant' : 'smooth' })
  if (hasLostFocus()) changed.focus({ preventScroll: true })
}

/** Whether nothing has the focus, as after the element that had it went away. */
export function hasLostFocus(): boolean {
  return document.activeElement === null || document.activeElement === document.body
}
