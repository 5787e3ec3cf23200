/** Whether nothing has the focus, as after the element that had it went away. */
export function hasLostFocus(): boolean {
  return document.activeElement === null || document.activeElement === document.body
}
