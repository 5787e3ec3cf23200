import { addDays, type CustomerAccount, type Item, type Subscription, wireItemId } from '@storeport/rules'

/** All that the mutants use of an account, of which a reading rule gets no more than a part. */
export type Subscriptions = Pick<CustomerAccount, 'subscriptions'>

/** The active subscription that is billed next. */
export function nextOf(account: CustomerAccount): Subscription | undefined {
  const actives = account.subscriptions.filter(({ status }) => status === 'active')
  return actives.toSorted((one, other) => ((one.next_billing_date ?? '') < (other.next_billing_date ?? '') ? -1 : 1))[0]
}

/** The account with its first active subscription alone. */
export function firstOf<Account extends Subscriptions>(account: Account): Account {
  const first = account.subscriptions.find(({ status }) => status === 'active')
  return { ...account, subscriptions: first === undefined ? [] : [first] }
}

/** The subscription as an active one. */
export function active(subscription: Subscription): Subscription {
  return subscription.status === 'active'
    ? subscription
    : { ...subscription, status: 'active', next_billing_date: '2090-01-01', cancelled_on: null }
}

/** The account without one-time lines. */
export function dropOneTimeLines<Account extends Subscriptions>(account: Account): Account {
  const recurring = (one: Subscription) => ({ ...one, items: one.items.filter((item) => !item.one_time) })
  return { ...account, subscriptions: account.subscriptions.map(recurring) }
}

/** The account whose current subscription is billed today. */
export function billToday(account: CustomerAccount, today: string): CustomerAccount {
  const current = nextOf(account)
  const subscriptions = account.subscriptions.map((one) =>
    one === current && one.status === 'active' ? { ...one, next_billing_date: today } : one,
  )
  return { ...account, subscriptions }
}

/** The subscription that was sent is billed some days later than it should be. */
export function billLater(days: number, before: CustomerAccount, after: CustomerAccount): CustomerAccount {
  const subscriptions = after.subscriptions.map((one) => {
    const isSent = one.status === 'active' && !before.subscriptions.includes(one)
    return isSent ? { ...one, next_billing_date: addDays(one.next_billing_date, days) } : one
  })
  return { ...after, subscriptions }
}

/** The account with the items changed that have this id on the wire. */
export function withItem(
  account: CustomerAccount,
  id: string,
  change: Partial<Subscription['items'][number]>,
): CustomerAccount {
  const changed = (one: Subscription) => ({
    ...one,
    items: one.items.map((item) => (wireItemId(item) === id ? { ...item, ...change } : item)),
  })
  return { ...account, subscriptions: account.subscriptions.map(changed) }
}

/** How many items an account has. */
export function itemsOf(account: CustomerAccount): number {
  return account.subscriptions.reduce((count, { items }) => count + items.length, 0)
}

/** The account with the items of its subscriptions changed. */
export function withItems<Account extends Subscriptions>(
  account: Account,
  change: (item: Item) => readonly Item[],
): Account {
  const subscriptions = account.subscriptions.map((one) => ({ ...one, items: one.items.flatMap(change) }))
  return { ...account, subscriptions }
}

/** The quantity of an item, if the account has it. */
export function quantityOf(account: CustomerAccount, id: string): number | undefined {
  return account.subscriptions.flatMap(({ items }) => items).find((item) => item.id === id)?.quantity
}
