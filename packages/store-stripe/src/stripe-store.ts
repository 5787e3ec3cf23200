import type { CompleteStorePort } from '@storeport/core'
import { readShopOptions } from '@storeport/rules'
import type { Stripe } from 'stripe'
import { createClicks } from './clicks/change-once.ts'
import { planAdd } from './operations/add-product.ts'
import { planDelay } from './operations/delay-subscription.ts'
import type { Desk } from './operations/desk.ts'
import { planReactivate } from './operations/reactivate-subscription.ts'
import { createReads } from './operations/read-operations.ts'
import { planAction } from './operations/run-custom-action.ts'
import { planSend } from './operations/send-now.ts'
import { planSwap } from './operations/swap-product.ts'
import { planUndo } from './operations/undo-add-product.ts'
import { readOptions } from './read-options.ts'
import { checkAccount } from './stripe/check-account.ts'
import type { StripeStoreOptions } from './stripe-store-options.ts'

/** A store over an account of Stripe. */
export interface StripeStore extends CompleteStorePort {
  /** Asks Stripe whether the key and the account will do; rejects with a StripeSettingsError that says what to change. */
  ready(): Promise<void>
}

/**
 * The eleven operations over Stripe Billing: products, prices, subscriptions and invoice items of an account.
 *
 * Throws TypeError for options that cannot be used, and StripeSettingsError for a client of another API version.
 */
export function stripeStore(stripe: Stripe, options: StripeStoreOptions = {}): StripeStore {
  const settings = readOptions(stripe, options)
  const { timeZone = 'UTC' } = options
  const { currency, maxQuantity, reactivationDays, now } = settings
  const { createShop } = readShopOptions({ currency, maxQuantity, reactivationDays, now, timeZone, publicUrl: '' })
  const desk: Desk = { settings, createShop }
  const { changeOnce, reconcile } = createClicks(settings)

  return {
    currency,
    ready: () => checkAccount(settings),
    reconcile: (_name, { email }, context) => reconcile(email, context),
    ...createReads(desk),

    // Upsells
    addProduct: (input, context) => changeOnce(input.email, context, planAdd(desk, input)),
    undoAddProduct: (input, context) => changeOnce(input.email, context, planUndo(desk, input)),

    // Customer portal
    sendNow: (input, context) => changeOnce(input.email, context, planSend(desk, input)),
    delaySubscription: (input, context) => changeOnce(input.email, context, planDelay(desk, input)),
    swapProduct: (input, context) => changeOnce(input.email, context, planSwap(desk, input)),

    // Reactivation
    reactivateSubscription: (input, context) => changeOnce(input.email, context, planReactivate(desk, input)),

    // Custom actions
    runCustomAction: (input, context) => changeOnce(input.email, context, planAction(desk, input, context)),
  }
}
