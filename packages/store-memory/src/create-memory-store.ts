import { StoreError } from '@storeport/core'
import * as rules from '@storeport/rules'
import type { MemoryStore, MemoryStoreOptions } from './memory-store.ts'
import { fillTables, timesUsed } from './tables.ts'

/**
 * A complete store in memory: for tests, and as an example of how to write a store.
 *
 * Nearly every method is one line, and does three things: it loads the customer's account, calls the rule that knows
 * what the operation means, and saves the account that the rule returns. Over a database that is one transaction.
 * A rule that refuses throws a `StoreError`, so nothing is saved. Throws an Error that lists what is wrong with `data`.
 */
export function createMemoryStore(options: MemoryStoreOptions = {}): MemoryStore {
  const { actions = {}, publicUrl = 'http://localhost:3000', maxQuantity = 1000, reactivationDays = 365 } = options
  const today = rules.createClock(options)
  const data = structuredClone(options.data)
  const start = () => fillTables(data ?? rules.seed(today()), actions)
  let tables = start()

  /** The customer's account, if there is such a customer. */
  const find = (email = '') => tables.accounts.get(rules.emailKey(email))

  /** The customer's account; without it no call gets any further. */
  const load = (email: string) => {
    const account = find(email)
    if (account === undefined) throw new StoreError('customer_not_found')
    return account
  }

  /** Keeps what a rule returned. */
  const save = (account: rules.CustomerAccount) => {
    tables.accounts.set(rules.emailKey(account.email), account)
  }

  /** What a rule may look at beside the account, during one call. */
  const shop = (): rules.Shop => ({
    today: today(),
    max_quantity: maxQuantity,
    reactivation_days: reactivationDays,
    public_url: typeof publicUrl === 'string' ? publicUrl : publicUrl(),
    product: (id) => tables.products.get(id),
    offered: () => [...tables.products.values()].filter((product) => product.available),
    discount: (code) => {
      const terms = tables.discounts.get(rules.codeKey(code))
      return terms && { ...terms, uses: timesUsed(tables, terms) }
    },
    newId: (kind) => `${kind}_${crypto.randomUUID()}`,
  })

  return {
    // Upsells
    listProducts: async (input) => rules.listProducts(find(input.email), input, shop()),
    addProduct: async (input) => save(rules.addProduct(load(input.email), input, shop())),
    undoAddProduct: async (input) => save(rules.undoAddProduct(load(input.email), input, shop())),

    // Customer portal
    getSubscription: async (input) => rules.getSubscription(load(input.email), input, shop()),
    sendNow: async (input) => save(rules.sendNow(load(input.email), input, shop())),
    delaySubscription: async (input) => save(rules.delaySubscription(load(input.email), input, shop())),
    swapProduct: async (input) => save(rules.swapProduct(load(input.email), input, shop())),

    // Reactivation
    listCancelledSubscriptions: async (input) => rules.listCancelledSubscriptions(load(input.email), input, shop()),
    reactivateSubscription: async (input) => save(rules.reactivateSubscription(load(input.email), input, shop())),

    // Custom actions: only those on the list, whatever the caller sends
    runCustomAction: async (input, context) => {
      const { email } = load(input.email)
      const run = tables.actions.get(input.action_id)
      if (run === undefined) throw new StoreError('action_not_found')
      await run(input, context)
      tables.actionsRun.push({ email, action_id: input.action_id, run_on: today() })
    },

    // Discounts
    getDiscount: async (input) => rules.getDiscount(undefined, input, shop()),

    // What a test may look at
    orders: (email) =>
      (email === undefined ? [...tables.accounts.values()] : [load(email)]).flatMap((account) => account.orders),
    account: find,
    get actionsRun() {
      return tables.actionsRun
    },
    reset: () => {
      tables = start()
    },
  }
}
