import type { CurrentSubscription } from '@storeport/core'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { type Changes, compareSubscriptions } from './subscription-items.ts'

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
    for (const changed of place.current?.querySelectorAll('[data-changed]') ?? []) highlight(changed)
    if (!mustShow.current) return
    mustShow.current = false
    showChange(place.current)
  }, [changes.turn, place])
  return { ...changes, showNext: () => void (mustShow.current = true) }
}

/** Colours an element for six seconds, which begin again when it changes again. */
function highlight(element: Element): void {
  const colour = { background: 'var(--change)', boxShadow: '0 0 0 0.25rem var(--change)' }
  const none = { background: 'transparent', boxShadow: 'none' }
  element.animate([colour, { ...colour, offset: 0.6 }, none], {
    duration: 6000,
    easing: isStill() ? 'step-end' : 'ease-out',
  })
}

function isStill(): boolean {
  return matchMedia('(prefers-reduced-motion: reduce)').matches
}

/**
 * Scrolls to what has changed. The focus goes there too when the button that had it is gone, so that a keyboard user is not
 * sent back to the start of the page.
 */
function showChange(place: HTMLElement | null): void {
  const changed = place?.querySelector<HTMLElement>('[data-changed]')
  if (!(changed instanceof HTMLElement)) return
  changed.scrollIntoView({ block: 'nearest', behavior: isStill() ? 'instant' : 'smooth' })
  if (hasLostFocus()) changed.focus({ preventScroll: true })
}

/**
 * Returns what to call before a change that takes away what was clicked: after it the focus is on the first control in
 * `place`, or else on its text, so that a keyboard user is not sent back to the start of the page.
 */
export function useKeptFocus(place: RefObject<HTMLElement | null>): () => void {
  const isLeaving = useRef(false)
  useEffect(() => {
    if (!isLeaving.current) return
    isLeaving.current = false
    if (!hasLostFocus()) return
    const control = place.current?.querySelector<HTMLElement>('input, button')
    ;(control ?? place.current?.querySelector<HTMLElement>('[tabindex]'))?.focus()
  })
  return () => void (isLeaving.current = true)
}

/** Whether nothing has the focus, as after the element that had it went away. */
function hasLostFocus(): boolean {
  return document.activeElement === null || document.activeElement === document.body
}
