import { StoreError } from '@storeport/core'

/** Charges an amount in cents. The payment provider ignores a repeated key, and repeats its response. */
export async function charge(key: string, cents: number): Promise<'paid' | 'declined'> {
  const response = await fetch(process.env['PAYMENTS_URL'] ?? '', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Idempotency-Key': key },
    body: JSON.stringify({ cents }),
    signal: AbortSignal.timeout(4000),
  }).catch((cause: unknown) => {
    // It is unknown whether the provider has charged. A repeat sends the same key.
    throw new StoreError('upstream_error', undefined, { cause })
  })
  if (response.status === 402) return 'declined'
  if (!response.ok) throw new StoreError('upstream_error')
  return 'paid'
}
