import type { CheckContext } from '../engine/check-context.ts'
import type { ProfileCustomers } from '../profile/profile.ts'

/** The address of a test customer; skips the check when the profile names none. */
export function customerOf(t: CheckContext, name: keyof ProfileCustomers): string {
  return t.need(t.profile.customers[name], `customers.${name}`)
}
