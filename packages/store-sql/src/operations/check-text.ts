import { StoreError } from '@storeport/core'

/**
 * Throws StoreError `invalid_request` for a text that a database would refuse, cut short or change: control characters
 * and halves of surrogate pairs. The integration lets none through, but a store may be called without it.
 */
export function checkText(input: object): void {
  for (const [field, value] of Object.entries(input)) {
    if (typeof value === 'string' && /[\p{Cc}\p{Cs}]/u.test(value)) {
      throw new StoreError('invalid_request', `${field}: must not hold control characters`)
    }
  }
}
