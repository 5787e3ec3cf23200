import type { CatalogueProduct, Interval, LoadedShop, Shop } from '@storeport/rules'
import { StoreError } from '@storeport/core'
import { soonest } from '@storeport/rules'
import type { Stripe } from 'stripe'
import type { LoadedCustomer } from '../account/load-customer.ts'
import type { FoundMark } from '../clicks/mark.ts'
import type { Settings } from '../read-options.ts'

/** What every operation works with. */
export interface Desk {
  readonly settings: Settings
  /** Makes what a rule may use besides the account. */
  readonly createShop: (loaded: LoadedShop) => Shop
}

/** The subscription at Stripe whose account the rules call the current one; throws StoreError `subscription_not_found`. */
export function currentOf({ account, subscriptions }: LoadedCustomer): Stripe.Subscription {
  const current = soonest(account.subscriptions)
  const held = subscriptions.find(({ id }) => id === current?.id)
  if (held === undefined) throw new StoreError('subscription_not_found')
  return held
}

/** The interval whose prices a customer has. */
export function intervalOf({ account }: LoadedCustomer, { settings }: Desk): Interval {
  return soonest(account.subscriptions)?.interval ?? settings.interval
}

/** The marks of adds by their ids. */
export function marksOf(adds: readonly { readonly id: string }[], { marks }: LoadedCustomer): readonly FoundMark[] {
  return adds.flatMap((add) => marks.filter(({ key }) => key === add.id))
}

/** Something that a request makes has no metadata to keep to a size. */
export const newHolder = { id: '', metadata: null } as const

/** Stands in place of a product of which a rule uses nothing. */
export function nameless(id: string): CatalogueProduct {
  return {
    id,
    title: id,
    price_minor: 0,
    compare_at_price_minor: null,
    images: [],
    description: null,
    available: false,
  }
}
