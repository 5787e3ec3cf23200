import {
  type CompleteStorePort,
  type Context,
  type DelaySubscriptionInput,
  type RunCustomActionInput,
  StoreError,
} from '@storeport/core'
import { delaySubscription, readShopOptions } from '@storeport/rules'
import type { Stripe } from 'stripe'
import { createClicks, type Plan } from './operations/change-once.ts'
import { planAdd } from './operations/add-product.ts'
import { requireCurrent, type StoreContext, instantOn } from './operations/context.ts'
import { planReactivate } from './operations/reactivate-subscription.ts'
import { createReads } from './operations/read-operations.ts'
import { planSend } from './operations/send-now.ts'
import { planSwap } from './operations/swap-product.ts'
import { planUndo } from './operations/undo-add-product.ts'
import { checkAccount } from './stripe/check-account.ts'
import { readOptions } from './stripe/settings.ts'
import type { StripeStoreOptions } from './stripe/stripe-store-options.ts'
import { delayedKey, dueAt, isFreeTrial, isOnNextInvoice } from './account/to-account.ts'

/** A store that uses a Stripe account as its database. */
export interface StripeStore extends CompleteStorePort {
  /**
   * Checks the API key and the account; rejects with a StripeSettingsError that states what to change. Returns one line for each object
   * of the account that the store does not support.
   */
  ready(): Promise<readonly string[]>
}

/**
 * Creates a store whose eleven operations use products, prices, subscriptions and invoice items in Stripe Billing.
 *
 * Throws TypeError for an invalid option, and StripeSettingsError for a client with an unsupported API version.
 */
export function stripeStore(stripe: Stripe, options: StripeStoreOptions = {}): StripeStore {
  const settings = readOptions(stripe, options)
  const { timeZone = 'UTC' } = options
  const { currency, maxQuantity, reactivationDays, now } = settings
  const { createShop } = readShopOptions({ currency, maxQuantity, reactivationDays, now, timeZone, publicUrl: '' })
  const store: StoreContext = { settings, createShop, reported: new Set() }
  const { changeOnce, reconcile } = createClicks(settings)

  return {
    currency,
    // A change reads the account before it writes, and Stripe has no lock.
    changesMustNotOverlap: true,
    // Checks permissions with changes that always fail, even in a dry run.
    ready: () => checkAccount({ ...settings, stripe }),
    reconcile: (_name, { email }, context) => reconcile(email, context),
    ...createReads(store),

    addProduct: (input, context) => changeOnce(input.email, context, planAdd(store, input)),
    undoAddProduct: (input, context) => changeOnce(input.email, context, planUndo(store, input)),

    sendNow: (input, context) => changeOnce(input.email, context, planSend(store, input)),
    delaySubscription: (input, context) => changeOnce(input.email, context, planDelay(store, input)),
    swapProduct: (input, context) => changeOnce(input.email, context, planSwap(store, input)),

    reactivateSubscription: (input, context) => changeOnce(input.email, context, planReactivate(store, input)),

    runCustomAction: (input, context) => changeOnce(input.email, context, planAction(store, input, context)),
  }
}

/** Delays the next billing by setting a trial end, because Stripe has no other way to move a billing date. */
function planDelay(store: StoreContext, input: DelaySubscriptionInput): Plan {
  return async (loaded) => {
    const { stripe, dayOf, latestDay } = store.settings
    const after = delaySubscription(loaded.account, input, store.createShop({}))
    if (after === loaded.account) return undefined
    if (input.new_date > latestDay())
      throw new StoreError('invalid_date', `new_date: must be ${latestDay()} or earlier.`)
    const current = requireCurrent(loaded)
    // The status of a trial would hide that the order is not paid.
    if (current.status === 'past_due') throw new StoreError('payment_failed', 'An earlier invoice is not paid.')
    const trial_end = instantOn(input.new_date, dueAt(current), dayOf)
    if (store.settings.freeTrials === 'keep' && isFreeTrial(current))
      throw new StoreError('invalid_date', 'new_date: a subscription in a free trial cannot be delayed.')
    if (current.cancel_at !== null && trial_end > current.cancel_at)
      throw new StoreError('invalid_date', 'new_date: must not be after the end of the subscription.')
    if (loaded.invoiceItems.some((item) => isOnNextInvoice(item, current)))
      throw new StoreError('invalid_date', 'new_date: the next order contains one-time items, so it cannot be delayed.')
    return {
      holder: current,
      send: (mark, options) => {
        const metadata = { ...mark, [delayedKey]: String(trial_end) }
        return stripe.subscriptions.update(current.id, { trial_end, proration_behavior: 'none', metadata }, options)
      },
    }
  }
}

/** Runs a custom action and sends the customer update that the action returns. */
function planAction({ settings }: StoreContext, input: RunCustomActionInput, { idempotencyKey }: Context): Plan {
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
