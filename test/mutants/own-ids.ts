import type { SubscriptionItem } from '@storeport/core'
import {
  getSubscription,
  type Item,
  listCancelledSubscriptions,
  type Rules,
  soonest,
  swapProduct,
  wireItemId,
} from '@storeport/rules'

/** Returns the id of an item in API responses. `items` are all items of its subscription. */
export type NameItem = (item: Item, items: readonly Item[]) => string

/** Returns whether no other line has the product of an item. */
export const isAlone = (...[item, items]: Parameters<NameItem>): boolean =>
  items.every((other) => other === item || other.product_id !== item.product_id)

/** Returns rules for item ids that are not product ids, as on many platforms. Default: the ids of the database rows. */
export function withOwnIds(nameItem: NameItem = ({ id }) => id): { readonly rules: Partial<Rules> } {
  const rename = (shown: readonly SubscriptionItem[], items: readonly Item[]) =>
    items.flatMap((item, place) => {
      const one = shown[place]
      return one === undefined ? [] : [{ ...one, id: nameItem(item, items) }]
    })
  const rules: Partial<Rules> = {
    getSubscription: (account, input, shop) => {
      const subscription = getSubscription(account, input, shop)
      return { ...subscription, items: rename(subscription.items, soonest(account.subscriptions)?.items ?? []) }
    },
    listCancelledSubscriptions: (account, input, shop) => {
      const { subscriptions } = listCancelledSubscriptions(account, input, shop)
      const itemsOf = (id: string) => account.subscriptions.find((one) => one.id === id)?.items ?? []
      return {
        subscriptions: subscriptions.map((one) => ({
          ...one,
          products: rename(one.products, itemsOf(one.subscription_id)),
        })),
      }
    },
    swapProduct: (account, input, shop) => {
      const items = soonest(account.subscriptions)?.items ?? []
      const named = items.find((item) => nameItem(item, items) === input.current_item_id)
      return swapProduct(account, { ...input, current_item_id: named ? wireItemId(named) : 'no-such-item' }, shop)
    },
  }
  return { rules }
}
