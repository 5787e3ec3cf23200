import { addDays, type CustomerAccount, type Item, type Subscription, wireItemId } from '@storeport/rules'

/** All that the mutants use of an account, of which a reading rule gets no more than a part. */
export type Subscriptions = Pick<CustomerAccount, 'subscriptions'>

/** The active subscription that is billed next. */
export function nextOf(account: CustomerAccount): Subscription | undefined {
  const actives = account.subscriptions.filter(({ status }) => status === 'active')
  return actives.toSorted((one, other) => ((one.next_billing_date ?? '') < (other.next_billing_date ?? '') ? -1 : 1))[0]
}

/** The account with each of its subscriptions changed. */
export function withSubscriptions<Account extends Subscriptions>(
  account: Account,
  change: (subscription: Subscription) => Subscription,
): Account {
  return { ...account, subscriptions: account.subscriptions.map(change) }
}

/** The account with the items of its subscriptions changed. */
export function withItems<Account extends Subscriptions>(
  account: Account,
  change: (item: Item) => readonly Item[],
): Account {
  return withSubscriptions(account, (one) => ({ ...one, items: one.items.flatMap(change) }))
}

/** The account with the items changed that have this id on the wire. */
export function withItem(account: CustomerAccount, id: string, change: Partial<Item>): CustomerAccount {
  return withItems(account, (item) => [wireItemId(item) === id ? { ...item, ...change } : item])
}

/** The account without one-time lines. */
export function dropOneTimeLines<Account extends Subscriptions>(account: Account): Account {
  return withItems(account, (item) => (item.one_time ? [] : [item]))
}

/** The account with its first active subscription alone. */
export function firstOf<Account extends Subscriptions>(account: Account): Account {
  return { ...account, subscriptions: account.subscriptions.filter(({ status }) => status === 'active').slice(0, 1) }
}

/** The account whose current subscription is billed today. */
export function billToday(account: CustomerAccount, today: string): CustomerAccount {
  const current = nextOf(account)
  return withSubscriptions(account, (one) =>
    one === current && one.status === 'active' ? { ...one, next_billing_date: today } : one,
  )
}

/** The subscription that was sent is billed some days later than it should be. */
export function billLater(days: number, before: CustomerAccount, after: CustomerAccount): CustomerAccount {
  return withSubscriptions(after, (one) => {
    const isSent = one.status === 'active' && !before.subscriptions.includes(one)
    return isSent ? { ...one, next_billing_date: addDays(one.next_billing_date, days) } : one
  })
}

/** How many items an account has. */
export function itemsOf(account: CustomerAccount): number {
  return account.subscriptions.flatMap(({ items }) => items).length
}

/** The quantity of an item, if the account has it. */
export function quantityOf(account: CustomerAccount, id: string): number | undefined {
  return account.subscriptions.flatMap(({ items }) => items).find((item) => item.id === id)?.quantity
}
