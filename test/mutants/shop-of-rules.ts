import { type CompleteStorePort, StoreError } from '@storeport/core'
import * as rules from '@storeport/rules'

/** The rules of a shop: what each operation means. */
export type Rules = Pick<
  typeof rules,
  | 'listProducts'
  | 'addProduct'
  | 'undoAddProduct'
  | 'getSubscription'
  | 'sendNow'
  | 'delaySubscription'
  | 'swapProduct'
  | 'listCancelledSubscriptions'
  | 'reactivateSubscription'
  | 'getDiscount'
>

/** Customers' accounts by their email in lower case. */
export type Accounts = Map<string, rules.CustomerAccount>

/** What a shop may do otherwise than a correct one. */
export interface ShopChanges {
  /** Rules in place of the correct ones. */
  readonly rules?: Partial<Rules> | undefined
  /** How a customer is found. */
  readonly find?: ((email: string, accounts: Accounts) => rules.CustomerAccount | undefined) | undefined
  /** Something that the rules look at beside the account. */
  readonly shop?: ((shop: rules.Shop) => Partial<rules.Shop>) | undefined
}

/** A small store with the seed, in which any rule can be another. */
export function shopOfRules(changes: ShopChanges): CompleteStorePort {
  const today = rules.dateIn('UTC')(new Date())
  const { products, discounts, accounts: seeded, actions } = rules.readShopData(rules.seed(today))
  const accounts: Accounts = new Map(seeded.map((account) => [rules.emailKey(account.email), account]))
  const use: Rules = { ...rules, ...changes.rules }
  const find = changes.find ?? ((email: string) => accounts.get(rules.emailKey(email)))

  const load = (email: string) => {
    const account = find(email, accounts)
    if (account === undefined) throw new StoreError('customer_not_found')
    return account
  }
  const save = (account: rules.CustomerAccount) => {
    accounts.set(rules.emailKey(account.email), account)
  }
  const correct: rules.Shop = {
    today,
    max_quantity: 1000,
    reactivation_days: 365,
    public_url: 'http://localhost:3000',
    product: (id) => products.find((product) => product.id === id),
    offered: () => products.filter(({ available }) => available),
    discount: (code) => discounts.find((terms) => rules.codeKey(terms.code) === rules.codeKey(code)),
    newId: (kind) => `${kind}_${crypto.randomUUID()}`,
  }
  const shop: rules.Shop = { ...correct, ...changes.shop?.(correct) }

  return {
    listProducts: async (input) => use.listProducts(find(input.email ?? '', accounts), input, shop),
    addProduct: async (input) => save(use.addProduct(load(input.email), input, shop)),
    undoAddProduct: async (input) => save(use.undoAddProduct(load(input.email), input, shop)),
    getSubscription: async (input) => use.getSubscription(load(input.email), input, shop),
    sendNow: async (input) => save(use.sendNow(load(input.email), input, shop)),
    delaySubscription: async (input) => save(use.delaySubscription(load(input.email), input, shop)),
    swapProduct: async (input) => save(use.swapProduct(load(input.email), input, shop)),
    listCancelledSubscriptions: async (input) => use.listCancelledSubscriptions(load(input.email), input, shop),
    reactivateSubscription: async (input) => save(use.reactivateSubscription(load(input.email), input, shop)),
    runCustomAction: async (input) => {
      load(input.email)
      if (!actions.includes(input.action_id)) throw new StoreError('action_not_found')
    },
    getDiscount: async (input) => use.getDiscount(undefined, input, shop),
  }
}
