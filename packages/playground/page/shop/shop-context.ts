import { type EndpointName, minorUnitDigits, widgetsFor } from '@storeport/core'
import { createContext, useContext } from 'react'
import type { PlaygroundConfig } from '../../src/describe-playground.ts'
import type { MessageName } from '../values/address.ts'
import { createMoneyFormat } from '../values/amounts.ts'
import type { CallShop } from './use-calls.ts'

/** Data and functions of the page that the widgets of an email use. */
interface EmailPage {
  readonly config: PlaygroundConfig
  /** Endpoints that the shop implements and that the user has not turned off. */
  readonly offered: readonly EndpointName[]
  /** Email address of the current customer. */
  readonly email: string
  /** Name of the open email. */
  readonly message: MessageName
  /** Increments when the email is opened again. */
  readonly opening: number
  /** Discount code that was selected outside the email; a new object for each selection. */
  readonly picked: { readonly code: string } | null
  readonly callShop: CallShop
  /** Name of the open dialog in the URL; `null` for none. */
  readonly widget: string | null
  readonly openWidget: (name: string | null) => void
  /** Displays a message and announces it to screen readers. */
  readonly announce: (text: string) => void
}

/** Data and functions for all widgets. */
export type ShopContext = ReturnType<typeof createShop>

/** Adds the widgets that the email platform shows, the decimals of the currency, and the format of amounts. */
export function createShop(page: EmailPage) {
  const { currency } = page.config
  const formatMoney = createMoneyFormat(currency)
  return { ...page, widgets: widgetsFor(page.offered), digits: minorUnitDigits(currency), formatMoney }
}

/** Creates a provider of a value, and a hook that returns the value and throws outside the provider. */
export function createRequiredContext<Value>() {
  const Context = createContext<Value | null>(null)
  function useValue(): Value {
    const value = useContext(Context)
    if (value === null) throw new Error('This component requires a provider.')
    return value
  }
  return [Context.Provider, useValue] as const
}

/** The current shop. */
export const [ShopProvider, useShop] = createRequiredContext<ShopContext>()
