import * as z from 'zod/mini'

/** Result of an action: nothing, since refusing is done by throwing; a `false` or `{success: false}` would otherwise pass for a success. */
export const Nothing = z.unknown().check(z.refine(isNoRefusal, 'must not be false: throw a StoreError to refuse'))

function isNoRefusal(value: unknown): boolean {
  if (value === false) return false
  return !(typeof value === 'object' && value !== null && 'success' in value && value.success === false)
}
