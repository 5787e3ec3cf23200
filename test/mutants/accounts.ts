import { type CustomerAccount, type DiscountUse, type Item, type Subscription, wireItemId } from '@storeport/rules'

/** The part of an account that mutants change. Rules for read endpoints receive only this part. */
export type Subscriptions = Pick<CustomerAccount, 'subscriptions'>

/** Changes each subscription of an account. */
export function withSubscriptions<Account extends Subscriptions>(
  account: Account,
  change: (subscription: Subscription) => Subscription,
): Account {
  return { ...account, subscriptions: account.subscriptions.map(change) }
}

/** Replaces each item of all subscriptions with the result of `change`. */
export function withItems<Account extends Subscriptions>(
  account: Account,
  change: (item: Item) => readonly Item[],
): Account {
  return withSubscriptions(account, (one) => ({ ...one, items: one.items.flatMap(change) }))
}

/** Changes the items whose id in API responses is `id`. */
export function withItem(account: CustomerAccount, id: string, change: Partial<Item>): CustomerAccount {
  return withItems(account, (item) => [wireItemId(item) === id ? { ...item, ...change } : item])
}

/** Replaces the discount of a code by its present amount, for the whole order. */
export function freezeUse(
  use: DiscountUse,
  { subscriptions }: Subscriptions,
  round: (amount: number) => number = Math.round,
): DiscountUse {
  const { id, code, subscription_id, order_id, used_on } = use
  const items = subscriptions.find((one) => one.id === subscription_id)?.items ?? []
  const price = items.reduce((sum, item) => {
    const units = use.items.find(({ item_id }) => item_id === item.id)?.quantity ?? 0
    return sum + Math.min(units, item.quantity) * item.price_minor
  }, 0)
  const amount_minor = use.kind === 'percentage' ? round((price * use.percentage) / 100) : use.amount_minor
  const all = items.map((item) => ({ item_id: item.id, quantity: item.quantity }))
  return { id, code, subscription_id, order_id, used_on, kind: 'fixed_amount', amount_minor, items: all }
}

/** Doubles the amounts of fixed codes. */
export function doubleAmounts(account: CustomerAccount): CustomerAccount {
  return {
    ...account,
    discount_uses: account.discount_uses.map((use) =>
      use.kind === 'fixed_amount' ? { ...use, amount_minor: 2 * use.amount_minor } : use,
    ),
  }
}
