import { hasLostFocus } from '../parts/has-lost-focus.ts'

/**
 * Brings what has changed into view, at once where the system asks for less motion. The focus goes there too when the
 * button that had it is gone, so that a keyboard user is not sent back to the start of the page.
 */
export function showChange(place: HTMLElement | null): void {
  const changed = place?.querySelector<HTMLElement>('[data-changed]')
  if (!(changed instanceof HTMLElement)) return
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches
  changed.scrollIntoView({ block: 'nearest', behavior: still ? 'instant' : 'smooth' })
  if (hasLostFocus()) changed.focus({ preventScroll: true })
}
