import type { CurrentSubscription } from '@storeport/core'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { type Changes, compareSubscriptions } from './subscription-items.ts'

/** Compares each subscription with the previously loaded version; `showNext` scrolls to the next change in `place`. */
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

/** Highlights an element for six seconds. Another change restarts the highlight. */
function highlight(element: Element): void {
  const colour = { background: 'var(--change)', boxShadow: '0 0 0 0.25rem var(--change)' }
  const none = { background: 'transparent', boxShadow: 'none' }
  element.animate([colour, { ...colour, offset: 0.6 }, none], {
    duration: 6000,
    easing: prefersReducedMotion() ? 'step-end' : 'ease-out',
  })
}

function prefersReducedMotion(): boolean {
  return matchMedia('(prefers-reduced-motion: reduce)').matches
}

/**
 * Scrolls to the changed element. If no element has the focus, also focuses the changed element, so that keyboard users
 * do not return to the start of the page.
 */
function showChange(place: HTMLElement | null): void {
  const changed = place?.querySelector<HTMLElement>('[data-changed]')
  if (!(changed instanceof HTMLElement)) return
  changed.scrollIntoView({ block: 'nearest', behavior: prefersReducedMotion() ? 'instant' : 'smooth' })
  if (hasLostFocus()) changed.focus({ preventScroll: true })
}

/**
 * Returns a function to call before a change that removes the clicked control. The first control or text in `place`
 * then receives the focus, so that keyboard users do not return to the start of the page.
 */
export function useRestoredFocus(place: RefObject<HTMLElement | null>): () => void {
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

/** Whether no element has the focus, for example after the focused element was removed. */
function hasLostFocus(): boolean {
  return document.activeElement === null || document.activeElement === document.body
}
