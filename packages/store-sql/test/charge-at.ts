import type { ChargeOrder } from '@storeport/rules'

/** Returns a `charge` function that calls a payment provider. */
export function chargeAt(provider: string): ChargeOrder {
  return async ({ idempotencyKey }) => {
    const response = await fetch(`${provider}/${idempotencyKey}`, { method: 'POST' })
    if (!response.ok) throw new Error(`The payment provider answered with ${response.status}.`)
  }
}
