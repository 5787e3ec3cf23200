import { type CompleteStorePort, StoreError } from '@storeport/core'
import * as rules from '@storeport/rules'

/** Customer accounts by lower-case email. */
export type Accounts = Map<string, rules.CustomerAccount>

/** Differences from a correct shop. */
export interface ShopChanges {
  /** Rules that replace the correct rules. */
  readonly rules?: Partial<rules.Rules> | undefined
  /** Replaces the lookup of an account by email. */
  readonly find?: ((email: string, accounts: Accounts) => rules.CustomerAccount | undefined) | undefined
  /** Changes the initial data of the shop. */
  readonly data?: ((data: rules.CompleteShopData) => rules.ShopData) | undefined
  /** Current date in the shop, as `YYYY-MM-DD`. Default: the date of {@link now}. */
  readonly today?: string | undefined
  /** Currency of all amounts. Default: USD. */
  readonly currency?: string | undefined
  /** Changes the shop data that the rules receive in addition to the account. */
  readonly shop?: ((shop: rules.Shop) => Partial<rules.Shop>) | undefined
}

/** Default clock of the shops and their checks: the date of a shop does not change while a test runs. */
export const now = () => new Date('2026-03-10T12:00:00Z')

/** Creates a small store with the seed data, in which `changes` can replace each rule. */
export function shopOfRules(changes: ShopChanges): CompleteStorePort {
  const { today = rules.dateIn('UTC')(now()), currency = 'USD' } = changes
  const { data: changeData = (data: rules.CompleteShopData): rules.ShopData => data } = changes
  const {
    products,
    discounts,
    accounts: seeded,
    actions,
  } = rules.readShopData(changeData(rules.seed(today, currency)), currency)
  const accounts: Accounts = new Map(seeded.map((account) => [rules.emailKey(account.email), account]))
  const find = changes.find ?? ((email: string) => accounts.get(rules.emailKey(email)))
  const correct = rules.readShopOptions({ today, currency }).createShop({
    product: (id) => products.find((product) => product.id === id),
    offered: () => products.filter(({ available }) => available),
    discount: (code) => discounts.find((terms) => rules.codeKey(terms.code) === rules.codeKey(code)),
  })
  const shop: rules.Shop = { ...correct, ...changes.shop?.(correct) }

  const bound = rules.bindRules({ rules: { ...rules.allRules, ...changes.rules } })
  const read =
    <Input, Output>(rule: rules.BoundRule<Input, Output>) =>
    async (input: Input) =>
      rule(find(rule.named(input).email ?? '', accounts), input, shop)
  const change =
    <Input extends { readonly email: string }>(rule: rules.BoundChange<Input>) =>
    async (input: Input) => {
      const account = rule(find(input.email, accounts), input, shop)
      accounts.set(rules.emailKey(account.email), account)
    }

  return {
    listProducts: read(bound.listProducts),
    addProduct: change(bound.addProduct),
    undoAddProduct: change(bound.undoAddProduct),
    getSubscription: read(bound.getSubscription),
    sendNow: change(bound.sendNow),
    delaySubscription: change(bound.delaySubscription),
    swapProduct: change(bound.swapProduct),
    listCancelledSubscriptions: read(bound.listCancelledSubscriptions),
    reactivateSubscription: change(bound.reactivateSubscription),
    getDiscount: read(bound.getDiscount),
    runCustomAction: async (input) => {
      if (find(input.email, accounts) === undefined) throw new StoreError('customer_not_found')
      if (!actions.includes(input.action_id)) throw new StoreError('action_not_found')
    },
  }
}
