import { type RefObject, useEffect, useRef } from 'react'

/** Highlights an element for six seconds. A later call starts the highlight again. */
export function highlight(element: Element): void {
  const colour = { background: 'var(--change)', boxShadow: '0 0 0 0.25rem var(--change)' }
  const none = { background: 'transparent', boxShadow: 'none' }
  element.animate([colour, { ...colour, offset: 0.6 }, none], {
    duration: 6000,
    easing: prefersReducedMotion() ? 'step-end' : 'ease-out',
  })
}

/**
 * Scrolls to a changed element. If no element has the focus, focuses the changed element. Otherwise, keyboard users
 * would return to the start of the page.
 */
export function showChange(changed: HTMLElement | null | undefined): void {
  changed?.scrollIntoView({ block: 'nearest', behavior: prefersReducedMotion() ? 'instant' : 'smooth' })
  if (hasLostFocus()) changed?.focus({ preventScroll: true })
}

function prefersReducedMotion(): boolean {
  return matchMedia('(prefers-reduced-motion: reduce)').matches
}

/**
 * Returns a function to call before a change that removes the clicked control. After the change, the first control or
 * text in `place` is focused. Otherwise, keyboard users would return to the start of the page.
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
