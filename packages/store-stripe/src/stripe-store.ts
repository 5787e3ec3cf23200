import { type CompleteStorePort, type Context, type RunCustomActionInput, StoreError } from '@storeport/core'
import type { Stripe } from 'stripe'
import { planAdd } from './operations/add-product.ts'
import { createClicks, type Plan } from './operations/change-once.ts'
import { planDelay } from './operations/delay-subscription.ts'
import { planReactivate } from './operations/reactivate-subscription.ts'
import { createReads } from './operations/read-operations.ts'
import { planSend } from './operations/send-now.ts'
import { planSwap } from './operations/swap-product.ts'
import { planUndo } from './operations/undo-add-product.ts'
import { checkAccount } from './stripe/check-account.ts'
import { readOptions } from './stripe/settings.ts'
import type { StripeStoreOptions } from './stripe/stripe-store-options.ts'

/** A store that uses a Stripe account as its database. */
export interface StripeStore extends CompleteStorePort {
  /** Checks the key and the account. Returns a line for each reason of unsupported objects. Rejects with StripeSettingsError. */
  ready(): Promise<readonly string[]>
}

/** Creates a store over Stripe Billing. Throws TypeError for an invalid option, and StripeSettingsError for an unsupported client. */
export function stripeStore(stripe: Stripe, options: StripeStoreOptions = {}): StripeStore {
  const settings = readOptions(stripe, options)
  const { changeOnce, reconcile } = createClicks(settings)
  return {
    currency: settings.currency,
    // A change reads the account before it writes, and Stripe has no lock.
    changesMustNotOverlap: true,
    // Checks permissions with changes that always fail, even in a dry run.
    ready: () => checkAccount({ ...settings, stripe }),
    reconcile: (_name, { email }, context) => reconcile(email, context),
    ...createReads(settings),
    addProduct: (input, context) => changeOnce(input.email, context, planAdd(input)),
    undoAddProduct: (input, context) => changeOnce(input.email, context, planUndo(input)),
    sendNow: (input, context) => changeOnce(input.email, context, planSend(input)),
    delaySubscription: (input, context) => changeOnce(input.email, context, planDelay(input)),
    swapProduct: (input, context) => changeOnce(input.email, context, planSwap(input)),
    reactivateSubscription: (input, context) => changeOnce(input.email, context, planReactivate(input)),
    runCustomAction: (input, context) => changeOnce(input.email, context, planAction(input, context)),
  }
}

/** Runs a custom action and sends the customer update that the action returns. */
function planAction(input: RunCustomActionInput, { idempotencyKey }: Context): Plan {
  return async ({ customers: [customer] }, { stripe, actions }) => {
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
