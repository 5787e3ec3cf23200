import type { EndpointName, Widgets } from '@storeport/core'
import { createContext, useContext } from 'react'
import type { PlaygroundConfig } from '../../src/playground-options.ts'
import type { FormatMoney } from '../values/amounts.ts'
import type { CallShop } from './use-calls.ts'

/** Data and functions for all widgets. */
export interface ShopContext {
  readonly config: PlaygroundConfig
  /** Widgets and buttons that the email platform shows for the `offered` endpoints. */
  readonly widgets: Widgets
  /** Endpoints that the shop implements and that the user has not turned off. */
  readonly offered: readonly EndpointName[]
  /** Email address of the current customer. */
  readonly email: string
  readonly callShop: CallShop
  /** Name of the open dialog in the URL; `null` for none. */
  readonly widget: string | null
  readonly openWidget: (name: string | null) => void
  /** Number of decimals of the shop's currency. */
  readonly digits: number
  readonly formatMoney: FormatMoney
  /** Displays a message and announces it to screen readers. */
  readonly announce: (text: string) => void
}

const Shop = createContext<ShopContext | null>(null)

export const ShopProvider = Shop.Provider

/** Returns the current shop; throws outside a ShopProvider. */
export function useShop(): ShopContext {
  const shop = useContext(Shop)
  if (shop === null) throw new Error('useShop must be called inside a ShopProvider.')
  return shop
}
