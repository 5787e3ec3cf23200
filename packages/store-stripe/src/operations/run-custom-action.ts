import { type Context, type RunCustomActionInput, StoreError } from '@storeport/core'
import type { Plan } from '../clicks/change-once.ts'
import type { Desk } from './desk.ts'

/** Runs a custom action, and changes of the customer what it answers. */
export function planAction({ settings }: Desk, input: RunCustomActionInput, { idempotencyKey }: Context): Plan {
  return async ({ customers: [customer] }) => {
    const { stripe, actions } = settings
    const action = Object.hasOwn(actions, input.action_id) ? actions[input.action_id] : undefined
    if (action === undefined) throw new StoreError('action_not_found')
    const change = await action(customer, { stripe, idempotencyKey })
    return {
      holder: customer,
      send: (metadata, options) =>
        stripe.customers.update(customer.id, { ...change, metadata: { ...change.metadata, ...metadata } }, options),
    }
  }
}
