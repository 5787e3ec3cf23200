import {
  type CompleteStorePort,
  type Context,
  type CustomerInput,
  type EndpointName,
  StoreError,
} from '@storeport/core'
import * as rules from '@storeport/rules'
import { keepKey } from '../clicks/applied-keys.ts'
import { loadDiscount, loadOffered } from '../account/catalogue.ts'
import { checkText } from './check-text.ts'
import { createActionRunner } from './create-action-runner.ts'
import type { Database } from '../db/database.ts'
import { type AccountInput, loadAccount, loadRecommendations, loadSubscriptions } from '../account/load-account.ts'
import { lockCustomer } from '../account/lock-customer.ts'
import { saveAccount } from '../account/save-account.ts'
import { type ShopSettings, shopOf } from './shop.ts'
import type { Sweep } from '../clicks/create-sweep.ts'

type Rule<Input> = (account: rules.CustomerAccount, input: Input, shop: rules.Shop) => rules.CustomerAccount

/** The eleven operations over a database; each mutation is one transaction around a rule. */
export function createOperations(database: Database, settings: ShopSettings, sweep: Sweep): CompleteStorePort {
  const { dialect } = database

  /** Reads a customer's subscriptions; without the customer no call gets any further. */
  const load = async ({ email }: CustomerInput, context: Context) => {
    checkText({ email })
    return known(await database.read((db) => loadSubscriptions(db, dialect, email), context))
  }

  /** Locks the customer, keeps the key, reads the account, asks the rule, saves what it changed: all of it or nothing. */
  async function change<Input extends AccountInput>(
    name: EndpointName,
    input: Input,
    context: Context,
    rule: Rule<Input>,
    names: Omit<AccountInput, 'email'> = input,
  ): Promise<void> {
    checkText(input)
    const { idempotencyKey } = context
    await database.transaction(
      async (db) => {
        await lockCustomer(db, input.email)
        if (!(await keepKey(db, { name, input, idempotencyKey }, Date.now()))) return
        const loaded = known(await loadAccount(db, dialect, { ...names, email: input.email }))
        await saveAccount(db, loaded, rule(loaded.account, input, shopOf(settings, loaded)))
      },
      { waiting: context, repeatable: idempotencyKey !== '' },
    )
    sweep()
  }

  return {
    // Upsells
    listProducts: async (input, context) => {
      const { email } = input
      checkText(input)
      const loaded =
        email === undefined ? undefined : await database.read((db) => loadRecommendations(db, dialect, email), context)
      // The general list is long, and only asked for when there is nothing personal to show.
      const isPersonal = loaded?.account.recommended.some((id) => loaded.products.get(id)?.available)
      const offered = isPersonal ? [] : await database.read((db) => loadOffered(db, dialect), context)
      return rules.listProducts(loaded?.account, input, shopOf(settings, { products: loaded?.products, offered }))
    },
    addProduct: (input, context) => change('addProduct', input, context, rules.addProduct),
    undoAddProduct: (input, context) => change('undoAddProduct', input, context, rules.undoAddProduct),

    // Customer portal
    getSubscription: async (input, context) => {
      const loaded = await load(input, context)
      return rules.getSubscription(loaded.account, input, shopOf(settings, loaded))
    },
    sendNow: (input, context) => change('sendNow', input, context, rules.sendNow),
    delaySubscription: (input, context) => change('delaySubscription', input, context, rules.delaySubscription),
    swapProduct: (input, context) =>
      change('swapProduct', input, context, rules.swapProduct, {
        product_id: input.new_product_id,
        discount_code: input.discount_code,
      }),

    // Reactivation
    listCancelledSubscriptions: async (input, context) => {
      const loaded = await load(input, context)
      return rules.listCancelledSubscriptions(loaded.account, input, shopOf(settings, loaded))
    },
    reactivateSubscription: (input, context) =>
      change('reactivateSubscription', input, context, rules.reactivateSubscription),

    // Custom actions
    runCustomAction: createActionRunner(database, settings, sweep),

    // Discounts
    getDiscount: async (input, context) => {
      checkText(input)
      const discount = await database.read((db) => loadDiscount(db, dialect, input.discount_code), context)
      return rules.getDiscount(undefined, input, shopOf(settings, { discount }))
    },
  }
}

function known<Found>(loaded: Found | undefined): Found {
  if (loaded === undefined) throw new StoreError('customer_not_found')
  return loaded
}
