import type { Stripe } from 'stripe'
import { createInvalidRequest } from './stripe-failure.ts'

/**
 * Merges metadata by key. An empty value removes its key, and an empty parameter removes all keys. Throws for more than
 * 50 keys, for keys over 40 characters, and for values over 500 characters (docs.stripe.com/api/metadata).
 */
export function changeMetadata(
  before: Stripe.Metadata,
  sent: Stripe.Emptyable<Stripe.MetadataParam> | undefined,
): Stripe.Metadata {
  if (sent === undefined) return before
  if (sent === null || sent === '') return {}
  const after: Record<string, string> = { ...before }
  for (const [name, value] of Object.entries(sent)) {
    if (name.length > 40 || String(value).length > 500)
      throw createInvalidRequest('Keys have up to 40 and values up to 500 characters.', `metadata[${name}]`)
    if (value === null || value === '') delete after[name]
    else after[name] = String(value)
  }
  if (Object.keys(after).length > 50) throw createInvalidRequest('You can have up to 50 metadata keys.', 'metadata')
  return after
}
