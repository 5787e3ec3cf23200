/** Whether a value can be sent as a header as it is: visible ASCII, at least one character. */
export function isHeaderText(value: unknown): value is string {
  return typeof value === 'string' && /^[\x21-\x7e]+$/.test(value)
}
