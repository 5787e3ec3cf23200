import {
  type CompleteStorePort,
  type Context,
  type DelaySubscriptionInput,
  isStoreError,
  type RunCustomActionInput,
  StoreError,
} from '@storeport/core'
import { delaySubscription, readShopOptions } from '@storeport/rules'
import type { Stripe } from 'stripe'
import { createClicks, type Plan } from './operations/change-once.ts'
import { planAdd } from './operations/add-product.ts'
import { currentOf, type Desk, instantOn } from './operations/desk.ts'
import { planReactivate } from './operations/reactivate-subscription.ts'
import { createReads } from './operations/read-operations.ts'
import { planSend } from './operations/send-now.ts'
import { planSwap } from './operations/swap-product.ts'
import { planUndo } from './operations/undo-add-product.ts'
import { readOptions, type Settings, StripeSettingsError } from './stripe/settings.ts'
import type { StripeStoreOptions } from './stripe/stripe-store-options.ts'
import { dueAt } from './account/to-account.ts'
import { type Asking, askStripe } from './stripe/ask-stripe.ts'

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

/** Delays the next billing: Stripe calls the time until then a trial. */
function planDelay(desk: Desk, input: DelaySubscriptionInput): Plan {
  return async (loaded) => {
    const { stripe, dayOf, latestDay } = desk.settings
    const after = delaySubscription(loaded.account, input, desk.createShop({}))
    if (after === loaded.account) return undefined
    if (input.new_date > latestDay())
      throw new StoreError('invalid_date', `new_date: must be ${latestDay()} or earlier.`)
    const held = currentOf(loaded)
    const trial_end = instantOn(input.new_date, dueAt(held), dayOf)
    return {
      holder: held,
      send: (metadata, options) =>
        stripe.subscriptions.update(held.id, { trial_end, proration_behavior: 'none', metadata }, options),
    }
  }
}

/** Runs a custom action, and changes of the customer what it answers. */
function planAction({ settings }: Desk, input: RunCustomActionInput, { idempotencyKey }: Context): Plan {
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

/** Reads one of each thing that the operations read; rejects with StripeSettingsError for a key or an account that will not do, and with StoreError when Stripe is away. */
async function checkAccount(settings: Settings): Promise<void> {
  const { stripe, stripeCurrency: currency } = settings
  const asking = askStripe(settings, { signal: new AbortController().signal })
  try {
    const [{ data }] = await Promise.all([
      asking.read((options) => stripe.prices.list({ active: true, type: 'recurring', currency, limit: 1 }, options)),
      ...readRights(settings, asking),
    ])
    if (data.length > 0) return
  } catch (error) {
    throw isStoreError(error) && error.cause instanceof StripeSettingsError ? error.cause : error
  }
  throw new StripeSettingsError(
    'STRIPE_NO_PRICES',
    `The account of Stripe has no active recurring price in ${settings.currency}: make one for each product, or set the option currency.`,
  )
}

/** Whether the key may read everything; what it may write is found out by the first click. */
function readRights({ stripe }: Settings, asking: Asking): Promise<unknown>[] {
  return [
    asking.read((options) => stripe.customers.list({ limit: 1 }, options)),
    asking.read((options) => stripe.subscriptions.list({ limit: 1 }, options)),
    asking.read((options) => stripe.products.list({ limit: 1 }, options)),
    asking.read((options) => stripe.invoiceItems.list({ limit: 1 }, options)),
    asking.read((options) => stripe.promotionCodes.list({ limit: 1 }, options)),
  ]
}
