import type { EndpointName, Widgets } from '@storeport/core'
import { createContext, useContext } from 'react'
import type { PlaygroundConfig } from '../../src/protocol.ts'
import type { SayMoney } from '../values/amounts.ts'
import type { CallShop } from './use-calls.ts'

/** What every widget of an email works with. */
export interface ShopContext {
  readonly config: PlaygroundConfig
  /** What the caller shows, for the endpoints that are offered and not switched off. */
  readonly widgets: Widgets
  /** The endpoints that are offered and not switched off. */
  readonly offered: readonly EndpointName[]
  /** Who reads the email. */
  readonly email: string
  readonly callShop: CallShop
  /** Which question of the email is open, in words of its widget: it is in the page's address. */
  readonly widget: string | null
  readonly openWidget: (name: string | null) => void
  /** Decimals of the shop's currency. */
  readonly digits: number
  readonly sayMoney: SayMoney
  /** Announces something to users of a screen reader. */
  readonly announce: (text: string) => void
}

const Shop = createContext<ShopContext | null>(null)

/** Hands the shop to the widgets. */
export const ShopProvider = Shop.Provider

/** The shop that the page shows; throws outside of a ShopProvider. */
export function useShop(): ShopContext {
  const shop = useContext(Shop)
  if (shop === null) throw new Error('useShop needs a ShopProvider')
  return shop
}
