/** What every key begins with when nothing else is chosen. */
export const defaultPrefix = 'storeport'

/** Returns a prefix that can stand in a hash tag; throws TypeError for any other. */
export function checkPrefix(prefix: string): string {
  if (/^[\w:.-]{1,64}$/.test(prefix)) return prefix
  throw new TypeError('prefix: must be 1 to 64 letters, digits and : . _ -')
}

/** Returns a number that is more than nothing; throws TypeError that names it for any other. */
export function checkPositive(name: string, value: number): number {
  if (Number.isFinite(value) && value > 0) return value
  throw new TypeError(`${name}: must be a number, more than 0`)
}
